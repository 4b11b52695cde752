#pragma once

#include <memory>

#include "kore/response.hpp"

namespace kore {

/// Poisson rates: counts over exposures, each row counting as much as its exposure over the mean exposure.
/// The dispersion is then one over the mean exposure.
std::shared_ptr<const Response> poisson_with_dispersion(double dispersion);

/// Counts whose variance is `mean + mean^2 / theta`.
std::shared_ptr<const Response> negative_binomial_with(double theta);

}  // namespace kore

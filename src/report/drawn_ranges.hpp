#pragma once

#include <vector>

#include "kore/decomposition.hpp"
#include "report/observed.hpp"

/// Which values of the features charts show.
namespace kore::report {

/// The value below which about `share` of the training rows lie, as the model alone knows it.
double value_at(const Feature& feature, double share);
/// The range of a feature where nearly all rows lie, if that is much less than its whole range; otherwise
/// the whole range. A few far rows then do not squeeze all others into a corner. `observed` may be null.
Range drawn_range(const Observed* observed, const Feature& feature, std::size_t place);
/// Three values of the last feature of a triple: low, middle and high among its rows, or its first levels.
std::vector<double> slices(const Decomposition& shown, std::size_t term);
/// `count` points at equal distances, both ends among them.
std::vector<double> spaced(const Range& range, std::size_t count);

}  // namespace kore::report

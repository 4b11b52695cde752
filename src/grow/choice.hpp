#pragma once

#include <cstddef>
#include <span>

#include "grow/stage.hpp"

namespace kore {

/// A mean left-out loss over that of the constant model.
double noise_share(double loo, const GrowingData& data);
/// Whether a mean left-out loss is less than a hundredth of the constant model's. Where there are groups,
/// leave-one-out keeps other rows of a row's group and does not tell: then never. Nor with a link: there, a
/// small loss means that yes and no are far apart, and fits without penalties have no end.
bool almost_noise_free(double loo, const GrowingData& data);

/// An allowance, as a loss per row, for what leave-one-out does not see: it takes penalty weights and terms
/// as given, though every row took part in their choice. It is `2 noise_variance / n` times `1.5 m +
/// chance_gain`, where `m` is the number of chosen weights: each counts as one and a half parameters.
double price_of(const Stage& stage);

/// Which of the stages to take. The first `lines` of them are straight lines; the others are sorted by order.
/// Within an order the lower `loo + price` wins; a stage without penalties must be clearly better, unless
/// there is almost no noise. Then, from lines to main effects, pairs and triples, the richer stage must be
/// clearly better.
std::size_t choose_stage(std::span<const Stage> stages, std::size_t lines, bool interactions_only,
                         const GrowingData& data);

}  // namespace kore

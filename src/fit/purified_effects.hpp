#pragma once

#include <optional>
#include <vector>

#include "fit/bands.hpp"
#include "kore/decomposition.hpp"
#include "kore/statistics.hpp"

namespace kore {

/// The purified form of a fit under the distribution of some rows, with shares over them and bands. Nothing
/// where there are no interactions. `fitted` are the effects of the terms as fitted: a term that is part of
/// no larger one keeps its test, because what was moved out of it is no part of it.
std::optional<Decomposition> purified_effects(const FitInRows& fit, const LooseFit& loose,
                                              const RowBlock& rows, const std::vector<Effect>& fitted);

/// The same of an unpenalised fit, under the distribution of all rows of its Gram matrix, without bands. The
/// terms have the same resolution in every coordinate, so that nothing else than this matrix is needed.
std::optional<Decomposition> purified_effects(const GramAccumulator& gram, const Smoother& smoother);

}  // namespace kore

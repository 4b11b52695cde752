#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fit/growing_rows.hpp"
#include "grow/full_fit.hpp"
#include "grow/grow.hpp"
#include "pass/weighed_source.hpp"

namespace kore {

// The robust loss: sum_i count_i scale^2 robust_loss((y_i - f(x_i)) / scale) in place of the sum of squares.
// It is solved by least squares with rows that count for less (response/robust.hpp), again and again until
// the counts do not change. All choices (terms, penalty weights, stages) are then made by rows that count so,
// and the noise variance is theirs. `scale` is the median absolute left-out error over that of a standard
// normal, or more, so that at most a fifth of the rows counts for less than half: gross errors are
// exceptions.

/// Grows from the deciding rows and weighs them by their left-out errors, in turns. Main effects come first,
/// with weights that never reach zero, because their equations have one solution wherever they start. What
/// interactions explain is not an error: before they are in the model, only errors twice as large are
/// discounted. `options_for` makes the options of a growth from rows, whose unit changes. Afterwards the rows
/// are those that the returned growth has seen.
Growth grow_robustly(GrowingRows& rows,
                     const std::function<GrowOptions(const GrowingRows& rows)>& options_for);

/// Weighs the deciding rows by the residuals of a stage and fits it again, with its penalties, until the fit
/// does not change: it then minimises the robust loss.
void settle(GrowingRows& rows, Stage& stage);

/// The structure of a stage fitted to all rows of a source, shifted and scaled as those of the growth: by
/// least squares, or, under the robust loss, to rows weighed by the fit to the sample and then once more by
/// the result.
struct WeighedFit {
  FullFit fit;
  std::optional<RowWeighing> weighing;  ///< Of the last fit, under the robust loss.
};
WeighedFit fit_weighed(const GrowingRows& rows, const Stage& stage, bool penalised, const RowSource& source,
                       const FullFitLimits& limits);

/// How the rows of a source, shifted and scaled as those of the growth, are weighed by a fit.
RowWeighing weighing_by(const FittedFunction& fit, double noise_scale);

/// The deviation of normal noise whose median absolute error is that of these errors, each as often as its
/// row counts.
double noise_scale_of(std::vector<double> errors, const RowCounts& counts);

}  // namespace kore

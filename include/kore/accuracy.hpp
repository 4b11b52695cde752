#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace kore {

/// Where the errors of an Accuracy come from.
enum class AccuracySource {
  /// The procedure was repeated without a part of the rows, for each of several parts (folds), and predicted
  /// them. The choice between models was repeated without them too. See `Accuracy::terms_stay`.
  folds,
  /// Rows of a long table that took part in no choice of terms; each is left out of the final fit. Where
  /// there are groups, none of theirs took part, and the fit to the sample predicts them.
  unseen_rows,
  /// Leave-one-out given the model: terms and penalty weights are kept, though the left-out row helped to
  /// choose them. On few rows, this is too small an error.
  leave_one_out,
};

/// How well the predicted distribution of a family other than the normal one fits new rows.
struct FamilyAccuracy {
  double deviance = 0;       ///< Mean deviance of a row.
  double null_deviance = 0;  ///< The same if every prediction were the mean of these rows.
  /// Mean squared error in units of the variance that the family expects. About 1 where that is right; a
  /// Poisson target that varies by more has more.
  double dispersion = 0;
  // Of yes and no; NaN otherwise:
  double log_loss = std::numeric_limits<double>::quiet_NaN();  ///< Mean of minus the log-likelihood.
  double brier = std::numeric_limits<double>::quiet_NaN();     ///< Mean squared error of the probability.
  /// The probability that a row that is yes is given a higher probability than one that is no.
  double auc = std::numeric_limits<double>::quiet_NaN();

  double explained() const { return null_deviance > 0 ? 1 - deviance / null_deviance : 0; }
};

/// Rows with predictions on which their own targets had no influence. Rows of equal features may have been
/// merged to one, whose target is their mean.
struct HeldOutRows {
  std::vector<double> target;
  std::vector<double> prediction;  ///< The mean of the target.
  std::vector<double> weight;      ///< How much each row counts.
};

/// Left-out rows with neighbouring predictions, about as many in each group. Values are in units of the
/// target.
struct PredictionGroup {
  double weight = 0;     ///< How much its rows count together.
  double predicted = 0;  ///< Mean prediction.
  double observed = 0;   ///< Mean target.
  double low = 0;        ///< Nine tenths of the targets are above it, ...
  double high = 0;       ///< ... and nine tenths are below this.
  double rmse = 0;
  /// Share of the rows within their 90 % interval, made from the errors of left-out rows other than these. So
  /// the check may fail. NaN where there are no intervals.
  double covered = std::numeric_limits<double>::quiet_NaN();
};
inline constexpr double checked_level = 0.9;  ///< Of the intervals of a PredictionGroup.

/// How far off predictions of new rows are. Errors are in units of the target.
struct Accuracy {
  AccuracySource how = AccuracySource::leave_one_out;
  std::size_t rows = 0;   ///< That were predicted without having been seen.
  std::size_t folds = 0;  ///< Where they were cut into folds.
  /// Of folds: terms and knots are those of all rows, and penalty weights, coefficients and the choice
  /// between models were repeated without each fold. False: everything was. The former is faster and only
  /// done in longer tables, where the terms would nearly always be the same.
  bool terms_stay = false;
  double rmse = 0;  ///< Root of the mean squared error.
  double mae = 0;   ///< Mean absolute error.
  double r2 = 0;    ///< One less the mean squared error over the variance of the target.
  /// How much the squared error is smaller than that of the constant model, in units of 1.96 standard errors
  /// of the difference. Above 1, chance alone does not explain the gain.
  double signal_score = 0;
  /// Where rows have groups (RowBlock::groups): how many groups these rows are of. Each was left out as a
  /// whole, so the errors are those for new groups. Zero: rows were left out one by one.
  std::size_t groups = 0;
  /// Errors that stand apart from all others and make up most of the squared error: how many of these rows
  /// have one, where a few do. Zero: errors have no such tail. See `Loss::robust`.
  std::size_t gross_errors = 0;
  std::optional<FamilyAccuracy> family = {};  ///< Of families other than the normal one.
  /// The rows by rising prediction; empty where they are too few, and in files of older versions.
  std::vector<PredictionGroup> by_prediction = {};
};

}  // namespace kore

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kore/model.hpp"

/// Predictions of a family with a link (yes or no, counts, positive amounts) beside what was observed.
namespace kore::report {

/// Rows with neighbouring predictions.
struct Tenth {
  double weight = 0;
  double predicted = 0;  ///< Mean prediction.
  double observed = 0;   ///< Mean target.
  double squares = 0;    ///< Of deviations of the target from its mean, weighted.

  double standard_error() const;
};

/// A target of yes and no among rows with neighbouring predictions, by rising prediction.
struct YesAndNo {
  double yes = 0;
  double no = 0;
};

/// How many rows have a count from `first` to `last`, and how many the model expects.
struct CountBin {
  double first = 0;
  double last = 0;  ///< Infinite in the last bin.
  double observed = 0;
  double expected = 0;
};

struct Graded {
  double deviance = 0;           ///< Mean, at the predictions.
  double null_deviance = 0;      ///< Mean, if every prediction were the mean of the fit.
  std::vector<Tenth> tenths;     ///< By rising prediction; fewer than ten where predictions are equal.
  std::vector<YesAndNo> ranks;   ///< Of a binomial target; empty for others.
  std::vector<CountBin> counts;  ///< Of counts; empty for others.

  double explained() const { return null_deviance > 0 ? 1 - deviance / null_deviance : 0; }
};

/// The area under the ROC curve: how often a yes has a higher prediction than a no. NaN where one is missing.
double area_under_roc(std::span<const YesAndNo> ranks);

/// Adds rows up.
class Grading {
 public:
  /// Some rows in advance, which decide on the bins: their predictions and targets. `own_rows`: those that
  /// follow are the rows of the fit.
  Grading(const Model& model, std::span<const double> predictions, std::span<const double> targets,
          bool own_rows);

  /// `prediction` is that of a row left out, where it is one of the fit.
  void add(double target, double prediction, double weight);
  Graded finish();

 private:
  void lay_out_counts(std::span<const double> targets);
  void add_count(double target, double prediction, double weight);

  const Model& model_;
  std::shared_ptr<const Response> response_;
  double null_predictor_;
  bool own_rows_;
  std::vector<double> tenth_edges_;
  std::vector<double> rank_edges_;
  std::vector<double> log_steps_;  // what the logarithm of a probability gains from each count to the next
  Graded graded_;
  double weight_ = 0;
  bool whole_ = true;
};

}  // namespace kore::report

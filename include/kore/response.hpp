#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "kore/rows.hpp"
#include "kore/working_rows.hpp"

namespace kore {

/// Rows that a fit has seen, as leave-one-out needs them. All have one length.
struct FittedRows {
  std::span<const double> target;
  std::span<const double> predictor;  ///< The fit's linear predictor.
  /// Of the working rows, `w b' A^-1 b`: from 0 to 1, and 0 where a row does not count.
  std::span<const double> leverage;
  RowCounts counts;
};

/// The model that predicts the same for every row: what a fit's gain is measured from.
struct ConstantModel {
  double predictor = 0;
  double count_sum = 0;  ///< Of the rows it was fitted to.
  double loss_unit = 1;  ///< Gains are given in this unit, so that their squares do not overflow.
};

/// What leave-one-out finds for each row, as many numbers as there are rows. A row that does not count has no
/// loss and no gain.
struct LeftOutRows {
  std::span<double> residuals;  ///< The working target less the left-out predictor.
  std::span<double> losses;     ///< The loss at the left-out predictor.
  std::span<double> gains;      ///< The constant model's left-out loss less this one, in its unit.
};

/// Sums over rows, each as often as it counts.
struct LossSums {
  double loss = 0;
  double left_out_loss = 0;
};

/// The targets that a response has seen: what limits on its predictions are made of.
struct SeenTargets {
  double lowest = 0;
  double highest = 0;
  double mean = 0;
  double count_sum = 0;
};

/// Where a linear predictor may lie.
struct PredictorLimits {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
};

/// How a target depends on a linear predictor `eta = b'c`. A fit minimises the sum of losses `L(y_i, eta_i)`
/// (deviances), each times the count of its row, plus penalties on `c`, by least squares on working rows. The
/// left-out loss of a row is its loss at the predictor of a fit without it, which follows from the fit with
/// it and the leverage of its working row.
///
/// A response never changes. Its name and its parameter stand for it in bytes.
class Response {
 public:
  virtual ~Response() = default;

  virtual std::string_view name() const = 0;
  /// As in `response_with`; 0 where it has none.
  virtual double parameter() const { return 0; }
  /// The mean of the target where the linear predictor is `eta`: the inverse of the link.
  virtual double mean(double predictor) const { return predictor; }
  /// The linear predictor where the mean of the target is `mean`.
  virtual double link(double mean) const { return mean; }
  /// How far predictors for new rows may go: as far as the targets that were seen say anything.
  virtual PredictorLimits limits(const SeenTargets& seen) const;
  /// The dispersion, where the distribution knows it; nothing where the rows have to tell (the variance of
  /// normal noise).
  virtual std::optional<double> known_dispersion() const = 0;
  /// Working rows do not depend on the predictor, so that one least-squares step is the fit.
  virtual bool fits_in_one_step() const = 0;

  /// The loss of a row that counts once.
  virtual double loss(double target, double predictor) const = 0;

  /// The working rows at a linear predictor, which may be empty where `fits_in_one_step`. They live in
  /// `memory` or are the arguments themselves.
  virtual WorkingRows working_rows(std::span<const double> target, const RowCounts& counts,
                                   std::span<const double> predictor, WorkingMemory& memory) const = 0;

  /// Leaves each row out, all of its count at once.
  virtual LossSums left_out(const FittedRows& rows, const ConstantModel& constant,
                            const LeftOutRows& results) const = 0;
};

/// `y = eta + noise` with squared error: its working rows are the rows themselves.
const Response& normal_response();

/// Yes or no: the target is 1 or 0, or a share between them, and `log(mean / (1 - mean)) = eta`. The loss is
/// the deviance `2 [y log(y / mean) + (1 - y) log((1 - y) / (1 - mean))]`, twice the log loss of a 0 or 1.
const Response& binomial_response();
/// Counts, or rates of counts: `log(mean) = eta`, with the deviance `2 [y log(y / mean) - (y - mean)]`. The
/// dispersion is known; 1 for counts.
const Response& poisson_response();
/// Positive amounts whose deviation grows with their mean: `log(mean) = eta`, with the deviance
/// `2 [(y - mean) / mean - log(y / mean)]`. The dispersion, the squared coefficient of variation, is
/// estimated.
const Response& gamma_response();

/// The response of that name that needs no parameter; null where there is none.
const Response* find_response(std::string_view name);

/// The response of that name with its parameter: the deviation of the noise of `robust`, the dispersion of
/// `poisson` (that of rates is one over the mean exposure; 0 stands for 1), and the number `theta` of
/// `negative_binomial`, whose variance is `mean + mean^2 / theta`. Others have none. Null where there is no
/// such response, or no such parameter.
std::shared_ptr<const Response> response_with(std::string_view name, double parameter);

/// A block of a response that fits in one step, ready for its sums; what has to be computed lives in
/// `memory`. Throws `invalid_argument` for any other response, whose working rows need a predictor.
WorkingBlock working_block(const RowBlock& block, const Response& response, WorkingMemory& memory);
/// Of the normal response: the rows as they are, without a copy.
WorkingBlock working_block(const RowBlock& block);

}  // namespace kore

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "grow/referee.hpp"

namespace kore {

/// Rows that the candidates have predicted without having seen them. All lists have one length.
struct JudgedRows {
  const Response* response = &normal_response();
  std::span<const double> target;
  RowCounts weights;
  std::span<const std::uint64_t> units;  ///< Rows of one unit are not independent of each other.
  std::span<const std::size_t> folds;    ///< Parts of the rows; a unit lies in one of them.
};

/// Mean and standard error, between units, of a difference of losses.
struct Gain {
  double mean = 0;
  double error = 0;
  std::size_t units = 1;

  /// In standard errors, which few units make larger.
  double signal() const;
};
inline constexpr std::size_t no_fold = std::numeric_limits<std::size_t>::max();
/// How much smaller the losses `to` are than `from`, over all folds but one.
Gain gain_between(const JudgedRows& rows, std::span<const double> from, std::span<const double> to,
                  std::size_t left_out_fold = no_fold);

/// What the candidates predict on one scale of the target; in units that all scales share.
struct CandidatesOnScale {
  const LeftOut& left_out;
  const std::vector<bool>& competing;
  /// How large each candidate is, where the simplest one is wanted of those within one standard error of the
  /// best: that of the mean loss of the best one. Empty: the best is wanted.
  std::span<const double> sizes = {};
};

/// What the referee decides.
struct Judgement {
  std::size_t scale = 0;            ///< Of the scales.
  std::size_t chosen = 0;           ///< Of `candidates()`.
  std::vector<double> mean_losses;  ///< Of each candidate in it, per row; of the constant in the first.
  std::vector<double> loss_errors;  ///< Their standard errors.
  /// For each row, the prediction of the candidate that all other folds choose. So the choice itself is
  /// repeated without the row too, and the errors of these predictions are those of the whole procedure.
  std::vector<double> predictions;
  /// For each fold, the candidate that all other folds choose on the chosen scale.
  std::vector<std::size_t> chosen_without;
  /// How much better `predictions` are than the constant's, in standard errors of the difference: of losses
  /// or, where a few rows decide on these, of absolute errors.
  double signal = 0;
};

/// Chooses the candidate with the smallest mean loss on rows it has not seen; of two that hardly differ, the
/// simpler one: the richer must be better by a quarter of a standard error. One without penalties must be
/// better by a whole one, because it has no valid bands; and if the best is not better than the constant by a
/// standard error, the constant is chosen. Standard errors are between units. Only candidates that
/// `competing` has take part.
Judgement judge(const LeftOut& left_out, const JudgedRows& rows, const std::vector<bool>& competing);

/// The same on several scales of the target, the simplest first: the choice of another scale must be better
/// than that of the first by half a standard error, and by a whole one where that is the constant.
/// The constant it is measured by is that of the first.
Judgement judge(std::span<const CandidatesOnScale> scales, const JudgedRows& rows);

}  // namespace kore

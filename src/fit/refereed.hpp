#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fit/growing_rows.hpp"
#include "fit/held_out.hpp"
#include "grow/judgement.hpp"

namespace kore {

/// What fits say of rows that they have not seen: the predictions of every candidate on one scale of the
/// target.
struct UnseenPredictions {
  /// In the unit that the growth would have on the identity scale (`GrowingRows::own_shift`), carried back by
  /// rows of other folds.
  LeftOut predictions;
  // On another scale than the identity:
  LeftOut etas;                ///< On the scale of the fit, before they are carried back.
  LeftOut means;               ///< The predictions in the units of the target.
  std::vector<double> target;  ///< In the same unit as the predictions.
  std::vector<double> weights;
  std::vector<std::uint64_t> units;  ///< As in JudgedRows, and so are folds.
  std::vector<std::size_t> folds;
  std::vector<bool> competing;  ///< Of the candidates.
  std::vector<double>
      sizes;          ///< Of the candidates, where the simplest one is wanted: as in CandidatesOnScale.
  Accuracy accuracy;  ///< Where the rows come from, without their errors.

  std::shared_ptr<const Response> response;  ///< Whose loss judges; null: the normal one's.

  JudgedRows rows() const {
    return {response ? response.get() : &normal_response(), target, RowCounts(weights), units, folds};
  }
};

/// What the referee found about a growth. Losses and accuracy are in the unit of UnseenPredictions.
struct Refereed {
  /// Of `candidates()`; nothing where no referee ran, and the growth's own choice stands.
  std::optional<std::size_t> chosen;
  std::vector<double> mean_losses;  ///< Of each candidate; empty where no referee ran.
  std::vector<double> loss_errors;  ///< Standard errors of these.
  HeldOut rows;                     ///< With predictions of the whole procedure without them.
  /// On another scale than the identity: `g(target)` and `g(prediction)`, with the procedure on this scale.
  HeldOut scaled_rows;
  Accuracy accuracy;     ///< Of these rows.
  MeanShift mean_shift;  ///< What carries the chosen candidate back to means.
};

/// Whole groups can only be left out by a referee, and of few groups nothing can be learned. Throws where
/// there are groups and one of both is not given.
void check_groups(const GrowingRows& rows, int folds);

/// How the referee repeats a growth.
struct RefereeSettings {
  int folds = 0;            ///< As in GrownOptions.
  Extrapolation outside{};  ///< How curves continue outside the range of the rows of a fit.
  bool limited = true;      ///< Predictions stay near their targets.
  bool simplest = false;    ///< As in GrownOptions.
};

/// Repeats the growth in folds, or lets it predict rows outside the sample. Nothing where there is no
/// referee, or too few rows for one.
std::optional<UnseenPredictions> predict_unseen_rows(const GrowingRows& rows, const GrowOptions& options,
                                                     const Growth& growth, const RefereeSettings& settings);

/// The referee's choice between scales of the target.
struct ScaleChoice {
  std::size_t scale = 0;  ///< Of those that compete.
  Refereed refereed;
};
/// Chooses between the candidates on all scales. `rows` and `all_unseen` are of the same scales, the
/// simplest first, and of the same rows.
ScaleChoice choose_candidate(std::span<const GrowingRows* const> rows,
                             std::span<const UnseenPredictions* const> all_unseen);

/// The squared errors of a stage, each row left out of it, in the unit of UnseenPredictions: what a
/// comparison of scales by leave-one-out needs. One for each deciding row.
std::vector<double> left_out_losses(const GrowingRows& rows, const Stage& stage);

/// Rows left out of one fit that has seen them, with terms and weights as they are: leave-one-out given the
/// model. `fitted_counts` says how much each row counted in the fit; errors count as `block` says. In the
/// unit of UnseenPredictions, and with what carries the fit back to means.
struct LeftOutOfFit {
  HeldOut rows;
  HeldOut scaled_rows;  ///< As in Refereed.
  MeanShift mean_shift;
};
LeftOutOfFit left_out_of(const Smoother& fit, const GrowingRows& rows, const RowBlock& block,
                         const RowCounts& fitted_counts);

}  // namespace kore

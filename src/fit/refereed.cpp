#include "fit/refereed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "fit/carried_means.hpp"
#include "grow/choice.hpp"
#include "grow/stage_folds.hpp"
#include "kore/error.hpp"
#include "response/robust.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

constexpr std::size_t fewest_units = 6;  // fewer cannot be cut into folds that tell anything
constexpr std::size_t fewest_groups = 5;
constexpr std::size_t choice_parts = 5;  // of unseen rows: the choice is repeated without each
constexpr double score_unit = 1.96;      // standard errors

/// Of the deciding rows, from those of the merged ones.
template <class Value>
std::vector<Value> spread_to_rows(const std::vector<Value>& merged, const GrowingRows& rows) {
  std::vector<Value> all;
  for (const std::size_t place : rows.merged_into()) all.push_back(merged[place]);
  return all;
}

/// Where there is almost no noise, leave-one-out is not flattered by it, and left-out rows at the border of
/// the others have the largest errors, whatever the model. Then the growth's own choice competes with the
/// mean alone.
std::vector<bool> without_rivals(std::vector<bool> competing, const Stage& chosen) {
  for (std::size_t k = 1; k < competing.size(); ++k)
    competing[k] = candidates()[k].kind == chosen.kind && candidates()[k].shrinkage == 1;
  return competing;
}

/// Judges by the loss that the fit minimises: gross errors in left-out targets must not choose a model.
std::shared_ptr<const Response> judging_response(const GrowingRows& rows) {
  if (rows.linked()) return rows.shared_response();
  return rows.noise_scale() > 0 ? response_with("robust", rows.noise_scale()) : nullptr;
}

/// Predictions of rows on another scale, each carried back by the rows of other folds.
class CarriedBack {
 public:
  CarriedBack(const GrowingRows& rows, const RowBlock& block) : rows_(rows) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      target_.push_back(rows.own_target(block.y[r]));
      weight_.push_back(block.weight(r));
    }
  }

  std::vector<double> eta_of(std::span<const double> grown) const {
    std::vector<double> eta;
    for (const double value : grown) eta.push_back(value * rows_.unit() + rows_.shift());
    return eta;
  }

  MeanShift shift_of(std::span<const double> eta) const {
    return carried_means(rows_.scale(), {target_, eta, weight_}, limits_of(weight_));
  }
  MeanShift shift_without(std::span<const double> eta, std::span<const std::size_t> folds,
                          std::size_t fold) const {
    const std::vector<double> weight = weights_without(folds, fold);
    return carried_means(rows_.scale(), {target_, eta, weight}, limits_of(weight));
  }

  /// The mean, within limits.
  double carried(const MeanShift& shift, double eta, const Range& limits) const {
    return std::clamp(mean_on(rows_.scale(), shift, eta), limits.lowest, limits.highest);
  }
  /// In the unit that the growth would have on the identity scale.
  double in_unit(double own) const { return (own - rows_.own_shift().shift) / rows_.own_shift().unit; }
  std::vector<double> in_unit(std::vector<double> own) const {
    for (double& value : own) value = in_unit(value);
    return own;
  }
  double scaled(double mean) const { return to_scale(rows_.scale(), mean); }
  double target(std::size_t row) const { return in_unit(target_[row]); }

  std::vector<double> by_other_folds(std::span<const double> eta, std::span<const std::size_t> folds) const {
    std::vector<double> predictions(eta.size());
    const std::size_t count = folds.empty() ? 0 : std::ranges::max(folds) + 1;
    for (std::size_t fold = 0; fold < count; ++fold) {
      const MeanShift shift = count > 1 ? shift_without(eta, folds, fold) : shift_of(eta);
      const Range limits = limits_of(count > 1 ? weights_without(folds, fold) : weight_);
      for (std::size_t r = 0; r < eta.size(); ++r)
        if (folds[r] == fold) predictions[r] = carried(shift, eta[r], limits);
    }
    return predictions;
  }

  /// The mean of the targets in other folds.
  std::vector<double> mean_of_other_folds(std::span<const std::size_t> folds) const {
    std::vector<double> means(target_.size());
    const std::size_t count = folds.empty() ? 0 : std::ranges::max(folds) + 1;
    for (std::size_t fold = 0; fold < count; ++fold) {
      const std::vector<double> weight = count > 1 ? weights_without(folds, fold) : weight_;
      double sum = 0;
      double total = 0;
      for (std::size_t r = 0; r < target_.size(); ++r) {
        sum += weight[r] * target_[r];
        total += weight[r];
      }
      for (std::size_t r = 0; r < target_.size(); ++r)
        if (folds[r] == fold) means[r] = sum / total;
    }
    return means;
  }

  Range limits_of(std::span<const double> weight) const {
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t r = 0; r < target_.size(); ++r)
      if (weight[r] > 0) range = {std::min(range.lowest, target_[r]), std::max(range.highest, target_[r])};
    return prediction_limits(rows_.scale(), range);
  }
  Range limits() const { return limits_of(weight_); }

 private:
  std::vector<double> weights_without(std::span<const std::size_t> folds, std::size_t fold) const {
    std::vector<double> weight = weight_;
    for (std::size_t r = 0; r < weight.size(); ++r)
      if (folds[r] == fold) weight[r] = 0;
    return weight;
  }

  const GrowingRows& rows_;
  std::vector<double> target_;
  std::vector<double> weight_;
};

/// Adds the rows, and carries back what was predicted on another scale.
void complete(const GrowingRows& rows, const RowBlock& block, LeftOut left_out, UnseenPredictions& unseen) {
  for (std::size_t r = 0; r < block.rows(); ++r) unseen.weights.push_back(block.weight(r));
  if (rows.scale() == TargetScale::identity) {
    unseen.target.assign(block.y.begin(), block.y.end());
    unseen.predictions = std::move(left_out);
    return;
  }
  const CarriedBack carrying(rows, block);
  for (std::size_t r = 0; r < block.rows(); ++r) unseen.target.push_back(carrying.target(r));
  for (std::size_t k = 0; k < left_out.size(); ++k) {
    unseen.etas.push_back(carrying.eta_of(left_out[k]));
    // The constant is what gains are measured by; others that do not compete are not looked at.
    unseen.means.push_back(k == 0                ? carrying.mean_of_other_folds(unseen.folds)
                           : unseen.competing[k] ? carrying.by_other_folds(unseen.etas[k], unseen.folds)
                                                 : std::vector<double>(block.rows()));
    unseen.predictions.push_back(carrying.in_unit(unseen.means[k]));
  }
}

/// The number of terms of each candidate, and where that is the same, its effective parameters.
std::vector<double> sizes_of(const Growth& growth) {
  constexpr double per_parameter = 1e-9;
  std::vector<double> sizes;
  for (const Candidate& candidate : candidates()) {
    const Stage* stage = stage_of(growth, candidate.kind);
    sizes.push_back(stage == nullptr
                        ? 0
                        : static_cast<double>(stage->terms.size()) + per_parameter * stage->press.leverage);
  }
  return sizes;
}

UnseenPredictions by_folds(const GrowingRows& rows, const GrowingData& data, const GrowOptions& options,
                           const Growth& growth, std::size_t folds) {
  const std::vector<std::uint64_t> units = units_of(data.rows);
  const std::vector<std::size_t> fold_of = folds_of(units, data.rows.weights, folds);
  const GrowOptions own_options = options_of_folds(options, growth, data.rows.rows());
  // Only candidates that compete are predicted, so that this is settled first.
  std::vector<bool> competing = competitors(growth, own_options);
  if (almost_noise_free(growth.stages[growth.chosen].loo(), data))
    competing = without_rivals(std::move(competing), growth.stages[growth.chosen]);
  const bool terms_stay = terms_may_stay(data, growth);
  LeftOut left_out = terms_stay
                         ? leave_folds_out_of_stages(data, growth, competing, fold_of, own_options.progress)
                         : leave_folds_out(data, own_options, fold_of);
  for (std::vector<double>& predictions : left_out) predictions = spread_to_rows(predictions, rows);
  UnseenPredictions unseen;
  unseen.response = judging_response(rows);
  unseen.units = spread_to_rows(units, rows);
  unseen.folds = spread_to_rows(fold_of, rows);
  unseen.competing = std::move(competing);
  complete(rows, rows.deciding(), std::move(left_out), unseen);
  unseen.accuracy.how = AccuracySource::folds;
  unseen.accuracy.folds = folds;
  unseen.accuracy.terms_stay = terms_stay;
  unseen.accuracy.groups = group_count(data.rows);
  return unseen;
}

UnseenPredictions by_unseen_rows(const GrowingRows& rows, const GrowingData& data, const GrowOptions& options,
                                 const Growth& growth) {
  UnseenPredictions unseen;
  unseen.response = judging_response(rows);
  unseen.units = units_of(rows.unseen());
  unseen.folds = folds_of(unseen.units, rows.unseen().weights, choice_parts);
  unseen.competing = competitors(growth, options);
  complete(rows, rows.unseen(), predict_unseen(data, growth, rows.unseen().x), unseen);
  unseen.accuracy.how = AccuracySource::unseen_rows;
  unseen.accuracy.groups = group_count(rows.unseen());
  return unseen;
}

/// Adds the means of rows that are left out of a fit with a link, from their working residuals.
void add_linked(const Smoother& fit, const GrowingRows& rows, const RowBlock& block,
                std::span<const double> residuals, HeldOut& found) {
  std::vector<double> predictor(block.rows());
  evaluate_rows(fit.design(), fit.intercept(), fit.coefficients(), Extrapolation::linear, block.x, predictor,
                rows.growing().threads);
  WorkingMemory memory;
  const WorkingRows working = rows.response().working_rows(block.y, block.weights, predictor, memory);
  for (std::size_t r = 0; r < block.rows(); ++r)
    found.add(block.y[r], rows.response().mean(working.target[r] - residuals[r]), block.weight(r));
}

}  // namespace

LeftOutOfFit left_out_of(const Smoother& fit, const GrowingRows& rows, const RowBlock& block,
                         const RowCounts& fitted_counts) {
  std::vector<double> residuals(block.rows());
  fit.press({block.x, block.y, fitted_counts, block.groups}, rows.growing().threads, {residuals, {}, {}});
  LeftOutOfFit found;
  if (rows.linked()) {
    add_linked(fit, rows, block, residuals, found.rows);
    return found;
  }
  std::vector<double> predictions;
  for (std::size_t r = 0; r < block.rows(); ++r) predictions.push_back(block.y[r] - residuals[r]);
  if (rows.scale() == TargetScale::identity) {
    for (std::size_t r = 0; r < block.rows(); ++r)
      found.rows.add(block.y[r], predictions[r], block.weight(r));
    return found;
  }
  const CarriedBack carrying(rows, block);
  const std::vector<double> eta = carrying.eta_of(predictions);
  found.mean_shift = carrying.shift_of(eta);
  const Range limits = carrying.limits();
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double mean = carrying.carried(found.mean_shift, eta[r], limits);
    found.rows.add(carrying.target(r), carrying.in_unit(mean), block.weight(r));
    found.scaled_rows.add(block.y[r] * rows.unit() + rows.shift(), carrying.scaled(mean), block.weight(r));
  }
  return found;
}

std::vector<double> left_out_losses(const GrowingRows& rows, const Stage& stage) {
  const RowBlock& block = rows.deciding();
  const RowBlock& merged = rows.growing().rows;
  std::vector<double> predictions;
  for (std::size_t r = 0; r < merged.rows(); ++r) predictions.push_back(merged.y[r] - stage.loo_residuals[r]);
  predictions = spread_to_rows(predictions, rows);
  const CarriedBack carrying(rows, block);
  const std::vector<double> eta = carrying.eta_of(predictions);
  const MeanShift shift = carrying.shift_of(eta);
  const Range limits = carrying.limits();
  std::vector<double> losses;
  for (std::size_t r = 0; r < block.rows(); ++r)
    losses.push_back(
        std::pow(carrying.target(r) - carrying.in_unit(carrying.carried(shift, eta[r], limits)), 2));
  return losses;
}

ScaleChoice choose_candidate(std::span<const GrowingRows* const> rows,
                             std::span<const UnseenPredictions* const> all_unseen) {
  const JudgedRows judged = all_unseen.front()->rows();
  std::vector<CandidatesOnScale> scales;
  for (const UnseenPredictions* unseen : all_unseen)
    scales.push_back({unseen->predictions, unseen->competing, unseen->sizes});
  Judgement judgement = judge(scales, judged);
  const UnseenPredictions& chosen = *all_unseen[judgement.scale];
  ScaleChoice choice{judgement.scale, {}};
  Refereed& refereed = choice.refereed;
  refereed.chosen = judgement.chosen;
  refereed.mean_losses = std::move(judgement.mean_losses);
  refereed.loss_errors = std::move(judgement.loss_errors);
  for (std::size_t k = 0; k < chosen.competing.size(); ++k)
    if (!(k == 0 ? all_unseen.front() : &chosen)->competing[k])
      refereed.mean_losses[k] = refereed.loss_errors[k] = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t r = 0; r < judged.target.size(); ++r)
    refereed.rows.add(judged.target[r], judged.response->mean(judgement.predictions[r]), judged.weights[r]);
  const Accuracy errors = accuracy_of(refereed.rows, *judged.response);
  refereed.accuracy = chosen.accuracy;
  refereed.accuracy.rows = errors.rows;
  refereed.accuracy.rmse = errors.rmse;
  refereed.accuracy.mae = errors.mae;
  refereed.accuracy.r2 = errors.r2;
  refereed.accuracy.gross_errors = errors.gross_errors;
  refereed.accuracy.family = errors.family;
  refereed.accuracy.signal_score = judgement.signal / score_unit;
  if (chosen.etas.empty()) return choice;
  const GrowingRows& own = *rows[judgement.scale];
  const RowBlock& block = chosen.accuracy.how == AccuracySource::folds ? own.deciding() : own.unseen();
  const CarriedBack carrying(own, block);
  refereed.mean_shift = carrying.shift_of(chosen.etas[*refereed.chosen]);
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double mean = chosen.means[judgement.chosen_without[chosen.folds[r]]][r];
    refereed.scaled_rows.add(block.y[r] * own.unit() + own.shift(), carrying.scaled(mean), block.weight(r));
  }
  return choice;
}

void check_groups(const GrowingRows& rows, int folds) {
  if (!rows.grouped()) return;
  if (folds == 1)
    throw Error(ErrorCode::invalid_argument, "groups_without_referee",
                "Groups are left out by the referee, and one fold means that there is none.");
  const std::size_t groups = group_count(rows.deciding()) + group_count(rows.unseen());
  if (groups < fewest_groups)
    throw Error(ErrorCode::invalid_data, "too_few_groups",
                groups == 1 ? "There is {groups} group in {rows} rows. To leave whole groups out, at least "
                              "{least} are needed."
                            : "There are {groups} groups in {rows} rows. To leave whole groups out, at least "
                              "{least} are needed.",
                {{"groups", groups},
                 {"rows", rows.deciding().rows() + rows.unseen().rows()},
                 {"least", fewest_groups}});
}

std::optional<UnseenPredictions> predict_unseen_rows(const GrowingRows& rows, const GrowOptions& options,
                                                     const Growth& growth, const RefereeSettings& settings) {
  if (settings.folds == 1) return std::nullopt;
  GrowingData data = rows.growing();
  data.extrapolation = settings.outside;
  data.limited = settings.limited;
  // Few groups outside the sample cannot judge; then those inside are left out in turn.
  const bool enough_unseen = !rows.grouped() || group_count(rows.unseen()) >= fewest_groups;
  const auto with_sizes = [&](UnseenPredictions unseen) {
    if (settings.simplest) unseen.sizes = sizes_of(growth);
    return unseen;
  };
  if (!rows.complete() && enough_unseen) return with_sizes(by_unseen_rows(rows, data, options, growth));
  const RowBlock& block = data.rows;
  std::size_t counting = 0;  // equal rows are merged
  for (std::size_t r = 0; r < block.rows(); ++r) counting += block.weight(r) > 0 ? 1 : 0;
  const std::size_t units = rows.grouped() ? group_count(block) : counting;
  if (units < (rows.grouped() ? fewest_groups : fewest_units)) return std::nullopt;
  const std::size_t wanted =
      settings.folds > 1 ? static_cast<std::size_t>(settings.folds) : fold_count(counting);
  return with_sizes(by_folds(rows, data, options, growth, std::min(wanted, units)));
}

}  // namespace kore

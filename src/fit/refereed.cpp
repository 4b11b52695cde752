#include "fit/refereed.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "kore/error.hpp"
#include "response/robust.hpp"

namespace kore {
namespace {

constexpr std::size_t fewest_units = 6;  // fewer cannot be cut into folds that tell anything
constexpr std::size_t fewest_groups = 5;
constexpr std::size_t choice_parts = 5;  // of unseen rows: the choice is repeated without each
constexpr double score_unit = 1.96;      // standard errors

Refereed result_of(Judgement judgement, const JudgedRows& rows, const std::vector<bool>& competing) {
  Refereed refereed;
  refereed.chosen = judgement.chosen;
  refereed.mean_losses = std::move(judgement.mean_losses);
  for (std::size_t k = 0; k < competing.size(); ++k)
    if (!competing[k]) refereed.mean_losses[k] = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t r = 0; r < rows.target.size(); ++r)
    refereed.rows.add(rows.target[r], judgement.predictions[r], rows.weights[r]);
  refereed.accuracy = accuracy_of(refereed.rows);
  refereed.accuracy.signal_score = judgement.signal / score_unit;
  return refereed;
}

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
std::shared_ptr<const Response> judging_response(const GrowingRows& rows, const GrowingData& data) {
  if (rows.noise_scale() > 0) return response_with("robust", rows.noise_scale());
  return {data.response, [](const Response*) {}};
}

Refereed by_folds(const GrowingRows& rows, const GrowingData& data, const GrowOptions& options,
                  const Growth& growth, std::size_t folds) {
  const std::vector<std::uint64_t> units = units_of(data.rows);
  const std::vector<std::size_t> fold_of = folds_of(units, data.rows.weights, folds);
  const GrowOptions own_options = options_of_folds(options, growth);
  LeftOut left_out = leave_folds_out(data, own_options, fold_of);
  for (std::vector<double>& predictions : left_out) predictions = spread_to_rows(predictions, rows);
  const std::vector<std::uint64_t> row_units = spread_to_rows(units, rows);
  const std::vector<std::size_t> row_folds = spread_to_rows(fold_of, rows);
  const std::shared_ptr<const Response> response = judging_response(rows, data);
  const JudgedRows judged{response.get(), rows.deciding().y, rows.deciding().weights, row_units, row_folds};
  std::vector<bool> competing = competitors(growth, own_options);
  if (almost_noise_free(growth.stages[growth.chosen].loo(), data))
    competing = without_rivals(std::move(competing), growth.stages[growth.chosen]);
  Refereed refereed = result_of(judge(left_out, judged, competing), judged, competing);
  refereed.accuracy.how = AccuracySource::folds;
  refereed.accuracy.folds = folds;
  refereed.accuracy.groups = group_count(data.rows);
  return refereed;
}

Refereed by_unseen_rows(const GrowingRows& rows, const GrowingData& data, const GrowOptions& options,
                        const Growth& growth) {
  const LeftOut left_out = predict_unseen(data, growth, rows.unseen().x);
  const std::vector<std::uint64_t> units = units_of(rows.unseen());
  const std::vector<std::size_t> parts = folds_of(units, rows.unseen().weights, choice_parts);
  const std::shared_ptr<const Response> response = judging_response(rows, data);
  const JudgedRows judged{response.get(), rows.unseen().y, rows.unseen().weights, units, parts};
  const std::vector<bool> competing = competitors(growth, options);
  Refereed refereed = result_of(judge(left_out, judged, competing), judged, competing);
  refereed.accuracy.how = AccuracySource::unseen_rows;
  refereed.accuracy.groups = group_count(rows.unseen());
  return refereed;
}

}  // namespace

HeldOut left_out_of(const Smoother& fit, const RowBlock& rows, int threads, const RowCounts& fitted_counts) {
  std::vector<double> residuals(rows.rows());
  fit.press({rows.x, rows.y, fitted_counts, rows.groups}, threads, {residuals, {}, {}});
  HeldOut held_out;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    held_out.add(rows.y[r], rows.y[r] - residuals[r], rows.weight(r));
  return held_out;
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

Refereed referee(const GrowingRows& rows, const GrowOptions& options, const Growth& growth, int folds,
                 Extrapolation outside, bool limited) {
  if (folds == 1) return {};
  GrowingData data = rows.growing();
  data.extrapolation = outside;
  data.limited = limited;
  // Few groups outside the sample cannot judge; then those inside are left out in turn.
  const bool enough_unseen = !rows.grouped() || group_count(rows.unseen()) >= fewest_groups;
  if (!rows.complete() && enough_unseen) return by_unseen_rows(rows, data, options, growth);
  const RowBlock& block = data.rows;
  std::size_t counting = 0;  // equal rows are merged
  for (std::size_t r = 0; r < block.rows(); ++r) counting += block.weight(r) > 0 ? 1 : 0;
  const std::size_t units = rows.grouped() ? group_count(block) : counting;
  if (units < (rows.grouped() ? fewest_groups : fewest_units)) return {};
  const std::size_t wanted = folds > 1 ? static_cast<std::size_t>(folds) : fold_count(counting);
  return by_folds(rows, data, options, growth, std::min(wanted, units));
}

}  // namespace kore

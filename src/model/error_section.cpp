#include "model/error_section.hpp"

#include <algorithm>
#include <cmath>

#include "kore/error.hpp"

namespace kore {
namespace {

[[noreturn]] void refuse(std::string_view part) {
  throw Error(ErrorCode::corrupt_file, "inconsistent_errors",
              "The KORE model is inconsistent: its {part} cannot be those of left-out rows.",
              {{"part", part}});
}

void write(ByteWriter& out, const Accuracy& accuracy) {
  out.u8(static_cast<std::uint8_t>(accuracy.how));
  out.u64(accuracy.rows);
  out.u64(accuracy.folds);
  for (const double value : {accuracy.rmse, accuracy.mae, accuracy.r2, accuracy.signal_score}) out.f64(value);
}

Accuracy read_accuracy(ByteReader& in) {
  Accuracy accuracy;
  const std::uint8_t how = in.u8();
  if (how > static_cast<std::uint8_t>(AccuracySource::leave_one_out)) refuse("accuracy");
  accuracy.how = static_cast<AccuracySource>(how);
  accuracy.rows = in.u64();
  accuracy.folds = in.u64();
  for (double* value : {&accuracy.rmse, &accuracy.mae, &accuracy.r2, &accuracy.signal_score})
    *value = in.f64();
  if (!(accuracy.rmse >= 0 && accuracy.mae >= 0)) refuse("accuracy");
  return accuracy;
}

void check(const ResidualSpread& spread) {
  const bool rising = std::ranges::is_sorted(spread.predictions, std::ranges::less_equal{});
  const bool finite = std::ranges::all_of(spread.predictions, [](double x) { return std::isfinite(x); });
  const bool positive =
      std::ranges::all_of(spread.scales, [](double scale) { return std::isfinite(scale) && scale > 0; });
  if (spread.predictions.size() != spread.scales.size() || !rising || !finite || !positive) refuse("spread");
}

}  // namespace

void write_errors(ByteWriter& out, const Model& model) {
  const FitSummary& summary = model.summary;
  out.u8(summary.accuracy ? 1 : 0);
  if (summary.accuracy) write(out, *summary.accuracy);
  out.u64(summary.equal_rows);
  out.f64s(model.residual_spread.predictions);
  out.f64s(model.residual_spread.scales);
  std::vector<double> stages;
  for (const StageSummary& stage : summary.stages) {
    stages.push_back(stage.unseen_loss);
    stages.push_back(stage.shrinkage);
  }
  out.f64s(stages);
  out.u64(summary.accuracy ? summary.accuracy->groups : 0);
  out.u64(summary.weighted_rows);
}

void read_errors(ByteReader& in, Model& model) {
  FitSummary& summary = model.summary;
  if (in.u8() != 0) summary.accuracy = read_accuracy(in);
  summary.equal_rows = in.u64();
  model.residual_spread.predictions = in.f64s();
  model.residual_spread.scales = in.f64s();
  check(model.residual_spread);
  const std::vector<double> stages = in.f64s();
  if (stages.size() != 2 * summary.stages.size()) refuse("stages");
  for (std::size_t i = 0; i < summary.stages.size(); ++i) {
    summary.stages[i].unseen_loss = stages[2 * i];
    summary.stages[i].shrinkage = stages[2 * i + 1];
  }
  if (in.at_end()) return;  // written before there were groups
  const std::uint64_t groups = in.u64();
  if (summary.accuracy) summary.accuracy->groups = groups;
  summary.weighted_rows = in.u64();
}

bool needs_robust_section(const FitSummary& summary) {
  return summary.robust || (summary.accuracy && summary.accuracy->gross_errors > 0);
}

void write_robust(ByteWriter& out, const FitSummary& summary) {
  out.u64(summary.accuracy ? summary.accuracy->gross_errors : 0);
  out.u8(summary.robust ? 1 : 0);
  if (!summary.robust) return;
  out.f64(summary.robust->scale);
  out.u64(summary.robust->rows);
  out.u64(summary.robust->discounted);
  out.f64(summary.robust->r2);
  out.u8(summary.robust->settled ? 1 : 0);
}

void read_robust(ByteReader& in, FitSummary& summary) {
  const std::uint64_t gross_errors = in.u64();
  if (summary.accuracy) summary.accuracy->gross_errors = gross_errors;
  if (in.u8() == 0) return;
  RobustFit& robust = summary.robust.emplace();
  robust.scale = in.f64();
  robust.rows = in.u64();
  robust.discounted = in.u64();
  robust.r2 = in.f64();
  robust.settled = in.u8() != 0;
  if (!(robust.scale > 0 && std::isfinite(robust.scale)) || robust.discounted > robust.rows ||
      std::isnan(robust.r2))
    refuse("robust scale");
}

}  // namespace kore

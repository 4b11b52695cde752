#include "model/outside_section.hpp"

#include <algorithm>
#include <cmath>

#include "kore/error.hpp"
#include "model/check.hpp"

namespace kore {
namespace {

[[noreturn]] void refuse(std::string_view part) {
  throw Error(ErrorCode::corrupt_file, "inconsistent_outside",
              "The KORE model is inconsistent: its {part} do not belong to its features or stages.",
              {{"part", part}});
}

InfluentialRow read_row(ByteReader& in, std::size_t features) {
  InfluentialRow row;
  row.row = in.u64();
  row.leverage = in.f64();
  row.features.resize(in.count(8));
  for (std::size_t& feature : row.features) {
    feature = in.u64();
    if (feature >= features) refuse("influential rows");
  }
  row.values = in.f64s();
  if (row.values.size() != row.features.size()) refuse("influential rows");
  return row;
}

}  // namespace

void write_outside(ByteWriter& out, const Model& model) {
  const FitSummary& summary = model.summary;
  out.f64s(model.widening_rates);
  std::vector<double> losses;
  for (const StageSummary& stage : summary.stages) losses.push_back(stage.all_rows_loo);
  out.f64s(losses);
  out.u64(summary.influential_count);
  out.u64(summary.influential_rows.size());
  for (const InfluentialRow& row : summary.influential_rows) {
    out.u64(row.row);
    out.f64(row.leverage);
    out.u64(row.features.size());
    for (const std::size_t feature : row.features) out.u64(feature);
    out.f64s(row.values);
  }
}

void read_outside(ByteReader& in, Model& model) {
  FitSummary& summary = model.summary;
  const std::size_t features = model.design.features().size();
  model.widening_rates = in.f64s();
  const bool known = model.widening_rates.empty() || model.widening_rates.size() == features;
  if (!known || !std::ranges::all_of(model.widening_rates,
                                     [](double rate) { return std::isfinite(rate) && rate >= 0; }))
    refuse("widening rates");
  const std::vector<double> losses = in.f64s();
  if (losses.size() != summary.stages.size()) refuse("errors on all rows");
  for (std::size_t i = 0; i < losses.size(); ++i) summary.stages[i].all_rows_loo = losses[i];
  summary.influential_count = in.u64();
  const std::size_t rows = in.count(32);
  for (std::size_t i = 0; i < rows; ++i) summary.influential_rows.push_back(read_row(in, features));
}

void read_limits(ByteReader& in, Range& limits) {
  limits.lowest = in.f64();
  limits.highest = in.f64();
  require_of_model(limits.lowest <= limits.highest, "limits", "are not those of predictions");
}

}  // namespace kore

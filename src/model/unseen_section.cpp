#include "model/unseen_section.hpp"

#include <array>
#include <cmath>

#include "model/check.hpp"

namespace kore {
namespace {

constexpr std::size_t numbers_of_group = 7;

std::array<double PredictionGroup::*, numbers_of_group> fields() {
  using G = PredictionGroup;
  return {&G::weight, &G::predicted, &G::observed, &G::low, &G::high, &G::rmse, &G::covered};
}

bool can_be(const PredictionGroup& group) {
  const bool finite = std::isfinite(group.weight) && std::isfinite(group.predicted) &&
                      std::isfinite(group.observed) && std::isfinite(group.rmse);
  const bool covered = std::isnan(group.covered) || (group.covered >= 0 && group.covered <= 1);
  return finite && covered && group.weight > 0 && group.low <= group.high && group.rmse >= 0;
}

}  // namespace

void write_unseen(ByteWriter& out, const FitSummary& summary) {
  const std::vector<PredictionGroup> groups =
      summary.accuracy ? summary.accuracy->by_prediction : std::vector<PredictionGroup>{};
  out.u64(groups.size());
  for (const PredictionGroup& group : groups)
    for (const auto field : fields()) out.f64(group.*field);
  std::vector<double> errors;
  for (const StageSummary& stage : summary.stages) errors.push_back(stage.unseen_error);
  out.f64s(errors);
  for (const StageSummary& stage : summary.stages) out.u8(stage.few_terms ? 1 : 0);
  out.u8(summary.simplest ? 1 : 0);
  out.u64(summary.max_terms);
  out.u8(summary.accuracy && summary.accuracy->terms_stay ? 1 : 0);
}

void read_unseen(ByteReader& in, FitSummary& summary) {
  const std::size_t count = in.count(numbers_of_group * sizeof(double));
  require_of_model(count == 0 || summary.accuracy.has_value(), "groups of predictions", "have no accuracy");
  for (std::size_t g = 0; g < count; ++g) {
    PredictionGroup group;
    for (const auto field : fields()) group.*field = in.f64();
    require_of_model(can_be(group), "groups of predictions", "cannot be those of left-out rows");
    summary.accuracy->by_prediction.push_back(group);
  }
  const std::vector<double> errors = in.f64s();
  require_of_model(errors.size() == summary.stages.size(), "standard errors of stages",
                   "do not belong to its stages");
  for (std::size_t i = 0; i < errors.size(); ++i) summary.stages[i].unseen_error = errors[i];
  for (StageSummary& stage : summary.stages) stage.few_terms = in.u8() != 0;
  summary.simplest = in.u8() != 0;
  summary.max_terms = in.u64();
  const bool terms_stay = in.u8() != 0;
  require_of_model(!terms_stay || (summary.accuracy && summary.accuracy->folds > 0), "terms that stay",
                   "need an accuracy of folds");
  if (summary.accuracy) summary.accuracy->terms_stay = terms_stay;
}

}  // namespace kore

#include "story/compare.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/parallel.hpp"
#include "kore/ladder.hpp"

namespace kore::story {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

LadderOptions ladder_options(const CompareOptions& comparison, const Options& options) {
  LadderOptions ladder;
  ladder.degree = options.degree;
  ladder.max_resolution_additive = options.max_resolution_additive;
  ladder.max_resolution_pairwise = options.max_resolution_pairwise;
  ladder.stability = options.stability;
  ladder.ridge = options.ridge;
  ladder.relative_ridge = options.relative_ridge;
  ladder.max_columns = options.max_columns;
  ladder.kinds = options.kinds;
  ladder.levels = options.levels;
  ladder.folds = comparison.folds;
  ladder.seed = comparison.seed;
  ladder.threads = resolve_threads(options.threads);
  return ladder;
}

std::string criterion_name(const std::string& method) {
  return method == "cp" ? "Cp" : method == "gcv" ? "GCV" : method == "aic" ? "AIC" : "BIC";
}

}  // namespace

std::vector<ComparedMethod> compare_methods(const RowBlock& rows, Options options, const Names& names,
                                            const CompareOptions& comparison,
                                            const std::function<void(const std::string&)>& stage) {
  options.intervals = false;
  const MemorySource source(rows.x, rows.y, rows.weights);
  auto start = std::chrono::steady_clock::now();
  const Model model = fit(source, options, names);
  const FitSummary& summary = model.summary;
  std::vector<ComparedMethod> table{{"KORE", summary.structure, summary.resolution, summary.fits,
                                     seconds_since(start), summary.loo, "leave-one-out MSE"}};
  // The same pairs compete everywhere: selectors are compared, not graphs.
  const LadderOptions ladder = ladder_options(comparison, options);
  stage("criteria");
  start = std::chrono::steady_clock::now();
  const std::vector<LadderChoice> criteria =
      criteria_ladder(source, model.design.features(), summary.pairs, ladder);
  const double criteria_seconds = seconds_since(start);
  stage("cross-validation");
  start = std::chrono::steady_clock::now();
  const LadderChoice cv = cross_validate(rows, summary.pairs, ladder);
  table.push_back({fmt::format("{}-fold CV", comparison.folds), cv.family, cv.resolution, cv.fits,
                   seconds_since(start), cv.score, "mean test MSE"});
  for (const LadderChoice& choice : criteria) {
    const std::string name = criterion_name(choice.method);
    table.push_back(
        {name, choice.family, choice.resolution, choice.fits, criteria_seconds, choice.score, name});
  }
  return table;
}

Json comparison_json(const std::vector<ComparedMethod>& table) {
  Json json = Json::array();
  for (const ComparedMethod& row : table)
    json.push_back({{"method", row.method},
                    {"structure", to_string(row.structure)},
                    {"G", row.resolution},
                    {"fits", row.fits},
                    {"seconds", number(row.seconds)},
                    {"score", number(row.score)},
                    {"score_meaning", row.meaning}});
  return json;
}

}  // namespace kore::story

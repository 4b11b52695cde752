#include "story/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// What a user has changed of one profile, changed of another.
Options in_profile(const Options& from, Options profile) {
  const Options own = from.penalise ? Options{} : Options::paper();
  const auto carry = [&](auto Options::*option) {
    if (from.*option != own.*option) profile.*option = from.*option;
  };
  carry(&Options::degree);
  carry(&Options::family);
  carry(&Options::pair_choice);
  carry(&Options::max_resolution_additive);
  carry(&Options::max_resolution_pairwise);
  profile.pairs = from.pairs;
  profile.ranges = from.ranges;
  profile.kinds = from.kinds;
  profile.levels = from.levels;
  profile.memory_budget = from.memory_budget;
  profile.threads = from.threads;
  profile.progress = from.progress;
  profile.intervals = false;
  return profile;
}

Options paper_beside(const Options& options) {
  Options paper = in_profile(options, Options::paper());
  // What is affordable for one is so for the other; who asks for the paper profile has no limit.
  paper.max_columns = options.max_columns;
  // Levels of a category add up to a constant, also where the first feature has them.
  if (std::ranges::find(paper.kinds, FeatureKind::category) != paper.kinds.end())
    paper.additive_parametrisation = Parametrisation::centred;
  return paper;
}

ComparedMethod compared(const std::string& method, const FitSummary& summary, double seconds) {
  return {method,  summary.structure, summary.resolution, summary.fits,
          seconds, summary.loo,       "leave-one-out MSE"};
}

std::string criterion_name(const std::string& method) {
  return method == "cp" ? "Cp" : method == "gcv" ? "GCV" : method == "aic" ? "AIC" : "BIC";
}

}  // namespace

std::vector<ComparedMethod> compare_methods(const RowBlock& rows, Options options, const Names& names,
                                            const CompareOptions& comparison,
                                            const std::function<void(const std::string&)>& stage) {
  const MemorySource source(rows.x, rows.y, rows.weights);
  options.intervals = false;
  const Options standard = options.penalise ? options : in_profile(options, Options{});
  const Options paper = options.penalise ? paper_beside(options) : options;
  auto start = std::chrono::steady_clock::now();
  std::vector<ComparedMethod> table{compared("KORE default", fit(source, standard, names).summary, 0)};
  table.back().seconds = seconds_since(start);
  start = std::chrono::steady_clock::now();
  const Model model = fit(source, paper, names);
  const FitSummary& summary = model.summary;
  table.push_back(compared("KORE paper", summary, seconds_since(start)));
  // The same pairs compete everywhere: selectors are compared, not graphs.
  const LadderOptions ladder = ladder_options(comparison, paper);
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

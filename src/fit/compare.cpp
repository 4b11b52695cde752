#include "fit/compare.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/ladder.hpp"

namespace kore {
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

/// In the paper's encoding every level of a category is a feature, so categories can make the models too
/// large to search.
void require_affordable(const Contender& paper, std::size_t max_columns) {
  const std::size_t least = 1 + paper.rows.x.columns() * static_cast<std::size_t>(paper.options.degree);
  if (max_columns > 0 && least > max_columns)
    throw Error(ErrorCode::invalid_argument, "published_method_too_large",
                "The published method has {features} features here, every level of a category being one, and "
                "so more columns than the limit of {limit} even at resolution 1.",
                {{"features", paper.rows.x.columns()}, {"limit", max_columns}});
}

/// Leave-one-out and shuffled folds take rows one by one: scores of methods that leave groups out and of
/// those that do not would not be comparable.
void refuse_groups(const Contender& contender) {
  if (!contender.rows.groups.empty())
    throw Error(ErrorCode::invalid_argument, "comparison_of_groups",
                "A comparison leaves rows out one by one and cannot leave whole groups out.");
}

/// The leave-one-out error in units of the target, on whatever scale the model was fitted.
double own_loo(const Contender& contender, const Model& model) {
  if (model.target_scale == TargetScale::identity) return model.summary.loo;
  const RowBlock& rows = contender.rows;
  const std::vector<double> residuals =
      loo_residuals(MemorySource(rows.x, rows.y, rows.weights), model, contender.options.threads);
  double squares = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) squares += rows.weight(r) * residuals[r] * residuals[r];
  return squares / model.summary.weight_sum;
}

Model timed_fit(const Contender& contender, double& seconds) {
  const auto start = std::chrono::steady_clock::now();
  const RowBlock& rows = contender.rows;
  Model model = fit(MemorySource(rows.x, rows.y, rows.weights), contender.options, contender.names);
  seconds = seconds_since(start);
  model.summary.loo = own_loo(contender, model);
  return model;
}

ComparedMethod compared(const std::string& method, const FitSummary& summary, double seconds) {
  return {method,  summary.structure, summary.resolution, summary.fits,
          seconds, summary.loo,       "leave-one-out MSE"};
}

std::string criterion_name(const std::string& method) {
  return method == "cp" ? "Cp" : method == "gcv" ? "GCV" : method == "aic" ? "AIC" : "BIC";
}

}  // namespace

std::vector<ComparedMethod> compare_methods(Contender standard, Contender paper,
                                            const CompareOptions& comparison,
                                            const std::function<void(const std::string&)>& stage) {
  refuse_groups(standard);
  refuse_groups(paper);
  require_affordable(paper, comparison.max_columns);
  standard.options.intervals = false;
  paper.options.intervals = false;
  paper.options.max_columns = comparison.max_columns;
  double seconds = 0;
  const FitSummary grown = timed_fit(standard, seconds).summary;
  std::vector<ComparedMethod> table{compared("KORE default", grown, seconds)};
  const Model model = timed_fit(paper, seconds);
  const FitSummary& summary = model.summary;
  table.push_back(compared("KORE paper", summary, seconds));
  // All methods get the same pairs, because the selectors are compared and not the screening.
  const LadderOptions ladder = ladder_options(comparison, paper.options);
  const RowBlock& rows = paper.rows;
  const MemorySource source(rows.x, rows.y, rows.weights);
  stage("criteria");
  auto start = std::chrono::steady_clock::now();
  const std::vector<LadderChoice> criteria =
      criteria_ladder(source, model.design.features(), summary.pairs, ladder);
  const double criteria_seconds = seconds_since(start);
  stage("cross-validation");
  start = std::chrono::steady_clock::now();
  const LadderChoice cv = cross_validate(rows, summary.pairs, ladder);
  table.push_back({fmt::format("{}-fold CV", comparison.folds), cv.structure, cv.resolution, cv.fits,
                   seconds_since(start), cv.score, "mean test MSE"});
  for (const LadderChoice& choice : criteria) {
    const std::string name = criterion_name(choice.method);
    table.push_back(
        {name, choice.structure, choice.resolution, choice.fits, criteria_seconds, choice.score, name});
  }
  return table;
}

}  // namespace kore

#include "experiments/rivals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/number_text.hpp"
#include "kore/ladder.hpp"

namespace kore::experiments {
namespace {

constexpr int last_additive = 20;
constexpr int last_pairwise = 10;

std::vector<Rival> looked_at(const Problem& problem, int threads) {
  const KoreRun kore = run_kore(problem, paper_options(problem.pairs, threads));
  std::vector<Rival> rivals;
  const auto add = [&](const std::optional<Selection>& selection, Structure structure) {
    if (selection)
      for (const auto& [resolution, fit] : selection->curve)
        rivals.push_back({structure, resolution, fit.loo});
  };
  add(kore.summary.additive, Structure::additive);
  add(kore.summary.pairwise, Structure::pairwise);
  return rivals;
}

LadderOptions only(int resolution, std::uint64_t fold_seed, int threads) {
  LadderOptions options;
  options.lowest = options.max_resolution_additive = options.max_resolution_pairwise = resolution;
  options.seed = static_cast<std::uint32_t>(fold_seed);
  options.threads = threads;
  return options;
}

/// Every candidate by itself. A pairwise one is scored beside the additive one of the same resolution, and is
/// no rival where that is better.
std::vector<Rival> cross_validated(const Problem& problem, std::uint64_t fold_seed, int threads) {
  const MemorySource source(problem.train(), problem.data.y_train);
  std::vector<Rival> rivals;
  for (int g = 1; g <= last_additive; ++g) {
    const LadderChoice alone = cross_validate(source.block(), {}, only(g, fold_seed, threads));
    rivals.push_back({Structure::additive, g, alone.score});
    if (g > last_pairwise || problem.pairs.empty()) continue;
    const LadderChoice both = cross_validate(source.block(), problem.pairs, only(g, fold_seed, threads));
    if (both.structure == Structure::pairwise) rivals.push_back({Structure::pairwise, g, both.score});
  }
  return rivals;
}

std::vector<Rival> scored(const Problem& problem, const std::string& criterion, int threads) {
  const MemorySource source(problem.train(), problem.data.y_train);
  const std::vector<Feature> features = features_of(problem);
  const auto score = [&](std::span<const Pair> pairs, int g) {
    const std::vector<LadderChoice> choices = criteria_ladder(source, features, pairs, only(g, 0, threads));
    return *std::ranges::find(choices, criterion, &LadderChoice::method);
  };
  std::vector<Rival> rivals;
  for (int g = 1; g <= last_additive; ++g) {
    rivals.push_back({Structure::additive, g, score({}, g).score});
    if (g > last_pairwise || problem.pairs.empty()) continue;
    const LadderChoice both = score(problem.pairs, g);
    if (both.structure == Structure::pairwise) rivals.push_back({Structure::pairwise, g, both.score});
  }
  return rivals;
}

std::string shown(const Rival& rival) {
  return std::string(to_string(rival.structure)) + " " + std::to_string(rival.resolution) + " (" +
         number_text(rival.score) + ")";
}

}  // namespace

std::vector<Rival> ranked_candidates(const Problem& problem, const std::string& method,
                                     std::uint64_t fold_seed, int threads) {
  // Cp takes its noise level from GCV's choice, and in these experiments ranks the candidates near it as GCV
  // does.
  std::vector<Rival> rivals = method == "kore" ? looked_at(problem, threads)
                              : method == "cv" ? cross_validated(problem, fold_seed, threads)
                                               : scored(problem, method == "cp" ? "gcv" : method, threads);
  std::ranges::stable_sort(rivals, {}, &Rival::score);
  return rivals;
}

double lead(const std::vector<Rival>& ranked) {
  if (ranked.size() < 2) return std::numeric_limits<double>::infinity();
  return std::abs(ranked[1].score - ranked[0].score) / std::abs(ranked[0].score);
}

std::string describe_lead(const std::vector<Rival>& ranked) {
  if (ranked.empty()) return "no candidates";
  if (ranked.size() == 1) return shown(ranked[0]) + " alone";
  return shown(ranked[0]) + " and " + shown(ranked[1]) + ", " + number_text(lead(ranked)) + " apart";
}

}  // namespace kore::experiments

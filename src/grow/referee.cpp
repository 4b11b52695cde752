#include "grow/referee.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <thread>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "grow/choice.hpp"
#include "grow/own_rows.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

constexpr std::array<double, 3> shrinkages{3, 10, 30};
// Effective parameters per row that a candidate may have. Beyond it the fit passes through most rows, and the
// noise that its weights were solved with is what little is left.
constexpr double most_parameters = 0.75;
constexpr std::size_t few_rows = 900;

// Solved weights come first: more shrinkage has to be worth it.
constexpr std::array all_candidates{Candidate{StageKind::constant},
                                    Candidate{StageKind::one_term},
                                    Candidate{StageKind::two_terms},
                                    Candidate{StageKind::three_terms},
                                    Candidate{StageKind::five_terms},
                                    Candidate{StageKind::eight_terms},
                                    Candidate{StageKind::thirteen_terms},
                                    Candidate{StageKind::lines},
                                    Candidate{StageKind::lines, shrinkages[1]},
                                    Candidate{StageKind::main_effects},
                                    Candidate{StageKind::main_effects, shrinkages[0]},
                                    Candidate{StageKind::main_effects, shrinkages[1]},
                                    Candidate{StageKind::unpenalised_main_effects},
                                    Candidate{StageKind::value_effects},
                                    Candidate{StageKind::certain_pairs},
                                    Candidate{StageKind::pairs},
                                    Candidate{StageKind::pairs, shrinkages[0]},
                                    Candidate{StageKind::pairs, shrinkages[1]},
                                    Candidate{StageKind::pairs, shrinkages[2]},
                                    Candidate{StageKind::unpenalised_pairs},
                                    Candidate{StageKind::triples},
                                    Candidate{StageKind::triples, shrinkages[0]},
                                    Candidate{StageKind::triples, shrinkages[1]},
                                    Candidate{StageKind::triples, shrinkages[2]}};

/// The ranges that these rows have. The levels of a category are no range, and a period is given.
std::vector<Feature> with_ranges_of(const RowBlock& rows, std::vector<Feature> features) {
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (features[j].kind == FeatureKind::category || features[j].cyclic) continue;
    bool first = true;
    Range& range = features[j].range;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (rows.weight(r) == 0) continue;
      const double value = rows.x(r, j);
      range =
          first ? Range{value, value} : Range{std::min(range.lowest, value), std::max(range.highest, value)};
      first = false;
    }
  }
  return features;
}

/// What grows from other rows with the same options, on one thread.
GrowingData with_rows(const GrowingData& data, const RowBlock& rows, PhaseTimes* phases) {
  const PhaseTimer timer(phases, "coordinates");
  GrowingData other = data;
  other.phases = phases;
  other.rows = rows;
  other.within_squares *= weight_sum_of(rows) / weight_sum_of(data.rows);
  other.threads = 1;
  other.predictor.reset();
  if (!data.response->fits_in_one_step()) other.constant_predictor = constant_of(*data.response, rows);
  std::vector<Feature> features = data.given_features;
  if (data.ranges == RangesOf::rows) features = with_ranges_of(rows, std::move(features));
  other.coordinates =
      coordinates_of(std::move(features), rows, data.ranges, other.threads, data.max_resolutions);
  other.features = features_of(other.coordinates);
  return other;
}

bool can_grow(const GrowingData& data) {
  const bool varies = std::ranges::any_of(data.coordinates, [](const Coordinate& c) { return c.finest > 0; });
  return varies && std::ranges::any_of(data.rows.y, [&](double y) { return y != data.rows.y[0]; });
}

/// The stage of this kind, or the richest simpler one with penalties; null where only the constant is left.
const Stage* stage_at_most(const Growth& growth, StageKind kind) {
  if (kind == StageKind::constant) return nullptr;
  if (const Stage* own = stage_of(growth, kind)) return own;
  const Stage* best = nullptr;
  for (const Stage& stage : growth.stages)
    if (!stage.penalties.empty() && stage.kind < kind && (best == nullptr || stage.kind > best->kind))
      best = &stage;
  return best;
}

void evaluate(const GrowingData& data, const FittedFunction& fit, const MatrixView& x,
              std::span<double> predictions) {
  evaluate_rows(fit.design, fit.intercept, fit.coefficients, data.extrapolation, x, predictions,
                data.threads);
}

/// Whether a fit without penalties is better than any with them, by leave-one-out on all rows.
bool may_do_without_penalties(const Growth& whole, StageKind kind) {
  const Stage* own = stage_of(whole, kind);
  return own != nullptr && std::ranges::none_of(whole.stages, [&](const Stage& stage) {
           return !stage.penalties.empty() && stage.order() <= own->order() && stage.loo() <= own->loo();
         });
}

/// The most features in one term that may win against simpler models: a richer one must be better by
/// leave-one-out and its price, which is about what leave-one-out flatters it by.
std::size_t order_that_may_win(const Growth& whole) {
  const auto loss_of = [&](const Stage& stage) { return stage.loo() + price_of(stage); };
  double best = loss_of(*stage_of(whole, StageKind::main_effects));
  if (const Stage* lines = stage_of(whole, StageKind::lines)) best = std::min(best, loss_of(*lines));
  std::size_t order = 1;
  for (const StageKind kind : {StageKind::certain_pairs, StageKind::pairs, StageKind::triples}) {
    const Stage* stage = stage_of(whole, kind);
    if (stage == nullptr || !(loss_of(*stage) < best)) continue;
    best = loss_of(*stage);
    order = stage->order();
  }
  return order;
}

}  // namespace

std::span<const Candidate> candidates() { return all_candidates; }

GrowOptions options_of_folds(const GrowOptions& options, const Growth& whole, std::size_t rows) {
  GrowOptions folds = options;
  folds.progress = options.fold_progress;
  // Effects of single values, certain pairs and refinements that lost on all rows are not tried again; what
  // won is tried again without the rows of the fold.
  folds.value_effects = stage_of(whole, StageKind::value_effects) != nullptr;
  folds.certain_pairs = stage_of(whole, StageKind::certain_pairs) != nullptr;
  folds.refinements = whole.refinements;
  folds.unpenalised_mains = may_do_without_penalties(whole, StageKind::unpenalised_main_effects);
  folds.unpenalised_pairs = may_do_without_penalties(whole, StageKind::unpenalised_pairs);
  if (!folds.unpenalised_mains)
    folds.main_resolution = stage_of(whole, StageKind::main_effects)->main_resolution();
  // Few rows decide much by chance, and folds that start from where all rows ended repeat it.
  if (rows > few_rows) folds.earlier = &whole;
  if (!options.interactions_only)
    folds.max_order = std::min(
        options.max_order, std::max<std::size_t>(order_that_may_win(whole), folds.unpenalised_pairs ? 2 : 1));
  return folds;
}

std::vector<bool> competitors(const Growth& growth, const GrowOptions& folds) {
  std::vector<bool> competing;
  for (const Candidate& candidate : all_candidates) {
    const StageKind kind = candidate.kind;
    const std::size_t order = kind == StageKind::triples ? 3 : candidate.has_interactions() ? 2 : 1;
    const Stage* stage = stage_of(growth, kind);
    const bool there = stage != nullptr && stage->press.leverage < most_parameters * stage->press.weight_sum;
    competing.push_back((kind == StageKind::constant || there) && order <= folds.max_order &&
                        (order > 1 || !folds.interactions_only) &&
                        (candidate.penalised() || may_do_without_penalties(growth, kind)));
  }
  if (std::ranges::find(competing, true) == competing.end())
    for (std::size_t k = 0; k < competing.size(); ++k)
      competing[k] =
          all_candidates[k].kind == growth.stages[growth.chosen].kind && all_candidates[k].shrinkage == 1;
  return competing;
}

std::size_t fold_count(std::size_t rows) {
  constexpr std::size_t few = 500;
  constexpr std::size_t many = 900;
  return std::min<std::size_t>(rows <= few ? 10 : rows <= many ? 6 : 4, rows);
}

std::vector<std::uint64_t> feature_hashes(const MatrixView& x, const RowCounts& weights) {
  std::vector<std::uint64_t> hashes(x.rows());
  std::vector<double> values;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    values.clear();
    for (std::size_t r = 0; r < x.rows(); ++r)
      if (weights[r] > 0) values.push_back(x(r, j));
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() < 2) continue;
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const auto rank = std::ranges::lower_bound(values, x(r, j)) - values.begin();
      hashes[r] = mix_number(hashes[r], static_cast<double>(rank));
    }
  }
  return hashes;
}

std::vector<std::size_t> folds_of(std::span<const std::uint64_t> units, const RowCounts& weights,
                                  std::size_t folds) {
  std::map<std::uint64_t, std::size_t> sizes;
  for (std::size_t r = 0; r < units.size(); ++r)
    if (weights[r] > 0) ++sizes[units[r]];
  // Large units first, each into the smallest fold; equal ones in the order of their hashes.
  std::vector<std::pair<std::uint64_t, std::size_t>> order(sizes.begin(), sizes.end());
  std::ranges::stable_sort(order, std::ranges::greater{}, [](const auto& unit) { return unit.second; });
  std::vector<std::size_t> filled(folds);
  std::map<std::uint64_t, std::size_t> fold_of;
  for (const auto& [unit, size] : order) {
    const auto smallest = static_cast<std::size_t>(std::ranges::min_element(filled) - filled.begin());
    fold_of[unit] = smallest;
    filled[smallest] += size;
  }
  std::vector<std::size_t> result;
  for (const std::uint64_t unit : units) result.push_back(fold_of[unit]);
  return result;
}

LeftOut predict_unseen(const GrowingData& data, const Growth& growth, const MatrixView& unseen) {
  const double constant = constant_of(*data.response, data.rows);
  LeftOut left_out(all_candidates.size(), std::vector<double>(unseen.rows(), constant));
  std::map<const Stage*, std::vector<FittedFunction>> shrunk;
  for (std::size_t k = 0; k < all_candidates.size(); ++k) {
    const Candidate& candidate = all_candidates[k];
    const Stage* stage = stage_at_most(growth, candidate.kind);
    if (stage == nullptr) continue;
    if (candidate.shrinkage == 1) {
      evaluate(data, *stage->function, unseen, left_out[k]);
      continue;
    }
    auto& fits = shrunk[stage];
    if (fits.empty()) fits = shrunk_functions(data, *stage, shrinkages);
    const auto at =
        static_cast<std::size_t>(std::ranges::find(shrinkages, candidate.shrinkage) - shrinkages.begin());
    evaluate(data, fits[at], unseen, left_out[k]);
  }
  if (!data.limited) return left_out;
  const Range limits = limits_of(data);
  for (std::vector<double>& predictions : left_out)
    for (double& prediction : predictions) prediction = std::clamp(prediction, limits.lowest, limits.highest);
  return left_out;
}

LeftOut leave_folds_out(const GrowingData& data, const GrowOptions& options,
                        std::span<const std::size_t> folds) {
  const std::size_t count = folds.empty() ? 0 : std::ranges::max(folds) + 1;
  LeftOut all(all_candidates.size(), std::vector<double>(folds.size()));
  GrowOptions silent = options;
  silent.progress = {};
  const std::thread::id caller = std::this_thread::get_id();
  PhasesOfThreads phases(data.phases, count);
  std::atomic<std::size_t> done = 0;
  parallel_for(count, data.threads, [&](std::size_t fold) {
    const bool heard = std::this_thread::get_id() == caller;
    if (heard && options.folds_done) options.folds_done(done, count);
    std::vector<std::size_t> inside;
    std::vector<std::size_t> outside;
    for (std::size_t r = 0; r < folds.size(); ++r) (folds[r] == fold ? outside : inside).push_back(r);
    const OwnRows seen(data.rows, inside);
    const OwnRows unseen(data.rows, outside);
    const GrowingData part = with_rows(data, seen.block, phases.of_task(fold));
    const Growth growth = can_grow(part) ? grow(part, heard ? options : silent) : Growth{};
    const LeftOut own = predict_unseen(part, growth, unseen.block.x);
    for (std::size_t k = 0; k < own.size(); ++k)
      for (std::size_t i = 0; i < outside.size(); ++i) all[k][outside[i]] = own[k][i];
    ++done;
  });
  return all;
}

}  // namespace kore

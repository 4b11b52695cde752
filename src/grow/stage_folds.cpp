#include "grow/stage_folds.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/parallel.hpp"
#include "grow/choice.hpp"
#include "grow/directed_fit.hpp"
#include "grow/own_rows.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

constexpr std::size_t fewest_rows = 900;
constexpr double little_signal = 0.8;       // noise, as a share of the target's variance
constexpr std::ptrdiff_t most_pairs = 100;  // that all have a place in a model

/// The rows of a fold, and what predictions for them may know of the others.
struct Fold {
  std::vector<std::size_t> rows;
  OwnRows own;
  std::vector<double> drawn_in;  ///< Features within the range of the other rows, column by column.
  double constant = 0;           ///< Of the other rows, as are the limits.
  Range limits;

  MatrixView x() const { return MatrixView::column_major(drawn_in, rows.size(), own.block.x.columns()); }
};

/// Where curves stay level outside the range of their rows, a value out there is worth as much as the nearest
/// one inside. Knots are those of all rows, so that the value itself has to move. A circle has no outside.
void draw_in(const GrowingData& data, const RowBlock& others, Fold& fold) {
  fold.drawn_in = fold.own.x;
  if (data.extrapolation != Extrapolation::constant || data.ranges != RangesOf::rows) return;
  const std::size_t count = fold.rows.size();
  for (std::size_t j = 0; j < data.features.size(); ++j) {
    if (data.features[j].kind != FeatureKind::spline || data.features[j].cyclic) continue;
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t r = 0; r < others.rows(); ++r)
      if (others.weight(r) > 0)
        range = {std::min(range.lowest, others.x(r, j)), std::max(range.highest, others.x(r, j))};
    if (!(range.lowest <= range.highest)) continue;
    for (std::size_t r = 0; r < count; ++r)
      fold.drawn_in[j * count + r] = std::clamp(fold.drawn_in[j * count + r], range.lowest, range.highest);
  }
}

GrowingData with_rows(const GrowingData& data, const RowBlock& rows) {
  GrowingData other = data;
  other.rows = rows;
  other.within_squares *= weight_sum_of(rows) / weight_sum_of(data.rows);
  other.threads = 1;
  other.phases = nullptr;
  return other;
}

std::vector<Fold> folds_of_rows(const GrowingData& data, std::span<const std::size_t> folds) {
  std::vector<std::vector<std::size_t>> members(folds.empty() ? 0 : std::ranges::max(folds) + 1);
  for (std::size_t r = 0; r < folds.size(); ++r) members[folds[r]].push_back(r);
  std::vector<Fold> all;
  for (std::size_t f = 0; f < members.size(); ++f) {
    std::vector<std::size_t> inside;
    for (std::size_t r = 0; r < folds.size(); ++r)
      if (folds[r] != f) inside.push_back(r);
    const OwnRows others(data.rows, inside);
    Fold fold{members[f],
              OwnRows(data.rows, members[f]),
              {},
              constant_of(*data.response, others.block),
              limits_of(with_rows(data, others.block))};
    draw_in(data, others.block, fold);
    all.push_back(std::move(fold));
  }
  return all;
}

/// A stage in the directions that all rows found, and its sums over the rows of each fold.
class StageWithoutFolds {
 public:
  StageWithoutFolds(const GrowingData& data, const Stage& stage, std::span<const Fold> folds)
      : data_(data), stage_(stage), basis_(basis_of(data, stage)), sums_(folds.size()) {
    const PhaseTimer timer(data.phases, "sums");
    parallel_for(folds.size(), data.threads, [&](std::size_t f) {
      const DirectionRows rows = rows_in(with_rows(data, folds[f].own.block), basis_);
      sums_[f] = {products_of(rows, 1), rows.target_squares, rows.count_sum, false};
    });
  }

  /// The fit without a fold: with solved weights, then with these multiplied by each factor.
  std::vector<FittedFunction> without(std::size_t fold, std::span<const double> factors) const {
    DirectionSums others = sum_of_others(fold);
    std::vector<GrownTerm> terms = stage_.terms;
    if (!stage_.penalties.empty()) {
      constexpr double no_effect = 1e6;  // times the weight at which a term vanished
      const Smoothing solved =
          solve_smoothing(directed_problem(*data_.response, basis_, others, terms), options());
      for (std::size_t t = 0; t < terms.size(); ++t) {
        terms[t].weights = solved.weights[t];
        if (std::ranges::binary_search(solved.alive, t)) continue;
        for (double& weight : terms[t].weights) weight *= no_effect;
      }
      if (factors.empty()) return {basis_.function_of(solved.solution)};
    }
    const DirectedEquations equations{basis_, std::move(others.products)};
    std::vector<FittedFunction> functions{equations.fit(terms, 1)};
    for (const double factor : factors) {
      std::vector<GrownTerm> shrunk = terms;
      std::vector<TermPenalty> none;
      shrink(factor, shrunk, none);
      functions.push_back(equations.fit(shrunk, 1));
    }
    return functions;
  }

 private:
  static DirectionBasis basis_of(const GrowingData& data, const Stage& stage) {
    constexpr double negligible_parameters = 0.01;
    if (stage.equations) return stage.equations->basis;
    const PhaseTimer timer(data.phases, "directions");
    return direction_basis(data, stage.function->design, stage.terms, negligible_parameters);
  }

  SmoothingOptions options() const {
    SmoothingOptions options = smoothing_options(data_, false);
    options.threads = 1;
    options.settling_steps = 1;
    options.negligible_share = negligible_direction_share;
    return options;
  }

  DirectionSums sum_of_others(std::size_t fold) const {
    DirectionSums total;
    for (std::size_t f = 0; f < sums_.size(); ++f) {
      if (f == fold) continue;
      const DirectionSums& own = sums_[f];
      total.target_squares += own.target_squares;
      total.count_sum += own.count_sum;
      if (total.products.matrix.empty()) {
        total.products = own.products;
        continue;
      }
      for (std::size_t i = 0; i < own.products.matrix.size(); ++i)
        total.products.matrix[i] += own.products.matrix[i];
      for (std::size_t i = 0; i < own.products.right.size(); ++i)
        total.products.right[i] += own.products.right[i];
    }
    return total;
  }

  const GrowingData& data_;
  const Stage& stage_;
  DirectionBasis basis_;
  std::vector<DirectionSums> sums_;
};

/// The competing candidates that are stages of one kind.
struct CandidatesOfKind {
  std::vector<std::size_t> places;
  std::vector<double> factors;  ///< By which those after the first one shrink it.
};

CandidatesOfKind candidates_of(StageKind kind, const std::vector<bool>& competing) {
  CandidatesOfKind found;
  for (std::size_t k = 0; k < competing.size(); ++k) {
    if (!competing[k] || candidates()[k].kind != kind) continue;
    found.places.push_back(k);
    if (candidates()[k].shrinkage != 1) found.factors.push_back(candidates()[k].shrinkage);
  }
  return found;
}

}  // namespace

bool terms_may_stay(const GrowingData& data, const Growth& whole) {
  constexpr double few = 0.01;
  constexpr double much = 0.25;
  if (!data.response->fits_in_one_step() || data.rows.rows() <= fewest_rows) return false;
  const auto pairs = std::ranges::count_if(whole.screened,
                                           [](const ScoredTerm& scored) { return scored.term.order() == 2; });
  if (pairs > most_pairs) return false;
  if (!(noise_share(whole.stages[whole.chosen].loo(), data) < little_signal)) return false;
  std::vector<double> losses = stage_of(whole, StageKind::main_effects)->left_out_losses;
  for (std::size_t r = 0; r < losses.size(); ++r) losses[r] *= data.rows.weight(r);
  std::ranges::sort(losses, std::ranges::greater{});
  double largest = 0;
  double all = 0;
  for (std::size_t r = 0; r < losses.size(); ++r) {
    all += losses[r];
    if (static_cast<double>(r) < few * static_cast<double>(losses.size())) largest += losses[r];
  }
  return largest < much * all;
}

LeftOut leave_folds_out_of_stages(const GrowingData& data, const Growth& whole,
                                  const std::vector<bool>& competing, std::span<const std::size_t> folds,
                                  const GrowthProgress& progress) {
  const std::vector<Fold> parts = folds_of_rows(data, folds);
  LeftOut all(candidates().size(), std::vector<double>(folds.size()));
  for (const Fold& part : parts)
    for (std::vector<double>& predictions : all)
      for (const std::size_t r : part.rows) predictions[r] = part.constant;
  for (const Stage& stage : whole.stages) {
    const CandidatesOfKind own = candidates_of(stage.kind, competing);
    if (own.places.empty()) continue;
    const PhaseTimer timer(data.phases, phase_of(data, stage.terms));
    const StageWithoutFolds fits(data, stage, parts);
    const PhaseTimer solving(data.phases, "weights");
    parallel_for(parts.size(), data.threads, [&](std::size_t f) {
      const std::vector<FittedFunction> functions = fits.without(f, own.factors);
      std::vector<double> predictions(parts[f].rows.size());
      for (std::size_t i = 0; i < functions.size(); ++i) {
        evaluate_rows(functions[i].design, functions[i].intercept, functions[i].coefficients,
                      data.extrapolation, parts[f].x(), predictions, 1);
        for (std::size_t r = 0; r < predictions.size(); ++r)
          all[own.places[i]][parts[f].rows[r]] =
              data.limited ? std::clamp(predictions[r], parts[f].limits.lowest, parts[f].limits.highest)
                           : predictions[r];
      }
    });
    if (progress) progress(stage.order(), stage.resolution(stage.order()), stage);
  }
  return all;
}

}  // namespace kore

#include "grow/directed_fit.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "kore/solve.hpp"
#include "penalty/roughness.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"
#include "stats/press.hpp"

namespace kore {
namespace {

constexpr double negligible_parameters = 0.01;  // of a direction that is left out
constexpr double least_ridge = 1e-10;           // of the mean diagonal entry
constexpr double largest_ridge = 1e-4;
constexpr std::size_t panel_rows = 256;
constexpr std::size_t step = 64;  // rows of the inverse factor at a time

/// Weights came out so much smaller than those that the directions were chosen with that what was left out
/// may count after all.
bool directions_were_missing(const DirectionBasis& basis, const Smoothing& solved) {
  constexpr double parameters = 1;
  constexpr double share = 0.3;  // of the effective parameters of the term, in addition
  return std::ranges::any_of(solved.alive, [&](std::size_t t) {
    return basis.directions[t].missing_parameters(solved.weights[t].front()) >
           parameters + share * solved.parameters[t];
  });
}

Products restricted(Products products, std::span<const std::size_t> columns) {
  const std::size_t p = products.right.size();
  if (columns.size() == p) return products;
  Products fewer{std::vector<double>(columns.size() * columns.size()), {}};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    fewer.right.push_back(products.right[columns[j]]);
    for (std::size_t i = j; i < columns.size(); ++i)
      fewer.matrix[j * columns.size() + i] = products.matrix[columns[j] * p + columns[i]];
  }
  return fewer;
}

/// Weights times leverages: squared norms of the rows times the inverse factor.
std::vector<double> leverages_of(const DirectionRows& rows, const std::vector<double>& inverse_factor,
                                 int threads) {
  const std::size_t p = rows.basis.columns;
  const std::size_t count = rows.target.size();
  std::vector<double> leverages(count);
  parallel_for((count + panel_rows - 1) / panel_rows, threads, [&](std::size_t panel) {
    const std::size_t first = panel * panel_rows;
    const std::size_t own = std::min(panel_rows, count - first);
    std::vector<double> products(step * own);
    for (std::size_t from = 0; from < p; from += step) {
      const std::size_t height = std::min(step, p - from);  // zeros behind the diagonal
      product(inverse_factor.data() + from, height, p, rows.rows.data() + first * p, own, p, from + height,
              products.data(), height);
      for (std::size_t r = 0; r < own; ++r)
        leverages[first + r] += squared_norm(std::span<const double>(products).subspan(r * height, height));
    }
  });
  return leverages;
}

/// Of rows that do not count, zero.
std::vector<double> predictors_of(const DirectionRows& rows, std::span<const double> coefficients) {
  std::vector<double> predictors;
  for (std::size_t r = 0; r < rows.target.size(); ++r) {
    const double* row = rows.rows.data() + r * coefficients.size();
    const double value = std::inner_product(coefficients.begin(), coefficients.end(), row, 0.0);
    predictors.push_back(rows.roots[r] > 0 ? value / rows.roots[r] : 0);
  }
  return predictors;
}

void leave_rows_out(const GrowingData& data, const DirectionRows& rows, std::span<const double> coefficients,
                    const std::vector<double>& inverse_factor, Stage& stage) {
  const PhaseTimer timer(data.phases, "leave-one-out");
  const std::vector<double> leverages = leverages_of(rows, inverse_factor, data.threads);
  const std::vector<double> predictors = predictors_of(rows, coefficients);
  std::vector<double> gains(leverages.size());
  stage.loo_residuals.resize(leverages.size());
  stage.left_out_losses.resize(leverages.size());
  const bool linked = !data.response->fits_in_one_step();
  const ConstantModel constant{
      linked ? data.constant_predictor : rows.target_sum / rows.weight_sum, rows.count_sum,
      !linked && rows.target_squares > 0 ? rows.target_squares / rows.weight_sum : 1.0};
  stage.press = sum_losses(*data.response, {data.rows.y, predictors, leverages, data.rows.weights}, constant,
                           {stage.loo_residuals, stage.left_out_losses, gains});
}

DirectionRows directed(const GrowingData& data, const Design& design, std::vector<GrownTerm>& terms) {
  const PhaseTimer timer(data.phases, "directions");
  return direction_rows(data, design, terms, negligible_parameters);
}

DirectionSums sums_of(const GrowingData& data, const DirectionRows& rows) {
  const PhaseTimer timer(data.phases, "sums");
  return {products_of(rows, data.threads), rows.target_squares, rows.count_sum, true};
}

Smoothing solve_weights(const GrowingData& data, const DirectionRows& rows, const DirectionSums& sums,
                        std::span<const GrownTerm> terms) {
  const PhaseTimer timer(data.phases, "weights");
  SmoothingOptions options = smoothing_options(data, false);
  options.negligible_share = negligible_direction_share;
  return solve_smoothing(directed_problem(*data.response, rows.basis, sums, terms), options);
}

}  // namespace

SmoothingProblem directed_problem(const Response& response, const DirectionBasis& basis,
                                  const DirectionSums& sums, std::span<const GrownTerm> terms) {
  SmoothingProblem problem{
      sums.products.matrix, sums.products.right, sums.target_squares, sums.count_sum, {}, {}};
  problem.known_dispersion = response.known_dispersion();
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const Directions& own = basis.directions[t];
    std::vector<std::vector<double>> penalties{identity(own.kept)};
    if (!own.have_unit_penalty()) penalties = term_penalties(basis.design, t);
    problem.terms.push_back({basis.offsets[t], own.kept, std::move(penalties), terms[t].may_vanish(),
                             terms[t].weights, own.have_unit_penalty(), !own.map.empty(),
                             own.are_levels() || (!own.map.empty() && sums.diagonal)});
  }
  return problem;
}

FittedFunction DirectedEquations::fit(std::span<const GrownTerm> terms, int threads) const {
  const std::size_t p = basis.columns;
  std::vector<double> penalised = products.matrix;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const std::size_t m = basis.directions[t].kept;
    if (terms[t].weights.empty()) continue;  // without penalties
    const std::vector<double> whole = basis.directions[t].have_unit_penalty()
                                          ? std::vector<double>{}
                                          : weighted_penalty(basis.design, t, terms[t].weights);
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = j; i < m; ++i)
        penalised[(basis.offsets[t] + j) * p + basis.offsets[t] + i] += !whole.empty() ? whole[j * m + i]
                                                                        : i == j ? terms[t].weights.front()
                                                                                 : 0;
  }
  for (double ridge = least_ridge;; ridge *= 10) {
    std::vector<double> matrix = penalised;
    add_to_diagonal(matrix, p, ridge * mean_diagonal(products.matrix, p));
    try {
      return basis.function_of(Cholesky(std::move(matrix), p, threads).solve(products.right));
    } catch (const NotPositiveDefinite&) {
      if (ridge > largest_ridge) throw;
    }
  }
}

Stage fit_in_directions(const GrowingData& data, const Design& design, std::span<const GrownTerm> terms) {
  std::vector<GrownTerm> first(terms.begin(), terms.end());
  DirectionRows rows = directed(data, design, first);
  DirectionSums sums = sums_of(data, rows);
  Smoothing solved = solve_weights(data, rows, sums, first);
  if (directions_were_missing(rows.basis, solved)) {
    for (const std::size_t t : solved.alive) first[t].weights = solved.weights[t];
    rows = directed(data, design, first);
    sums = sums_of(data, rows);
    solved = solve_weights(data, rows, sums, first);
  }
  Stage stage;
  stage.noise_variance = solved.variance;
  stage.convergence = convergence_of(solved);
  for (const std::size_t t : solved.alive)
    stage.terms.push_back(
        {terms[t].term, solved.weights[t], solved.parameters[t], design.term_columns(t), terms[t].stays});
  const std::vector<std::size_t>& columns = solved.columns;
  rows.keep_columns(columns);
  rows.basis = rows.basis.restricted_to(solved.alive, columns, design_of(data, stage.terms));
  std::vector<double> coefficients;
  for (const std::size_t column : columns) coefficients.push_back(solved.solution[column]);
  if (data.leave_rows_out) {
    leave_rows_out(data, rows, coefficients, solved.inverse_factor, stage);
    add_within_squares(data, stage);
  }
  for (std::size_t t = 0; t < stage.terms.size(); ++t)
    stage.penalties.push_back({t, weighted_penalty(rows.basis.design, t, stage.terms[t].weights)});
  stage.function = std::make_shared<FittedFunction>(rows.basis.function_of(coefficients));
  stage.equations = std::make_shared<DirectedEquations>(
      DirectedEquations{std::move(rows.basis), restricted(std::move(sums.products), columns)});
  return stage;
}

}  // namespace kore

#include "solve/normal_equations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

void fill_block(const GramAccumulator& gram, NormalEquations& equations, std::size_t t, std::size_t u) {
  const Design& design = gram.design();
  const std::size_t p = design.columns();
  std::vector<double> block =
      raw_rows_to_solved(equations.maps[t], gram.block(t, u), design.raw_term_columns(u));
  block = raw_columns_to_solved(equations.maps[u], std::move(block), design.term_columns(t));
  for (std::size_t i = 0; i < design.term_columns(t); ++i)
    std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(i * design.term_columns(u)),
                design.term_columns(u),
                equations.matrix.begin() +
                    static_cast<std::ptrdiff_t>((design.offset(t) + i) * p + design.offset(u)));
}

std::vector<double> term_part(const Design& design, std::size_t t, const std::vector<double>& raw) {
  const auto first = raw.begin() + static_cast<std::ptrdiff_t>(design.raw_offset(t));
  return {first, first + static_cast<std::ptrdiff_t>(design.raw_term_columns(t))};
}

}  // namespace

NormalEquations normal_equations(const GramAccumulator& gram, int threads) {
  const Design& design = gram.design();
  const std::size_t p = design.columns();
  const std::vector<double> sums = gram.sums();
  NormalEquations equations{term_maps(design, sums, gram.weight_sum()),
                            std::vector<double>(p * p),
                            {},
                            gram.weight_sum(),
                            gram.count_sum(),
                            gram.target_sum(),
                            gram.target_squares()};
  equations.right = solved_products(gram, equations.maps);

  const std::size_t terms = design.terms().size();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t u = t; u < terms; ++u) pairs.emplace_back(t, u);
  parallel_for(pairs.size(), p < 128 ? 1 : threads,
               [&](std::size_t i) { fill_block(gram, equations, pairs[i].first, pairs[i].second); });

  for (std::size_t t = 0; t < terms && design.has_intercept(); ++t) {
    const auto with_one = raw_rows_to_solved(equations.maps[t], term_part(design, t, sums), 1);
    std::ranges::copy(with_one, equations.matrix.begin() + static_cast<std::ptrdiff_t>(design.offset(t)));
  }
  if (design.has_intercept()) equations.matrix[0] = gram.weight_sum();
  return equations;
}

std::vector<double> solved_products(const GramAccumulator& gram, const std::vector<TermMap>& maps) {
  const Design& design = gram.design();
  const std::vector<double> products = gram.target_products();
  std::vector<double> solved;
  if (design.has_intercept()) solved.push_back(gram.target_sum());
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    const auto own = raw_rows_to_solved(maps[t], term_part(design, t, products), 1);
    solved.insert(solved.end(), own.begin(), own.end());
  }
  return solved;
}

double penalise(const Design& design, const SmootherOptions& options, std::vector<double>& matrix) {
  const std::size_t p = design.columns();
  if (!(options.ridge >= 0) || !std::isfinite(options.ridge))
    throw Error(ErrorCode::invalid_argument, "bad_ridge",
                "The ridge must be a finite number that is not negative.");
  double ridge = options.ridge;
  if (options.relative_ridge) ridge *= mean_diagonal(matrix, p);
  add_to_diagonal(matrix, p, ridge);
  for (const TermPenalty& penalty : options.penalties) {
    if (penalty.term >= design.terms().size())
      throw Error(ErrorCode::invalid_argument, "penalty_of_unknown_term",
                  "There is no term {term} to penalise; the design has {terms} terms (counted from 0).",
                  {{"term", penalty.term}, {"terms", design.terms().size()}});
    const std::size_t m = design.term_columns(penalty.term);
    if (penalty.matrix.size() != m * m)
      throw Error(ErrorCode::invalid_argument, "bad_penalty_size",
                  "The penalty of term {term} needs a matrix of {columns} by {columns} numbers.",
                  {{"term", penalty.term}, {"columns", m}});
    if (!(penalty.weight >= 0) || !std::isfinite(penalty.weight))
      throw Error(ErrorCode::invalid_argument, "bad_penalty_weight",
                  "The weight of a penalty must be a finite number that is not negative.");
    const std::size_t offset = design.offset(penalty.term);
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = 0; i < m; ++i)
        matrix[(offset + j) * p + offset + i] += penalty.weight * penalty.matrix[j * m + i];
  }
  return ridge;
}

}  // namespace kore

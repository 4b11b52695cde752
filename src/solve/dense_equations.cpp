#include "solve/normal_equations.hpp"

namespace kore {
namespace {

// How many multiplications of a matrix product take as long as one of the local kernels. The local kernels
// need many rows to fill their cells and to make up for setting up their sums.
constexpr std::size_t plenty_of_rows = 10'000;
constexpr double product_advantage = 2;
constexpr double product_advantage_for_few_rows = 4;

}  // namespace

bool dense_is_cheaper(const Design& design, std::size_t rows) {
  double local = 1;
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    double own = 1;
    for (std::size_t c = 0; c < design.terms()[t].order(); ++c) own *= design.basis(t, c).degree() + 1;
    local += own;
  }
  const auto p = static_cast<double>(design.columns());
  const double advantage = rows < plenty_of_rows ? product_advantage_for_few_rows : product_advantage;
  return p * p < advantage * local * local;
}

NormalEquations restrict_to(const Design& design, const NormalEquations& equations,
                            std::span<const std::size_t> terms) {
  const std::size_t p = design.columns();
  std::vector<std::size_t> columns(design.has_intercept() ? 1 : 0, 0);
  NormalEquations part;
  for (const std::size_t t : terms) {
    part.maps.push_back(equations.maps[t]);
    for (std::size_t i = 0; i < design.term_columns(t); ++i) columns.push_back(design.offset(t) + i);
  }
  part.matrix.resize(columns.size() * columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    part.right.push_back(equations.right[columns[j]]);
    for (std::size_t i = j; i < columns.size(); ++i)
      part.matrix[j * columns.size() + i] = equations.matrix[columns[j] * p + columns[i]];
  }
  part.weight_sum = equations.weight_sum;
  part.count_sum = equations.count_sum;
  part.target_sum = equations.target_sum;
  part.target_squares = equations.target_squares;
  return part;
}

}  // namespace kore

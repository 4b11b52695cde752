#include "penalty/directions.hpp"

#include <algorithm>
#include <cmath>

#include "kore/solve.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"

namespace kore {

// With `S = L L'` and `L^-1 G L^-T = U D U'`, the columns of `L^-T U` make the penalty the identity and the
// Gram matrix `D`.
Directions strong_directions(std::vector<double> gram, std::vector<double> penalty, double least) {
  const auto m = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(gram.size()))));
  constexpr double rounding = 1e-12;
  add_to_diagonal(penalty, m, rounding * mean_diagonal(penalty, m));
  const Cholesky cholesky(std::move(penalty), m);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < j; ++i) gram[j * m + i] = gram[i * m + j];
  solve_left(cholesky.factor().data(), m, m, gram.data(), m, m);
  solve_right_transposed(cholesky.factor().data(), m, m, gram.data(), m, m);
  const std::vector<double> strengths = eigen_lower(gram.data(), m, m);
  const auto weak = static_cast<std::size_t>(std::ranges::lower_bound(strengths, least) - strengths.begin());
  Directions directions{m, std::max<std::size_t>(1, m - weak)};
  directions.left_out.assign(strengths.begin(),
                             strengths.end() - static_cast<std::ptrdiff_t>(directions.kept));
  directions.map.assign(gram.end() - static_cast<std::ptrdiff_t>(directions.kept * m), gram.end());
  solve_left_transposed(cholesky.factor().data(), m, m, directions.map.data(), directions.kept, m);
  return directions;
}

Directions Directions::strongest(std::size_t count) const {
  Directions fewer = *this;
  if (map.empty() || count == kept) return fewer;
  fewer.kept = count;
  fewer.map.erase(fewer.map.begin(), fewer.map.end() - static_cast<std::ptrdiff_t>(count * columns));
  return fewer;
}

double Directions::missing_parameters(double weight) const {
  double parameters = 0;
  for (const double strength : left_out)
    parameters += std::max(strength, 0.0) / (std::max(strength, 0.0) + weight);
  return parameters;
}

}  // namespace kore

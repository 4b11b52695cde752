#include <algorithm>
#include <cmath>

#include "kore/model.hpp"
#include "model/column_count.hpp"

namespace kore {

double distance_outside(const Feature& feature, double value) {
  const Range& range = feature.range;
  if (feature.kind == FeatureKind::category || feature.cyclic || !(range.lowest < range.highest)) return 0;
  return std::max({range.lowest - value, value - range.highest, 0.0});
}

std::vector<std::size_t> outside_count(const Model& model, const MatrixView& x) {
  check_column_count(model, x.columns());
  std::vector<std::size_t> counts(x.rows());
  for (std::size_t j = 0; j < x.columns(); ++j)
    for (std::size_t r = 0; r < x.rows(); ++r)
      if (distance_outside(model.design.features()[j], x(r, j)) > 0) ++counts[r];
  return counts;
}

std::vector<double> widening(const Model& model, const MatrixView& x) {
  check_column_count(model, x.columns());
  std::vector<double> squares(x.rows(), 1.0);
  for (std::size_t j = 0; j < model.widening_rates.size(); ++j)
    for (std::size_t r = 0; r < x.rows(); ++r)
      squares[r] += model.widening_rates[j] * distance_outside(model.design.features()[j], x(r, j));
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

}  // namespace kore

#pragma once

#include <algorithm>
#include <vector>

#include "kore/design.hpp"

namespace kore::test {

/// Four features on [0, 1], the last one linear, in terms of every order and with a resolution per
/// coordinate: what a kernel can meet. Main effects of one cell and of several, products of splines with
/// splines and with a straight line, and a triple.
inline Design mixed_design(int degree, Parametrisation parametrisation = Parametrisation::centred,
                           bool highest_order_first = false) {
  const Range unit{0, 1};
  std::vector<Feature> features{{"a", unit, FeatureKind::spline},
                                {"b", unit, FeatureKind::spline},
                                {"c", unit, FeatureKind::spline},
                                {"line", unit, FeatureKind::linear}};
  std::vector<Term> terms{{{0}, {1}}, {{1}, {4}}, {{2}, {1}}, {{3}, {5}}};
  if (parametrisation == Parametrisation::centred) {
    terms.push_back({{0, 1}, {2, 3}});
    terms.push_back({{1, 3}, {1, 9}});
    terms.push_back({{0, 1, 2}, {1, 2, 1}});
  }
  if (highest_order_first) std::reverse(terms.begin(), terms.end());
  return {std::move(features), std::move(terms), degree, parametrisation};
}

}  // namespace kore::test

#pragma once

#include <algorithm>
#include <vector>

#include "kore/design.hpp"
#include "support/made_up_rows.hpp"

namespace kore::test {

/// Everything a kernel can meet: features on [0, 1] as splines, as a straight line and as a spline behind a
/// warp, and two categories, in terms of every order and with a resolution per coordinate. Main effects of
/// one cell and of several, products of splines with splines, lines and levels, and triples.
inline Design mixed_design(int degree, Parametrisation parametrisation = Parametrisation::centred,
                           bool highest_order_first = false) {
  const Range unit{0, 1};
  const Warp warp{{0, 0.1, 0.15, 0.6, 1}, {0, 0.3, 0.5, 0.8, 1}};
  std::vector<Feature> features{{"a", unit, FeatureKind::spline},
                                {"b", unit, FeatureKind::spline},
                                {"c", unit, FeatureKind::spline},
                                {"line", unit, FeatureKind::linear},
                                {"warped", unit, FeatureKind::spline, 0, warp},
                                {"colour", {0, 2}, FeatureKind::category, 3},
                                {"shape", {0, 1}, FeatureKind::category, 2}};
  std::vector<Term> terms{{{0}, {1}}, {{1}, {4}}, {{2}, {1}}, {{3}, {5}}};
  if (parametrisation == Parametrisation::centred) {
    terms.push_back({{0, 1}, {2, 3}});
    terms.push_back({{1, 3}, {1, 9}});
    terms.push_back({{0, 1, 2}, {1, 2, 1}});
  }
  terms.insert(terms.end(), {{{4}, {3}}, {{5}, {7}}, {{6}, {1}}});
  if (parametrisation == Parametrisation::centred) {
    terms.push_back({{5, 4}, {1, 2}});
    terms.push_back({{0, 6}, {1, 1}});
    terms.push_back({{5, 6}, {2, 2}});
    terms.push_back({{3, 5, 4}, {1, 1, 1}});
  }
  if (highest_order_first) std::reverse(terms.begin(), terms.end());
  return {std::move(features), std::move(terms), degree, parametrisation};
}

/// The same rows with two of the features around circles of fewer and of more intervals than their splines
/// have pieces, in curves and beside everything else.
inline Design circular_design(int degree) {
  std::vector<Feature> features = mixed_design(degree).features();
  features[1].cyclic = true;
  features[2].cyclic = true;
  return {std::move(features),
          {{{1}, {4}},
           {{2}, {9}},
           {{0, 1}, {2, 3}},
           {{2, 1}, {3, 4}},
           {{5, 2}, {1, 4}},
           {{1, 3}, {3, 1}},
           {{4, 2, 6}, {1, 3, 1}}},
          degree,
          Parametrisation::centred};
}

/// Rows for it. The categories hold all levels, and now and then a value that is none.
inline Rows mixed_rows(std::size_t count, std::uint64_t seed) {
  Rows rows = made_up_rows(count, 7, seed);
  for (std::size_t r = 0; r < count; ++r) {
    rows.at(r, 5) = r % 11 == 7 ? 1.5 : std::floor(3 * rows.at(r, 5));
    rows.at(r, 6) = r % 13 == 5 ? -1.0 : std::floor(2 * rows.at(r, 6));
  }
  return rows;
}

}  // namespace kore::test

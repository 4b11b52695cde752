#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kore/basis.hpp"

namespace kore::test {

/// Every way to leave the range that gives an answer.
constexpr auto everywhere = {Extrapolation::continue_polynomial, Extrapolation::linear,
                             Extrapolation::constant};

inline const Knots some_knots{-1.5, 2.25, 6};

/// Tests that hold for every degree.
class OfEachDegree : public testing::TestWithParam<int> {
 protected:
  int degree() const { return GetParam(); }
  UniformBasis basis(const Knots& knots = some_knots) const { return {knots, degree()}; }
};

inline std::vector<double> evenly(double first, double last, int count) {
  std::vector<double> points;
  for (int i = 0; i < count; ++i) points.push_back(first + (last - first) * i / (count - 1));
  return points;
}

/// All functions of a basis at a point by the Cox-de Boor recursion on the written-out knots `-k .. G+k`. The
/// recursion starts from the indicator of one interval, so a point outside that interval continues its
/// polynomials; an interior knot belongs to the interval on its right, the last one to the last interval.
inline std::vector<double> textbook_functions(const Knots& knots, int degree, double x) {
  std::vector<double> t;
  for (int i = -degree; i <= knots.intervals + degree; ++i) t.push_back(knots[i]);
  int cell = 0;
  while (cell + 1 < knots.intervals && x >= knots[cell + 1]) ++cell;
  std::vector<double> b(t.size() - 1);
  b[static_cast<std::size_t>(cell + degree)] = 1;
  for (std::size_t d = 1; d <= static_cast<std::size_t>(degree); ++d)
    for (std::size_t i = 0; i + d + 1 < t.size(); ++i)
      b[i] =
          (x - t[i]) / (t[i + d] - t[i]) * b[i] + (t[i + d + 1] - x) / (t[i + d + 1] - t[i + 1]) * b[i + 1];
  b.resize(static_cast<std::size_t>(knots.intervals + degree));
  return b;
}

/// The same from the engine's local evaluation.
inline std::vector<double> engine_functions(const UniformBasis& basis, double x, Extrapolation outside) {
  std::vector<double> b(static_cast<std::size_t>(basis.functions()));
  const LocalBasis local = basis.evaluate(x, outside);
  for (int s = 0; s <= basis.degree(); ++s)
    b.at(static_cast<std::size_t>(local.cell + s)) = local.value[static_cast<std::size_t>(s)];
  return b;
}

}  // namespace kore::test

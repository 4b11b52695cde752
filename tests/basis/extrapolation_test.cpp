#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "basis/textbook.hpp"
#include "kore/basis.hpp"
#include "kore/error.hpp"
#include "support/dense_matrix.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::engine_functions;
using test::evenly;
using test::everywhere;
using test::largest_difference;
using test::refusal;
using test::some_knots;
using ExtrapolationOfDegree = test::OfEachDegree;

INSTANTIATE_TEST_SUITE_P(Degrees, ExtrapolationOfDegree, testing::Range(1, max_degree + 1));

TEST_P(ExtrapolationOfDegree, ContinuesLinearlyWithTheTangentOfEachEnd) {
  const UniformBasis b = basis();
  const double h = 1e-4;
  for (const double end : {some_knots.first, some_knots.last}) {
    const double away = end == some_knots.first ? -1 : 1;
    const auto at = [&](double x) { return engine_functions(b, x, Extrapolation::linear); };
    // `continue` has the end's own polynomial on both sides of it, so its central difference is the tangent's
    // slope.
    const auto above = engine_functions(b, end + h, Extrapolation::continue_polynomial);
    const auto below = engine_functions(b, end - h, Extrapolation::continue_polynomial);
    for (std::size_t f = 0; f < above.size(); ++f) {
      const double value = at(end)[f];
      const double slope = (above[f] - below[f]) / (2 * h);
      EXPECT_NEAR(at(end + away * 1e-9)[f], value, 1e-8);
      EXPECT_NEAR(at(end + away)[f], value + away * slope, 1e-6);
      for (const double distance : {0.5, 3.0, 1000.0})
        EXPECT_NEAR(at(end + away * distance)[f] - value, distance * (at(end + away)[f] - value),
                    1e-12 * (1 + distance));
    }
  }
}

TEST_P(ExtrapolationOfDegree, KeepsTheBoundaryValueIfAskedTo) {
  for (const double distance : {1e-9, 1.0, 1e6}) {
    EXPECT_EQ(engine_functions(basis(), -1.5 - distance, Extrapolation::constant),
              engine_functions(basis(), -1.5, Extrapolation::constant));
    EXPECT_LE(largest_difference(engine_functions(basis(), 2.25 + distance, Extrapolation::constant),
                                 engine_functions(basis(), 2.25, Extrapolation::constant)),
              1e-15);
  }
}

TEST_P(ExtrapolationOfDegree, TreatsPointsInsideAlikeWhateverHappensOutside) {
  for (const double x : evenly(-1.5, 2.25, 13))
    for (const auto outside : everywhere)
      EXPECT_EQ(engine_functions(basis(), x, outside), engine_functions(basis(), x, Extrapolation::error));
}

TEST_P(ExtrapolationOfDegree, RefusesPointsOutsideIfAskedTo) {
  const auto sentence = [this](double x) {
    return refusal(ErrorCode::out_of_range, [&] { basis().evaluate(x, Extrapolation::error); });
  };
  EXPECT_EQ(sentence(2.5), "The value 2.5 lies outside the training range [-1.5, 2.25].");
  EXPECT_EQ(sentence(-1e300), "The value -1e+300 lies outside the training range [-1.5, 2.25].");
  EXPECT_NE(sentence(std::nextafter(2.25, 3)), "");
  EXPECT_EQ(sentence(std::numeric_limits<double>::quiet_NaN()),
            "The value nan lies outside the training range [-1.5, 2.25].");
}

TEST_P(ExtrapolationOfDegree, KnowsTheNearerEndAlsoWhereTheDistanceUnderflows) {
  const UniformBasis wide = basis({0, 1e300, 3});
  for (const auto outside : everywhere)
    EXPECT_LE(largest_difference(engine_functions(wide, -1e-30, outside), engine_functions(wide, 0, outside)),
              1e-15);
}

}  // namespace
}  // namespace kore

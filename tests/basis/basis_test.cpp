#include "kore/basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "basis/local.hpp"
#include "basis/textbook.hpp"
#include "kore/error.hpp"
#include "support/dense_matrix.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::engine_functions;
using test::evenly;
using test::everywhere;
using test::largest;
using test::largest_difference;
using test::refusal;
using test::some_knots;
using test::textbook_functions;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

using BasisOfDegree = test::OfEachDegree;
INSTANTIATE_TEST_SUITE_P(Degrees, BasisOfDegree, testing::Range(1, max_degree + 1));

TEST_P(BasisOfDegree, HasAFunctionPerIntervalAndDegree) {
  EXPECT_EQ(basis().functions(), 6 + degree());
  EXPECT_EQ(basis().resolution(), 6);
  EXPECT_EQ(basis().degree(), degree());
  EXPECT_FALSE(basis().constant());
}

TEST_P(BasisOfDegree, AddsUpToOneInsideAndOutside) {
  for (const double x : evenly(-1.5, 2.25, 101))
    EXPECT_NEAR(sum(engine_functions(basis(), x, Extrapolation::error)), 1, 1e-14) << x;
  for (const double x : {-4.0, -2.0, 3.0, 5.0})
    for (const auto outside : everywhere) {
      const auto b = engine_functions(basis(), x, outside);
      EXPECT_NEAR(sum(b), 1, 1e-13 * (1 + largest(b))) << x;
    }
}

TEST_P(BasisOfDegree, IsNotNegativeInside) {
  for (const double x : evenly(-1.5, 2.25, 101))
    for (const double value : engine_functions(basis(), x, Extrapolation::error)) EXPECT_GE(value, -1e-16);
}

TEST_P(BasisOfDegree, EqualsTheTextbookRecursion) {
  for (const int intervals : {1, 2, 3, 6, 20}) {
    const Knots knots{-1.5, 2.25, intervals};
    const double step = 3.75 / intervals;
    // From two cells below the range to two above: outside, both continue the boundary polynomials.
    for (const double x : evenly(-1.5 - 2 * step, 2.25 + 2 * step, 403)) {
      const auto expected = textbook_functions(knots, degree(), x);
      const auto found = engine_functions(basis(knots), x, Extrapolation::continue_polynomial);
      EXPECT_LE(largest_difference(found, expected), 1e-13 * (1 + largest(expected)))
          << intervals << ", " << x;
    }
  }
}

TEST_P(BasisOfDegree, TakesOnlyTheFunctionsThatLiveOnTheCell) {
  for (int cell = 0; cell < 6; ++cell) {
    const double middle = 0.5 * (some_knots[cell] + some_knots[cell + 1]);
    EXPECT_EQ(basis().evaluate(middle, Extrapolation::error).cell, cell);
  }
}

TEST_P(BasisOfDegree, GivesTheRightEndToTheLastCell) {
  for (const int intervals : {1, 3, 7, 10, 49}) {
    const Knots knots{0.1, 0.7, intervals};
    const LocalBasis right = basis(knots).evaluate(0.7, Extrapolation::error);
    EXPECT_EQ(right.cell, intervals - 1);
    const auto at_one = textbook_functions({0, 1, 1}, degree(), 1.0);
    for (std::size_t s = 0; s < at_one.size(); ++s) EXPECT_NEAR(right.value[s], at_one[s], 1e-12) << s;
    EXPECT_EQ(basis(knots).evaluate(0.1, Extrapolation::error).cell, 0);
  }
}

TEST_P(BasisOfDegree, GoesOnAcrossKnotsWithoutAJumpOrAKink) {
  const UniformBasis b = basis();
  const auto at = [&](double x) { return engine_functions(b, x, Extrapolation::error); };
  const double h = 1e-5;
  for (int i = 1; i < 6; ++i) {
    const double knot = some_knots[i];
    EXPECT_LE(largest_difference(at(std::nextafter(knot, -10)), at(std::nextafter(knot, 10))), 1e-13);
    if (degree() == 1) continue;  // a polygon has kinks
    for (std::size_t f = 0; f < static_cast<std::size_t>(b.functions()); ++f) {
      const double left = (3 * at(knot)[f] - 4 * at(knot - h)[f] + at(knot - 2 * h)[f]) / (2 * h);
      const double right = (-3 * at(knot)[f] + 4 * at(knot + h)[f] - at(knot + 2 * h)[f]) / (2 * h);
      EXPECT_NEAR(left, right, 1e-8) << "knot " << i << ", function " << f;
    }
  }
}

TEST_P(BasisOfDegree, IsZeroOnAConstantCoordinate) {
  for (const double value : {0.0, 3.0, -1e300}) {
    const UniformBasis b = basis({value, value, 4});
    EXPECT_TRUE(b.constant());
    EXPECT_EQ(b.functions(), 4 + degree());
    for (const double x : {value, value + 1, -5.0})
      for (const auto outside : everywhere)
        EXPECT_EQ(largest(engine_functions(b, x, outside)), 0) << value << ", " << x;
  }
}

// Marsden's identity: the coefficient of x^q on a function is the mean of all products of q of its k inner
// knots.
TEST_P(BasisOfDegree, HoldsThePowersWithTheCoefficientsOfMarsden) {
  const int k = degree();
  for (int power = 0; power <= k; ++power) {
    std::vector<double> coefficients;
    for (int f = 0; f < 6 + k; ++f) {
      std::vector<double> symmetric(static_cast<std::size_t>(power) + 1);  // elementary symmetric polynomials
      symmetric[0] = 1;
      for (int i = 1; i <= k; ++i)
        for (std::size_t q = symmetric.size() - 1; q > 0; --q)
          symmetric[q] += some_knots[f - k + i] * symmetric[q - 1];
      double choices = 1;
      for (int q = 0; q < power; ++q) choices = choices * (k - q) / (q + 1);
      coefficients.push_back(symmetric.back() / choices);
    }
    for (const double x : evenly(-2.5, 3.25, 47)) {
      const auto b = engine_functions(basis(), x, Extrapolation::continue_polynomial);
      double value = 0;
      double size = 0;
      for (std::size_t f = 0; f < b.size(); ++f) {
        value += b[f] * coefficients[f];
        size += std::abs(b[f] * coefficients[f]);
      }
      EXPECT_NEAR(value, std::pow(x, power), 1e-13 * (1 + size)) << "power " << power << " at " << x;
    }
  }
}

TEST_P(BasisOfDegree, ReproducesPolynomialsByLeastSquares) {
  const auto polynomial = [this](double x) {
    double value = 0;
    for (int q = degree(); q >= 0; --q) value = value * x + (q % 2 == 0 ? 0.5 : -0.3) * (q + 1);
    return value;
  };
  const auto functions = static_cast<std::size_t>(basis().functions());
  test::Matrix matrix(functions, test::Vector(functions));
  test::Vector right(functions);
  double size = 0;
  for (const double x : evenly(-1.5, 2.25, 80)) {
    const auto row = engine_functions(basis(), x, Extrapolation::error);
    size = std::max(size, std::abs(polynomial(x)));
    for (std::size_t f = 0; f < functions; ++f) {
      right[f] += row[f] * polynomial(x);
      for (std::size_t g = 0; g < functions; ++g) matrix[f][g] += row[f] * row[g];
    }
  }
  const test::Vector c = test::solve_dense(matrix, right);
  for (const double x : evenly(-1.5, 2.25, 201)) {
    const auto row = engine_functions(basis(), x, Extrapolation::error);
    const auto fitted =
        static_cast<double>(std::inner_product(c.begin(), c.end(), row.begin(), test::Real{0}));
    EXPECT_NEAR(fitted, polynomial(x), 1e-9 * size);
  }
}

TEST_P(BasisOfDegree, DoesNotDependOnTheScaleOfItsCoordinate) {
  const UniformBasis unit = basis({0, 1, 5});
  const std::vector<std::pair<double, double>> ranges{{0, 1e-300},      {1e-300, 3e-300}, {-1e300, 1e300},
                                                      {0, 1e300},       {-1e-300, 1e300}, {1e15, 1e15 + 1024},
                                                      {-5e-200, 5e-200}};
  for (const auto& [first, last] : ranges) {
    const UniformBasis scaled = basis({first, last, 5});
    ASSERT_FALSE(scaled.constant());
    for (const double u : evenly(0, 1, 33)) {
      const double x = first * (1 - u) + last * u;
      const double rounding = std::max(std::abs(first), std::abs(last)) * 2e-16 / (last - first);
      EXPECT_LE(largest_difference(engine_functions(scaled, x, Extrapolation::continue_polynomial),
                                   engine_functions(unit, u, Extrapolation::error)),
                1e-13 + 100 * rounding)
          << first << ", " << last << ", " << u;
    }
  }
}

TEST_P(BasisOfDegree, TakesARangeTooSmallToDivideByForConstant) {
  EXPECT_TRUE(basis({0, 5e-324, 1}).constant());
  EXPECT_TRUE(basis({1e-310, 1.1e-310, 20}).constant());
  EXPECT_EQ(largest(engine_functions(basis({0, 5e-324, 1}), 1.0, Extrapolation::linear)), 0);
}

TEST(CubicBasis, HasAClosedFormThatEqualsTheRecursion) {
  for (double u = -2; u <= 3; u += 1.0 / 64) {
    std::vector<double> closed(4);
    local_values<3>(u, closed.data());
    const auto recursion = textbook_functions({0, 1, 1}, 3, u);
    EXPECT_LE(largest_difference(closed, recursion), 1e-15 * (1 + largest(recursion))) << u;
  }
}

TEST(CubicBasis, IsTheFamiliarSixthsAtAKnot) {
  const LocalBasis local = UniformBasis({0, 4, 4}, 3).evaluate(2, Extrapolation::error);
  EXPECT_EQ(local.cell, 2);
  EXPECT_DOUBLE_EQ(local.value[0], 1.0 / 6);
  EXPECT_DOUBLE_EQ(local.value[1], 4.0 / 6);
  EXPECT_DOUBLE_EQ(local.value[2], 1.0 / 6);
  EXPECT_EQ(local.value[3], 0);
}

TEST(Basis, RefusesADegreeOutOfRange) {
  for (const int degree : {-1, 0, 8})
    EXPECT_EQ(refusal(ErrorCode::invalid_argument,
                      [&] {
                        UniformBasis({0, 1, 3}, degree);
                      }),
              "The spline degree is " + std::to_string(degree) + "; it must lie between 1 and 7.");
}

TEST(Basis, RefusesAResolutionOutOfRange) {
  for (const int intervals : {0, -3, std::numeric_limits<int>::min()})
    EXPECT_EQ(refusal(ErrorCode::invalid_argument,
                      [&] {
                        UniformBasis({0, 1, intervals}, 3);
                      }),
              "The resolution is " + std::to_string(intervals) + "; a spline needs at least one interval.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument,
                    [&] {
                      UniformBasis({0, 1, std::numeric_limits<int>::max()}, 3);
                    }),
            "The resolution is 2147483647; it must not exceed 1000000.");
  EXPECT_EQ(UniformBasis({0, 1, max_intervals}, 7).functions(), 1'000'007);
}

TEST(Basis, RefusesARangeThatIsNotFiniteAndOrdered) {
  const auto sentence = [](double first, double last) {
    return refusal(ErrorCode::invalid_argument, [&] { UniformBasis({first, last, 3}, 3); });
  };
  const std::string start = "The range of a coordinate must be finite and ordered, but it goes from ";
  EXPECT_EQ(sentence(1, 0.5), start + "1 to 0.5.");
  EXPECT_EQ(sentence(0, nan), start + "0 to nan.");
  EXPECT_EQ(sentence(-infinity, 0), start + "-inf to 0.");
  EXPECT_EQ(sentence(-1.7e308, 1.7e308), start + "-1.7e+308 to 1.7e+308.");  // its length overflows
}

TEST(Knots, SpanTheDataInEqualSteps) {
  const std::vector<double> data{2, -1, 5, 0.5};
  const Knots knots = Knots::from_data(data, 4);
  EXPECT_EQ(knots.first, -1);
  EXPECT_EQ(knots.last, 5);
  EXPECT_EQ(knots.intervals, 4);
  for (int i = -3; i <= 7; ++i) EXPECT_DOUBLE_EQ(knots[i], -1 + 1.5 * i);
}

TEST(IndicatorBasis, HasAFunctionForEveryLevel) {
  for (const int levels : {1, 2, 30}) {
    const UniformBasis basis = UniformBasis::indicators(levels);
    EXPECT_EQ(basis.functions(), levels);
    EXPECT_EQ(basis.degree(), 0);
    EXPECT_FALSE(basis.constant());
    for (int level = 0; level < levels; ++level) {
      std::vector<double> expected(static_cast<std::size_t>(levels));
      expected[static_cast<std::size_t>(level)] = 1;
      for (const Extrapolation mode : everywhere) EXPECT_EQ(engine_functions(basis, level, mode), expected);
    }
  }
}

TEST(IndicatorBasis, CountsWhatIsNoLevelAsTheLastOne) {
  const UniformBasis basis = UniformBasis::indicators(4);
  for (const double x : {-1.0, -1e-300, 0.5, 1e-300, 2.9999, 4.0, 5.0, 1e300, -infinity, infinity, nan})
    for (const Extrapolation mode : {Extrapolation::linear, Extrapolation::error})
      EXPECT_EQ(engine_functions(basis, x, mode), (std::vector<double>{0, 0, 0, 1})) << x;
  EXPECT_EQ(engine_functions(basis, -0.0, Extrapolation::error), (std::vector<double>{1, 0, 0, 0}));
}

TEST(IndicatorBasis, NeedsALevel) {
  for (const int levels : {0, -3, 1000001})
    EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { UniformBasis::indicators(levels); }),
              "A category has " + std::to_string(levels) + " levels; it must have between 1 and 1000000.");
}

TEST(Knots, OfOneValueOrEqualValuesAreConstant) {
  EXPECT_TRUE(UniformBasis(Knots::from_data(std::vector{3.0}, 2), 3).constant());
  EXPECT_TRUE(UniformBasis(Knots::from_data(std::vector{3.0, 3.0, 3.0}, 2), 3).constant());
}

TEST(Knots, RefuseEmptyAndUnusableData) {
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [] { Knots::from_data({}, 3); }),
            "Knots need at least one value.");
  for (const double bad : {nan, infinity, -infinity})
    EXPECT_EQ(refusal(ErrorCode::invalid_data,
                      [&] {
                        Knots::from_data(std::vector{1.0, 2.0, bad}, 3);
                      }),
              "Value 2 is not a finite number; knots need finite values.");
}

}  // namespace
}  // namespace kore

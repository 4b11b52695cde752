// Where the optimum of the law lies, given how noisy its pilots are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kore/law.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

constexpr double n = 2000;
constexpr double beta = 4;
const BasisCount size{3, {6}};
const LawConstants truth{40, 0.05};

PilotPoint pilot(int resolution, double more = 0) {
  const double p = size(resolution);
  return {resolution, p,
          truth.bias_scale * std::pow(resolution, -2 * beta) + truth.variance_scale / (1 - p / n) + more};
}

const PilotPoint a = pilot(2);
const PilotPoint b = pilot(8);

double optimum(const PilotPoint& left, const PilotPoint& right) {
  return optimal_resolution(solve_pilots(left, right, n, beta), size, n, beta, 1, 64);
}

ResolutionInterval interval(const PilotNoise& noise, double lowest = 1, double highest = 64) {
  return optimal_interval(a, b, noise, size, n, beta, lowest, highest);
}

/// A pair of pilots' errors with the given variances.
class PilotErrors {
 public:
  PilotErrors(const PilotNoise& noise, std::uint64_t seed) : uniform_(seed) {
    first_ = std::sqrt(noise.variance_a);
    slope_ = noise.covariance / noise.variance_a;
    rest_ = std::sqrt(noise.variance_b - slope_ * noise.covariance);
  }
  std::pair<double, double> operator()() {
    const double in_a = first_ * normal();
    return {in_a, slope_ * in_a + rest_ * normal()};
  }

 private:
  double normal() {  // Box and Muller
    return std::sqrt(-2 * std::log(1 - uniform_())) * std::cos(2 * std::numbers::pi * uniform_());
  }
  test::Uniform uniform_;
  double first_ = 0;
  double slope_ = 0;
  double rest_ = 0;
};

TEST(OptimalInterval, ContainsTheOptimum) {
  for (const double variance : {1e-12, 1e-8, 1e-6, 1e-4}) {
    const ResolutionInterval found = interval({variance, variance, 0.5 * variance});
    EXPECT_LE(found.low, optimum(a, b));
    EXPECT_GE(found.high, optimum(a, b));
    EXPECT_GE(found.low, 1);
    EXPECT_LE(found.high, 64);
  }
}

TEST(OptimalInterval, ShrinksToTheOptimumAsTheNoiseVanishes) {
  double last = std::numeric_limits<double>::infinity();
  for (const double variance : {1e-7, 1e-9, 1e-11, 1e-13}) {
    const ResolutionInterval found = interval({variance, variance, 0});
    const double width = std::log(found.high / found.low);
    EXPECT_LT(width, last);
    last = width;
  }
  EXPECT_LT(last, 1e-3);
  EXPECT_NEAR(interval({0, 0, 0}).low, optimum(a, b), 1e-9);
  EXPECT_NEAR(interval({0, 0, 0}).high, optimum(a, b), 1e-9);
}

TEST(OptimalInterval, IsNarrowWhereThePilotsErrTogether) {
  // What adds to both pilots alike says nothing about where the lowest point is.
  const double variance = 1e-8;
  const ResolutionInterval apart = interval({variance, variance, 0});
  const ResolutionInterval together = interval({variance, variance, 0.99 * variance});
  EXPECT_LT(together.high / together.low, apart.high / apart.low);
}

TEST(OptimalInterval, HasTheSpreadThatNoisyPilotsGive) {
  for (const PilotNoise& noise :
       {PilotNoise{4e-6, 1e-6, 0}, PilotNoise{4e-6, 1e-6, 1.5e-6}, PilotNoise{1e-6, 4e-7, -2e-7}}) {
    PilotErrors errors(noise, 731);
    std::vector<double> optima;
    for (int draw = 0; draw < 20000; ++draw) {
      const auto [in_a, in_b] = errors();
      optima.push_back(optimum(pilot(2, in_a), pilot(8, in_b)));
    }
    std::ranges::sort(optima);
    const ResolutionInterval found = interval(noise);
    EXPECT_NEAR(std::log(found.low / optima[500]), 0, 0.1 * std::log(found.high / found.low));
    EXPECT_NEAR(std::log(found.high / optima[19500]), 0, 0.1 * std::log(found.high / found.low));
    const auto inside =
        std::ranges::count_if(optima, [&](double g) { return g >= found.low && g <= found.high; });
    EXPECT_NEAR(static_cast<double>(inside) / 20000, 0.95, 0.01);
  }
}

TEST(OptimalInterval, IsEverythingWhereThePilotsDoNotDetermineTheLaw) {
  const PilotNoise noise{1e-6, 1e-6, 0};
  const PilotPoint higher{8, size(8), 2 * a.loo};  // rising: no bias to speak of
  ASSERT_FALSE(solve_pilots(a, higher, n, beta).usable());
  const PilotPoint infinite{8, size(8), std::numeric_limits<double>::infinity()};
  for (const PilotPoint& bad : {higher, infinite, PilotPoint{a}}) {
    const ResolutionInterval found = optimal_interval(a, bad, noise, size, n, beta, 1, 40);
    EXPECT_EQ(found.low, 1);
    EXPECT_EQ(found.high, 40);
  }
}

TEST(OptimalInterval, StaysBetweenTheEnds) {
  const double best = optimum(a, b);
  const ResolutionInterval above = interval({1e-9, 1e-9, 0}, 1, best / 2);
  EXPECT_EQ(above.low, best / 2);
  EXPECT_EQ(above.high, best / 2);
  const ResolutionInterval below = interval({1e-9, 1e-9, 0}, 2 * best, 64);
  EXPECT_EQ(below.low, 2 * best);
  EXPECT_EQ(below.high, 2 * best);
  const ResolutionInterval noisy = interval({1, 1, 0}, 1, 64);
  EXPECT_EQ(noisy.low, 1);
  EXPECT_EQ(noisy.high, 64);
}

}  // namespace
}  // namespace kore

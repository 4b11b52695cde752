// Means carried back from the scale of a fit, against averages over errors that are known.
#include "fit/carried_means.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::Uniform;

struct Made {
  std::vector<double> eta;
  std::vector<double> target;
  std::vector<double> weight;

  UncarriedRows rows() const { return {target, eta, weight}; }
  Range limits(TargetScale scale) const {
    const auto [lowest, highest] = std::minmax_element(target.begin(), target.end());
    return prediction_limits(scale, {*lowest, *highest});
  }
};

double normal(Uniform& uniform) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum;
}

/// Targets whose `g` is `eta` with errors of a deviation that follows `eta`.
template <class Deviation>
Made made(TargetScale scale, double low, double high, std::size_t count, Deviation&& deviation) {
  Uniform uniform(7);
  Made all;
  for (std::size_t r = 0; r < count; ++r) {
    const double eta = uniform.between(low, high);
    all.eta.push_back(eta);
    all.target.push_back(from_scale(scale, eta + deviation(eta) * normal(uniform)));
    all.weight.push_back(1);
  }
  return all;
}

TEST(CarriedMeans, OfALogarithmWithEqualErrorsMultiplyByTheMeanOfTheirExponentials) {
  const Made all = made(TargetScale::logarithm, 0, 3, 20'000, [](double) { return 0.6; });
  const MeanShift shift =
      carried_means(TargetScale::logarithm, all.rows(), all.limits(TargetScale::logarithm));
  for (const double eta : {0.2, 1.5, 2.8}) EXPECT_NEAR(shift(eta), 0.6 * 0.6 / 2, 0.03);
}

TEST(CarriedMeans, FollowErrorsThatGrow) {
  const auto deviation = [](double eta) { return 0.2 + 0.3 * eta; };
  const Made all = made(TargetScale::logarithm, 0, 3, 40'000, deviation);
  const MeanShift shift =
      carried_means(TargetScale::logarithm, all.rows(), all.limits(TargetScale::logarithm));
  for (const double eta : {0.3, 1.5, 2.7}) EXPECT_NEAR(shift(eta), std::pow(deviation(eta), 2) / 2, 0.06);
}

TEST(CarriedMeans, OfASquareRootAddTheVariance) {
  const Made all = made(TargetScale::square_root, 2, 9, 20'000, [](double) { return 0.5; });
  const MeanShift shift =
      carried_means(TargetScale::square_root, all.rows(), all.limits(TargetScale::square_root));
  for (const double eta : {2.5, 5.0, 8.5})
    EXPECT_NEAR(mean_on(TargetScale::square_root, shift, eta), eta * eta + 0.25, 0.12);
}

TEST(CarriedMeans, AddUpToTheTargets) {
  for (const TargetScale scale : {TargetScale::square_root, TargetScale::logarithm}) {
    const Made all = made(scale, 1, 4, 3'000, [](double eta) { return 0.1 * eta; });
    const MeanShift shift = carried_means(scale, all.rows(), all.limits(scale));
    double means = 0;
    for (const double eta : all.eta) means += mean_on(scale, shift, eta);
    const double targets = std::accumulate(all.target.begin(), all.target.end(), 0.0);
    EXPECT_NEAR(means / targets, 1, 0.005);
  }
}

TEST(CarriedMeans, NeverFallHoweverFewTheRows) {
  for (const TargetScale scale : {TargetScale::square_root, TargetScale::logarithm})
    for (const std::size_t count : {1U, 2U, 30U, 700U}) {
      const Made all = made(scale, -1, 2, count, [](double eta) { return 2 - eta; });
      const MeanShift shift = carried_means(scale, all.rows(), all.limits(scale));
      double last = 0;
      for (double eta = -8; eta < 8; eta += 0.01) {
        const double mean = mean_on(scale, shift, eta);
        EXPECT_GE(mean, last * (1 - 1e-12));
        last = mean;
      }
    }
}

TEST(CarriedMeans, AreNotMovedByAWildValue) {
  Made all = made(TargetScale::logarithm, 0, 3, 2'000, [](double) { return 0.2; });
  all.eta.push_back(60);  // exp(60) would outweigh everything
  all.target.push_back(5);
  all.weight.push_back(1);
  const MeanShift shift =
      carried_means(TargetScale::logarithm, all.rows(), all.limits(TargetScale::logarithm));
  EXPECT_NEAR(shift(1.5), 0.02, 0.03);
}

TEST(CarriedMeans, OfRowsThatDoNotCountAreNotThere) {
  Made all = made(TargetScale::logarithm, 0, 3, 1'000, [](double) { return 0.4; });
  const MeanShift before = carried_means(TargetScale::logarithm, all.rows(), {0, 100});
  all.eta.push_back(1);
  all.target.push_back(90);
  all.weight.push_back(0);
  const MeanShift after = carried_means(TargetScale::logarithm, all.rows(), {0, 100});
  EXPECT_EQ(after.shifts, before.shifts);
}

TEST(PredictionLimits, AreNotNegativeOnOtherScales) {
  EXPECT_EQ(prediction_limits(TargetScale::identity, {1, 9}).lowest, -3);
  EXPECT_EQ(prediction_limits(TargetScale::logarithm, {1, 9}).lowest, 0);
  EXPECT_EQ(prediction_limits(TargetScale::square_root, {8, 10}).lowest, 7);
  EXPECT_EQ(prediction_limits(TargetScale::logarithm, {1, 9}).highest, 13);
}

}  // namespace
}  // namespace kore

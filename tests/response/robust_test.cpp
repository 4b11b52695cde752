// The robust response: squares for errors that noise explains, and a loss that levels off beyond.
#include "response/robust.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/made_up_rows.hpp"

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The mean of a function of standard normal noise.
double normal_mean(const auto& function) {
  constexpr double step = 1e-3;
  double sum = 0;
  for (double u = -9; u < 9; u += step)
    sum += function(u) * std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi) * step;
  return sum;
}

TEST(RobustWeight, IsOneWhereNoiseExplainsTheErrorAndZeroWhereItCannot) {
  for (const double error : {0.0, 1.0, -2.5}) EXPECT_EQ(robust_weight(error), 1);
  for (const double error : {5.0, -5.0, 100.0, infinity}) EXPECT_EQ(robust_weight(error), 0);
  double before = 1;
  for (double error = 2.6; error < 5; error += 0.1) {
    EXPECT_LT(robust_weight(error), before);
    EXPECT_EQ(robust_weight(-error), robust_weight(error));
    before = robust_weight(error);
  }
}

TEST(RobustWeight, HardlyCostsAnythingOnCleanNoise) {
  const auto pull = [](double u) { return u * robust_weight(u); };
  const auto slope = [&](double u) { return (pull(u + 1e-5) - pull(u - 1e-5)) / 2e-5; };
  const double efficiency =
      std::pow(normal_mean(slope), 2) / normal_mean([&](double u) { return pull(u) * pull(u); });
  EXPECT_NEAR(efficiency, 0.998, 0.0005);
  EXPECT_NEAR(normal_mean(robust_weight), 0.9993, 0.0001);
}

TEST(RobustLoss, IsTheSquareAndThenLevel) {
  EXPECT_EQ(robust_loss(2), 4);
  EXPECT_EQ(robust_loss(-2), 4);
  EXPECT_EQ(robust_loss(5), robust_loss(1e9));
  EXPECT_NEAR(robust_loss(5 - 1e-9), robust_loss(5), 1e-9);
}

TEST(RobustLoss, HasTheSlopeOfItsWorkingRows) {
  for (double error = -6; error < 6; error += 0.05) {
    const double slope = (robust_loss(error + 1e-6) - robust_loss(error - 1e-6)) / 2e-6;
    EXPECT_NEAR(slope, 2 * error * robust_weight(error), 1e-6) << error;
  }
}

TEST(RobustResponse, WeighsRowsByTheirResidualsInNoiseDeviations) {
  const std::vector<double> target{0, 10, 13, 1000, infinity};
  const std::vector<double> predictor{1, 4, 4, 4, 4};
  const std::vector<double> counts{2, 1, 1, 1, 0};
  WorkingMemory memory;
  const WorkingRows rows = RobustResponse(2).working_rows(target, counts, predictor, memory);
  EXPECT_EQ(rows.target.data(), target.data());
  EXPECT_EQ(rows.weights[0], 2);
  EXPECT_EQ(rows.weights[1], robust_weight(3));
  EXPECT_EQ(rows.weights[2], robust_weight(4.5));
  EXPECT_EQ(rows.weights[3], 0);
  EXPECT_EQ(rows.weights[4], 0) << "a row that does not count may have any target";
}

TEST(RobustResponse, HasTheSameLossInAllUnits) {
  EXPECT_NEAR(RobustResponse(2).loss(8, 1), 4 * RobustResponse(1).loss(4, 0.5), 1e-12);
}

TEST(RobustResponse, LeavesARowOutByItsLeverage) {
  const std::vector<double> target{3, 50};
  const std::vector<double> predictor{2, 1};
  const std::vector<double> leverage{0.5, 0};
  std::vector<double> residuals(2);
  std::vector<double> losses(2);
  std::vector<double> gains(2);
  const RobustResponse response(1);
  const LossSums sums =
      response.left_out({target, predictor, leverage, {}}, {2, 10, 1}, {residuals, losses, gains});
  EXPECT_EQ(residuals, (std::vector<double>{2, 49}));
  EXPECT_EQ(losses, (std::vector<double>{robust_loss(2), robust_loss(49)}));
  EXPECT_EQ(sums.left_out_loss, robust_loss(2) + robust_loss(49));
  EXPECT_EQ(sums.loss, robust_loss(1) + robust_loss(49));
  EXPECT_NEAR(gains[0], robust_loss(1 / 0.9) - robust_loss(2), 1e-12);
  EXPECT_EQ(gains[1], 0) << "no model can explain a gross error";
}

TEST(ResponseWithParameter, IsFoundByItsName) {
  EXPECT_EQ(response_with("robust", 2)->loss(3, 0), RobustResponse(2).loss(3, 0));
  EXPECT_EQ(response_with("normal", 0).get(), &normal_response());
  EXPECT_EQ(response_with("robust", 0), nullptr) << "noise has a deviation";
  EXPECT_EQ(response_with("robust", infinity), nullptr);
  EXPECT_EQ(response_with("abnormal", 1), nullptr);
}

}  // namespace
}  // namespace kore

// Responses with a link: deviances, working rows, and what holds for all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "kore/response.hpp"

namespace kore {
namespace {

struct Case {
  std::string_view name;
  double parameter;
  std::vector<double> targets;
};

class Families : public testing::TestWithParam<Case> {
 protected:
  std::shared_ptr<const Response> response = response_with(GetParam().name, GetParam().parameter);
  const std::vector<double> predictors{-2.3, -0.4, 0, 0.7, 1.9};
};

TEST_P(Families, AreFoundByNameAndParameter) {
  ASSERT_NE(response, nullptr);
  EXPECT_EQ(response->name(), GetParam().name);
  EXPECT_EQ(response->parameter(), GetParam().parameter);
  EXPECT_FALSE(response->fits_in_one_step());
}

TEST_P(Families, HaveALinkThatTheMeanInverts) {
  for (const double eta : predictors) EXPECT_NEAR(response->link(response->mean(eta)), eta, 1e-9);
}

TEST_P(Families, LoseNothingWhereTheMeanIsTheTarget) {
  for (const double y : GetParam().targets) {
    EXPECT_NEAR(response->loss(y, response->link(y)), 0, 1e-6) << y;
    for (const double eta : predictors) EXPECT_GE(response->loss(y, eta), 0);
  }
}

TEST_P(Families, HaveWorkingRowsWithTheSlopeOfTheLoss) {
  constexpr double step = 1e-5;
  for (const double y : GetParam().targets)
    for (const double eta : predictors) {
      const std::vector<double> target{y};
      const std::vector<double> predictor{eta};
      WorkingMemory memory;
      const WorkingRows rows = response->working_rows(target, {}, predictor, memory);
      const double slope = (response->loss(y, eta + step) - response->loss(y, eta - step)) / (2 * step);
      EXPECT_NEAR(-2 * rows.weights[0] * (rows.target[0] - eta), slope, 1e-5 * (1 + std::abs(slope)))
          << y << " at " << eta;
    }
}

TEST_P(Families, HaveTheExpectedCurvatureAtTheMean) {
  // Where the target is its mean, expected and actual curvature of the loss agree.
  constexpr double step = 1e-3;
  for (const double eta : predictors) {
    const double y = response->mean(eta);
    const std::vector<double> target{y};
    const std::vector<double> predictor{eta};
    WorkingMemory memory;
    const double weight = response->working_rows(target, {}, predictor, memory).weights[0];
    const double curvature =
        (response->loss(y, eta + step) - 2 * response->loss(y, eta) + response->loss(y, eta - step)) /
        (step * step);
    EXPECT_NEAR(curvature / 2, weight, 1e-3 * weight) << eta;
  }
}

TEST_P(Families, LoseToAnyPredictorWhatRowsLoseToTheirMeanAndTheirMeanToIt) {
  // So rows with the same features may be merged.
  const std::vector<double>& targets = GetParam().targets;
  double mean = 0;
  for (const double y : targets) mean += y / static_cast<double>(targets.size());
  for (const double eta : predictors) {
    double one_by_one = 0;
    double within = 0;
    for (const double y : targets) {
      one_by_one += response->loss(y, eta);
      within += response->loss(y, response->link(mean));
    }
    EXPECT_NEAR(one_by_one, within + static_cast<double>(targets.size()) * response->loss(mean, eta),
                1e-6 * (1 + one_by_one));
  }
}

TEST_P(Families, KeepPredictionsWhereTargetsSaySomething) {
  const PredictorLimits limits = response->limits({0.5, 8, 2, 100});
  EXPECT_TRUE(std::isfinite(limits.lowest) && std::isfinite(limits.highest));
  EXPECT_LT(limits.lowest, response->link(0.9));
  EXPECT_GT(limits.highest, response->link(0.9));
}

TEST_P(Families, LeaveOutRowsThatDoNotCountWithoutALoss) {
  const std::vector<double> target{GetParam().targets[0], GetParam().targets[1]};
  const std::vector<double> predictor{0.3, 0.3};
  const std::vector<double> leverage{0.2, 0};
  const std::vector<double> counts{2, 0};
  std::vector<double> residuals(2);
  std::vector<double> losses(2);
  std::vector<double> gains(2);
  const LossSums sums =
      response->left_out({target, predictor, leverage, counts}, {0.1, 50, 1}, {residuals, losses, gains});
  EXPECT_EQ(losses[1], 0);
  EXPECT_EQ(gains[1], 0);
  EXPECT_NEAR(sums.loss, 2 * response->loss(target[0], 0.3), 1e-12);
  EXPECT_NEAR(sums.left_out_loss, 2 * losses[0], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, Families,
                         testing::Values(Case{"binomial", 0, {0, 1, 1, 0, 1}},
                                         Case{"poisson", 1, {0, 3, 1, 7}},
                                         Case{"poisson", 0.25, {0, 3.5, 1.25}},
                                         Case{"gamma", 0, {0.2, 1.7, 4}},
                                         Case{"negative_binomial", 1.5, {0, 2, 9}}));

TEST(Families, WithoutTheirParameterAreNone) {
  EXPECT_EQ(response_with("negative_binomial", 0), nullptr);
  EXPECT_EQ(response_with("poisson", -1), nullptr);
  EXPECT_EQ(response_with("poisson", 0)->parameter(), 1) << "counts";
}

TEST(Binomial, HasTwiceTheLogLossAsDeviance) {
  const double eta = 0.8;
  const double p = binomial_response().mean(eta);
  EXPECT_NEAR(binomial_response().loss(1, eta), -2 * std::log(p), 1e-12);
  EXPECT_NEAR(binomial_response().loss(0, eta), -2 * std::log(1 - p), 1e-12);
  EXPECT_TRUE(std::isfinite(binomial_response().loss(1, -800)));
}

}  // namespace
}  // namespace kore

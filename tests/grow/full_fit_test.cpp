// A structure that a sample chose, fitted to all rows.
#include "grow/full_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/linear_form.hpp"
#include "support/family_rows.hpp"

namespace kore {
namespace {

using test::Rows;

constexpr std::size_t sample_rows = 400;
constexpr std::size_t all_rows = 1600;

GrowingData growing(const Rows& rows, const Response& response) {
  GrowingData data;
  data.response = &response;
  data.rows = rows.block();
  data.coordinates = coordinates_of(rows.features(), rows.block());
  data.features = features_of(data.coordinates);
  if (!response.fits_in_one_step()) data.constant_predictor = constant_of(response, data.rows);
  return data;
}

/// The penalty weights of all rows over those without further shrinkage, where a sample chose to shrink ten
/// times more.
std::vector<double> shrunk_over_solved(const Response& response) {
  const Rows all = test::family_rows("poisson", all_rows, 91);
  const Rows sample = test::family_rows("poisson", sample_rows, 95);
  const GrowingData data = growing(sample, response);
  Stage stage = fit_penalised(data, main_effects(data, 8));
  const FullFitLimits limits{all_rows, static_cast<double>(all_rows)};
  const auto fitted = [&](double shrinkage) {
    stage.shrinkage = shrinkage;
    return fit_all_rows(data, stage, true, all.source(), limits);
  };
  const FullFit solved = fitted(1);
  const FullFit shrunk = fitted(10);
  std::vector<double> ratios;
  for (std::size_t t = 0; t < solved.terms.size(); ++t)
    for (std::size_t k = 0; k < solved.terms[t].weights.size(); ++k)
      if (solved.terms[t].parameters > 1)
        ratios.push_back(shrunk.terms[t].weights[k] / solved.terms[t].weights[k]);
  return ratios;
}

TEST(FullFit, ShrinksNumbersAsMuchAsTheSampleDid) {
  const std::vector<double> ratios = shrunk_over_solved(normal_response());
  ASSERT_FALSE(ratios.empty());
  for (const double ratio : ratios) EXPECT_NEAR(ratio, 10, 1e-9);
}

TEST(FullFit, ShrinksFamiliesLessTheMoreRowsThereAre) {
  const std::vector<double> ratios = shrunk_over_solved(poisson_response());
  ASSERT_FALSE(ratios.empty());
  // Solved at other working rows, so that the weights are not quite those times the factor.
  for (const double ratio : ratios) EXPECT_NEAR(ratio, std::pow(10, 0.25), 0.2);
}

/// How far the sum of errors of all rows is from zero, in its standard deviations. Where a fit is settled,
/// the slope of its loss by the constant vanishes.
double constant_left(const char* family, const Response& response) {
  const Rows all = test::family_rows(family, all_rows, 97);
  const Rows sample = test::family_rows(family, 60, 99);
  const GrowingData data = growing(sample, response);
  const Stage stage = fit_penalised(data, main_effects(data, 3));
  const FullFit fitted =
      fit_all_rows(data, stage, true, all.source(), {all_rows, static_cast<double>(all_rows)});
  EXPECT_TRUE(fitted.convergence.settled);
  std::vector<double> predictor(all_rows);
  evaluate_rows(fitted.smoother.design(), fitted.smoother.intercept(), fitted.smoother.coefficients(),
                Extrapolation::linear, all.view(), predictor, 1);
  WorkingMemory memory;
  const WorkingRows rows = response.working_rows(all.y, {}, predictor, memory);
  double sum = 0;
  double variance = 0;
  for (std::size_t r = 0; r < all_rows; ++r) {
    sum += rows.weights[r] * (rows.target[r] - predictor[r]);
    variance += rows.weights[r];
  }
  return std::abs(sum) / std::sqrt(variance);
}

TEST(FullFit, IsSettledThoughTheSampleWasFarFromIt) {
  EXPECT_LT(constant_left("binomial", binomial_response()), 0.02);
  EXPECT_LT(constant_left("poisson", poisson_response()), 0.02);
  EXPECT_LT(constant_left("gamma", gamma_response()), 0.02);
}

}  // namespace
}  // namespace kore

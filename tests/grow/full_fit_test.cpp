// A structure that a sample chose, fitted to all rows.
#include "grow/full_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace kore

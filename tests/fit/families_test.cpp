// Fits of yes and no, counts and amounts, from rows to a saved model.
#include <gtest/gtest.h>

#include <cmath>

#include "fit/family_accuracy.hpp"
#include "fit/overdispersion.hpp"
#include "kore/fit.hpp"
#include "support/family_rows.hpp"
#include "support/refusal.hpp"
#include "support/scattered_source.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::family_options;
using test::family_rows;
using test::Rows;

class FamilyFit : public testing::TestWithParam<const char*> {
 protected:
  Options options = family_options(GetParam());
};

void expect_says(const std::string& sentence, const std::string& part) {
  EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
}

std::vector<double> true_means(const Response& response, const Rows& rows) {
  std::vector<double> means;
  for (std::size_t r = 0; r < rows.count; ++r) means.push_back(response.mean(test::true_predictor(rows, r)));
  return means;
}

TEST_P(FamilyFit, FindsTheMeansAndStatesTheDevianceOfNewRows) {
  const Rows rows = family_rows(GetParam(), 1200, 51);
  const Model model = fit(rows.source(), options);
  EXPECT_EQ(model.family, GetParam());
  const auto response = response_of(model);
  const Rows fresh = family_rows(GetParam(), 4000, 61);
  const std::vector<double> predicted = predict(model, fresh.view());
  double deviance = 0;
  double of_truth = 0;
  const std::vector<double> truth = true_means(*response, fresh);
  for (std::size_t r = 0; r < fresh.count; ++r) {
    deviance += response->loss(fresh.y[r], response->link(predicted[r])) / 4000;
    of_truth += response->loss(fresh.y[r], response->link(truth[r])) / 4000;
  }
  EXPECT_LT(deviance, 1.06 * of_truth);
  ASSERT_TRUE(model.summary.accuracy && model.summary.accuracy->family);
  EXPECT_NEAR(model.summary.accuracy->family->deviance / deviance, 1, 0.12);
  EXPECT_GT(model.summary.accuracy->family->explained(), 0.1);
  EXPECT_NEAR(model.summary.accuracy->family->dispersion / model.summary.noise_variance, 1, 0.25);
}

TEST_P(FamilyFit, HasTheSameBitsOnAnyThreadsAndFromAStream) {
  const Rows rows = family_rows(GetParam(), 500, 52);
  options.threads = 1;
  const std::vector<double> one = predict(fit(rows.source(), options), rows.view());
  options.threads = 3;
  EXPECT_EQ(predict(fit(rows.source(), options), rows.view()), one);
  EXPECT_EQ(predict(fit(test::StreamingSource(rows), options), rows.view()), one);
}

TEST_P(FamilyFit, OfALongTableIsTheSameWhereverItsRowsAre) {
  const Rows rows = family_rows(GetParam(), 1500, 53);
  options.grown().structure_rows = 400;
  const Model here = fit(rows.source(), options);
  const std::vector<double> one = predict(here, rows.view());
  EXPECT_EQ(here.summary.structure_rows, 400U);
  const std::vector<double> streamed = predict(fit(test::StreamingSource(rows), options), rows.view());
  const std::vector<double> scattered = predict(fit(test::ScatteredSource(rows), options), rows.view());
  for (std::size_t r = 0; r < rows.count; ++r) {
    EXPECT_NEAR(streamed[r], one[r], 1e-8 * (1 + one[r]));
    EXPECT_NEAR(scattered[r], one[r], 1e-8 * (1 + one[r]));
  }
  const Model whole = fit(rows.source(), family_options(GetParam()));
  EXPECT_NEAR(here.summary.loo_r2(), whole.summary.loo_r2(), 0.06);
}

TEST(LongTablesOfYesAndNo, AreNotThrownOffByRowsThatSayTheOpposite) {
  // Nearly separated in the sample; a few other rows contradict it.
  Rows rows = test::made_up_rows(4000, 2, 71);
  for (std::size_t r = 0; r < rows.count; ++r) {
    const bool yes = rows.at(r, 0) + 0.3 * rows.at(r, 1) > 0.6;
    rows.y[r] = yes != (r % 400 == 7) ? 1 : 0;
  }
  Options options = family_options("binomial");
  options.grown().structure_rows = 400;
  const Model model = fit(rows.source(), options);
  ASSERT_TRUE(model.summary.accuracy && model.summary.accuracy->family);
  EXPECT_GT(model.summary.accuracy->family->explained(), 0.8);
  EXPECT_GT(model.summary.loo_r2(), 0.8);
  const std::vector<double> predicted = predict(model, rows.view());
  std::size_t right = 0;
  for (std::size_t r = 0; r < rows.count; ++r) right += (predicted[r] > 0.5) == (rows.y[r] > 0.5) ? 1 : 0;
  EXPECT_GT(right, 3900U);
}

TEST_P(FamilyFit, IsTheSameInAFile) {
  const Rows rows = family_rows(GetParam(), 300, 54);
  const Model model = fit(rows.source(), options);
  const Model read = model_from_bytes(to_bytes(model));
  EXPECT_EQ(read.family, model.family);
  EXPECT_EQ(read.family_parameter, model.family_parameter);
  EXPECT_EQ(predict(read, rows.view()), predict(model, rows.view()));
  EXPECT_EQ(read.summary.accuracy->family->deviance, model.summary.accuracy->family->deviance);
  EXPECT_EQ(read.summary.null_deviance, model.summary.null_deviance);
  EXPECT_EQ(to_bytes(read), to_bytes(model));
}

TEST_P(FamilyFit, TakesAWeightOfTwoForARowGivenTwice) {
  Rows rows = family_rows(GetParam(), 250, 55);
  std::vector<std::size_t> twice;
  for (std::size_t r = 0; r < 250; ++r) twice.insert(twice.end(), {r, r});
  const std::vector<double> stacked = predict(fit(rows.pick(twice).source(), options), rows.view());
  rows.weights.assign(250, 2);
  const std::vector<double> weighted = predict(fit(rows.source(), options), rows.view());
  for (std::size_t r = 0; r < 250; ++r) EXPECT_NEAR(stacked[r], weighted[r], 1e-9 * (1 + weighted[r]));
}

TEST_P(FamilyFit, LeavesOutResidualsThatBelongToTheStatedLoss) {
  const Rows rows = family_rows(GetParam(), 300, 56);
  const Model model = fit(rows.source(), options);
  const auto response = response_of(model);
  const std::vector<double> residuals = loo_residuals(rows.source(), model);
  double deviance = 0;
  for (std::size_t r = 0; r < rows.count; ++r)
    deviance += response->loss(rows.y[r], response->link(rows.y[r] - residuals[r])) / 300;
  EXPECT_NEAR(deviance, model.summary.loo, 0.02 * model.summary.loo);
}

INSTANTIATE_TEST_SUITE_P(All, FamilyFit,
                         testing::Values("binomial", "poisson", "gamma", "negative_binomial"));

TEST(NoiseOfAFamily, GetsItsMean) {
  Rows rows = family_rows("binomial", 150, 57);
  test::Uniform uniform(58);
  for (double& y : rows.y) y = uniform() < 0.3 ? 1 : 0;
  const Model model = fit(rows.source(), family_options("binomial"));
  const std::vector<double> predicted = predict(model, rows.view());
  double mean = 0;
  for (const double y : rows.y) mean += y / 150;
  EXPECT_LT(*std::ranges::max_element(predicted) - *std::ranges::min_element(predicted), 0.15);
  EXPECT_NEAR(predicted[0], mean, 0.1);
}

TEST(Rates, AreThoseOfCountsOverExposures) {
  // Counts of rows that are split in two have the same rates as the rows.
  Rows rows = family_rows("poisson", 400, 59);
  Options options = family_options("poisson");
  const std::vector<double> counts = predict(fit(rows.source(), options), rows.view());
  // Every row with an exposure of 4: rates are a quarter, and so is the dispersion.
  for (double& y : rows.y) y /= 4;
  options.grown().dispersion = 0.25;
  const std::vector<double> rates = predict(fit(rows.source(), options), rows.view());
  for (std::size_t r = 0; r < 400; ++r) EXPECT_NEAR(4 * rates[r], counts[r], 1e-6 * counts[r]);
}

TEST(Overdispersion, IsToldAndIsOneForPoissonCounts) {
  const Model plain = fit(family_rows("poisson", 1500, 60).source(), family_options("poisson"));
  EXPECT_LT(plain.summary.overdispersion, 1.15);
  const Model more = fit(family_rows("negative_binomial", 1500, 60).source(), family_options("poisson"));
  EXPECT_GT(more.summary.overdispersion, 1.3);
}

TEST(Overdispersion, IsThatAroundTheInteractionsOfTheModel) {
  // Around main effects alone, these counts vary by far more than Poisson's.
  Rows rows = test::made_up_rows(900, 2, 75);
  test::Uniform uniform(76);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] =
        test::poisson_draw(uniform, std::exp(2.5 + 6 * (rows.at(r, 0) - 0.5) * (rows.at(r, 1) - 0.5)));
  const Model model = fit(rows.source(), family_options("poisson"));
  EXPECT_EQ(model.summary.structure, Structure::pairwise);
  EXPECT_LT(model.summary.overdispersion, 1.3);
}

TEST(NegativeBinomial, SolvesForItsParameter) {
  const Model model =
      fit(family_rows("negative_binomial", 3000, 62).source(), family_options("negative_binomial"));
  EXPECT_NEAR(model.family_parameter, 3, 0.9);
}

TEST(CountIntervals, CoverNewCounts) {
  for (const char* family : {"poisson", "negative_binomial"}) {
    const Model model = fit(family_rows(family, 1500, 63).source(), family_options(family));
    const Rows fresh = family_rows(family, 4000, 64);
    const std::vector<double> predicted = predict(model, fresh.view());
    const IntervalOffsets offsets = interval_offsets(model, 0.9);
    double covered = 0;
    for (std::size_t r = 0; r < fresh.count; ++r)
      covered += interval_around(model, offsets, predicted[r]).covers(fresh.y[r]) ? 1.0 / 4000 : 0;
    EXPECT_GT(covered, 0.88) << family;
    EXPECT_LT(covered, 0.99) << family;
  }
}

TEST(BinomialModels, HaveNoIntervals) {
  const Model model = fit(family_rows("binomial", 200, 65).source(), family_options("binomial"));
  expect_says(test::refusal(ErrorCode::invalid_argument, [&] { interval_offsets(model, 0.9); }), "yes or no");
}

TEST(ProbabilityBands, CoverTheTrueProbabilities) {
  double covered = 0;
  double width = 0;
  constexpr int tables = 12;
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const Rows rows = family_rows("binomial", 800, 700 + 2 * seed);
    const Model model = fit(rows.source(), family_options("binomial"));
    const Rows fresh = family_rows("binomial", 500, 900 + 2 * seed);
    const ProbabilityBands bands = probability_bands(model, fresh.view(), 0.9);
    const std::vector<double> truth = true_means(*response_of(model), fresh);
    for (std::size_t r = 0; r < fresh.count; ++r) {
      covered += bands.lower[r] <= truth[r] && truth[r] <= bands.upper[r] ? 1.0 / (500 * tables) : 0;
      width += (bands.upper[r] - bands.lower[r]) / (500 * tables);
    }
  }
  RecordProperty("covered", std::to_string(covered));
  EXPECT_GT(covered, 0.85) << covered;
  EXPECT_LT(covered, 0.97);
  EXPECT_LT(width, 0.25);
}

TEST(ProbabilityBands, NeedProbabilities) {
  const Rows rows = family_rows("poisson", 200, 81);
  const Model counts = fit(rows.source(), family_options("poisson"));
  expect_says(
      test::refusal(ErrorCode::invalid_argument, [&] { probability_bands(counts, rows.view(), 0.9); }),
      "poisson");
}

TEST(AreaUnderRoc, CountsPairsInTheRightOrder) {
  HeldOut rows;
  rows.add(0, 0.1, 1);
  rows.add(1, 0.4, 1);
  rows.add(0, 0.4, 1);
  rows.add(1, 0.9, 2);
  // Pairs: (0.4 over 0.1) right, (0.4 over 0.4) half, and four of 0.9, right.
  EXPECT_DOUBLE_EQ(area_under_roc(rows), (1 + 0.5 + 4) / 6.0);
}

TEST(FamilyTargets, AreRefusedWhereTheFamilyCannotHaveThem) {
  Rows rows = family_rows("poisson", 50, 66);
  const auto refused = [&](const char* family) {
    return test::refusal(ErrorCode::invalid_data, [&] { fit(rows.source(), family_options(family)); });
  };
  expect_says(refused("binomial"), "needs 0 and 1");
  expect_says(refused("gamma"), "needs positive ones");
  rows.y[3] = -1;
  expect_says(refused("poisson"), "at least 0");
  expect_says(refused("negative_binomial"), "at least 0");
  rows.y.assign(50, 1);
  expect_says(refused("binomial"), "is 1 in every row");
}

}  // namespace
}  // namespace kore

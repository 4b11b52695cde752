// Graph discovery against its definition, written out densely.
#include "kore/screening.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

double weighted_variance(const std::vector<double>& values, const RowBlock& rows) {
  double weight = 0;
  double mean = 0;
  for (std::size_t r = 0; r < values.size(); ++r) {
    weight += rows.weight(r);
    mean += rows.weight(r) * values[r];
  }
  mean /= weight;
  double squares = 0;
  for (std::size_t r = 0; r < values.size(); ++r)
    squares += rows.weight(r) * (values[r] - mean) * (values[r] - mean);
  return squares / weight;
}

/// Fitted values of a ridge regression on the given columns.
std::vector<double> fitted_values(const test::Matrix& columns, const std::vector<double>& y,
                                  const RowBlock& rows, const ScreeningOptions& options) {
  const std::size_t p = columns.front().size();
  test::Matrix normal(p, test::Vector(p, 0));
  test::Vector right(p, 0);
  for (std::size_t r = 0; r < y.size(); ++r)
    for (std::size_t i = 0; i < p; ++i) {
      right[i] += test::Real{rows.weight(r)} * columns[r][i] * y[r];
      for (std::size_t j = 0; j < p; ++j)
        normal[i][j] += test::Real{rows.weight(r)} * columns[r][i] * columns[r][j];
    }
  test::Real trace = 0;
  for (std::size_t i = 0; i < p; ++i) trace += normal[i][i];
  for (std::size_t i = 0; i < p; ++i)
    normal[i][i] += options.relative_ridge ? options.ridge * trace / p : test::Real{options.ridge};
  const test::Vector solution = test::solve_dense(normal, right);
  std::vector<double> fitted;
  for (const test::Vector& row : columns) fitted.push_back(static_cast<double>(test::dot(row, solution)));
  return fitted;
}

/// The explained fraction of one pair (REFERENCE, section 4): an additive fit, its residuals, and the
/// products of two centred blocks fitted to them.
double explained_by_definition(const Rows& rows, const std::vector<Feature>& features, FeaturePair pair,
                               const ScreeningOptions& options) {
  const RowBlock block = rows.block();
  const Design additive = Design::additive(features, options.additive_resolution, options.degree);
  std::vector<double> residuals =
      fitted_values(test::dense_design(additive, block, block), rows.y, block, options);
  for (std::size_t r = 0; r < rows.count; ++r) residuals[r] = rows.y[r] - residuals[r];
  const Design product(features,
                       {{{pair.first, pair.second}, {options.pair_resolution, options.pair_resolution}}},
                       options.degree, Parametrisation::centred);
  test::Matrix columns = test::dense_design(product, block, block);
  for (test::Vector& row : columns) row.erase(row.begin());  // no intercept
  return weighted_variance(fitted_values(columns, residuals, block, options), block) /
         weighted_variance(residuals, block);
}

ScreeningOptions plain_options() { return {}; }

void expect_scores_by_definition(const Rows& rows, const std::vector<Feature>& features,
                                 const ScreeningOptions& options) {
  const auto ranked = screen_pairs(rows.source(), features, options);
  ASSERT_EQ(ranked.size(), all_pairs(rows.columns).size());
  for (const ScoredPair& scored : ranked)
    EXPECT_NEAR(scored.explained, explained_by_definition(rows, features, scored.pair, options), 1e-8)
        << scored.pair.first << ", " << scored.pair.second;
  for (std::size_t i = 0; i + 1 < ranked.size(); ++i) EXPECT_GE(ranked[i].explained, ranked[i + 1].explained);
  EXPECT_EQ(ranked.front().pair, (FeaturePair{0, 1}));  // the interaction of the made-up target
}

void expect_scores_by_definition(const Rows& rows, const ScreeningOptions& options) {
  expect_scores_by_definition(rows, rows.features(), options);
}

TEST(Screening, ScoresPairsByTheirDefinition) {
  expect_scores_by_definition(made_up_rows(150, 4, 201), plain_options());
}

TEST(Screening, ScoresPairsByTheirDefinitionUnderWeights) {
  Rows rows = made_up_rows(150, 4, 202);
  rows.weights = test::uneven_weights(rows.count, 203);
  expect_scores_by_definition(rows, plain_options());
}

TEST(Screening, ScoresPairsByTheirDefinitionForOtherDegreesAndRidges) {
  for (const int degree : {1, 2, 4}) {
    ScreeningOptions options;
    options.degree = degree;
    options.additive_resolution = 3;
    options.pair_resolution = 1;
    options.ridge = 1e-6;
    options.relative_ridge = true;
    expect_scores_by_definition(made_up_rows(150, 3, 204), options);
  }
}

TEST(Screening, ScoresPairsOfCategoriesAndWarpedFeaturesByTheirDefinition) {
  Rows rows = made_up_rows(200, 4, 218);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 1) = std::floor(4 * rows.at(r, 1));
    rows.at(r, 3) = std::floor(2 * rows.at(r, 3));
    rows.y[r] = std::sin(3 * rows.at(r, 0)) * (rows.at(r, 1) - 1.5) + 0.3 * rows.at(r, 2) * rows.at(r, 3);
  }
  std::vector<Feature> features = rows.features();
  features[0].warp = {{features[0].range.lowest, 0.4, features[0].range.highest}, {0, 0.7, 1}};
  features[1].kind = features[3].kind = FeatureKind::category;
  features[1].levels = 4;
  features[3].levels = 2;
  expect_scores_by_definition(rows, features, plain_options());
}

TEST(Screening, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Rows rows = made_up_rows(3000, 6, 205);
  std::vector<std::vector<ScoredPair>> ranked;
  for (const int threads : {1, 2, 4}) {
    ScreeningOptions options;
    options.threads = threads;
    ranked.push_back(screen_pairs(rows.source(), rows.features(), options));
  }
  for (std::size_t t : {1U, 2U})
    for (std::size_t i = 0; i < ranked[0].size(); ++i) {
      EXPECT_EQ(ranked[t][i].pair, ranked[0][i].pair);
      EXPECT_EQ(ranked[t][i].explained, ranked[0][i].explained);
    }
}

TEST(Screening, TakesAllCoresForZeroThreads) {
  const Rows rows = made_up_rows(3000, 4, 206);
  ScreeningOptions all_cores;
  all_cores.threads = 0;
  const auto ours = screen_pairs(rows.source(), rows.features(), all_cores);
  const auto alone = screen_pairs(rows.source(), rows.features(), plain_options());
  ASSERT_EQ(ours.size(), alone.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(ours[i].explained, alone[i].explained);
}

TEST(Screening, ReadsAStreamTwiceAndRanksAsInMemory) {
  const Rows rows = made_up_rows(900, 5, 207);
  const test::StreamingSource stream(rows);
  const auto streamed = screen_pairs(stream, rows.features(), plain_options());
  EXPECT_EQ(stream.passes(), 2);
  const auto in_memory = screen_pairs(rows.source(), rows.features(), plain_options());
  ASSERT_EQ(streamed.size(), in_memory.size());
  for (std::size_t i = 0; i < streamed.size(); ++i) {
    EXPECT_EQ(streamed[i].pair, in_memory[i].pair);
    EXPECT_NEAR(streamed[i].explained, in_memory[i].explained, 1e-9);
  }
}

TEST(Screening, FindsNothingWhereTheAdditiveFitLeavesNothing) {
  Rows rows = made_up_rows(4000, 3, 208);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = 1 + 2 * rows.at(r, 0) - rows.at(r, 2);
  EXPECT_TRUE(screen_pairs(rows.source(), rows.features(), plain_options()).empty());
  std::fill(rows.y.begin(), rows.y.end(), 0.0);
  EXPECT_TRUE(screen_pairs(rows.source(), rows.features(), plain_options()).empty());
}

TEST(Screening, FindsNothingWithoutASecondFeature) {
  const Rows rows = made_up_rows(100, 1, 209);
  EXPECT_TRUE(screen_pairs(rows.source(), rows.features(), plain_options()).empty());
}

TEST(Screening, PassesOverPairsWithTooManyColumnsForTheRows) {
  // A cubic pair at resolution 2 has 16 columns, which 0.45 times the rows must exceed.
  EXPECT_TRUE(
      screen_pairs(made_up_rows(35, 2, 210).source(), made_up_rows(35, 2, 210).features(), plain_options())
          .empty());
  EXPECT_EQ(
      screen_pairs(made_up_rows(36, 2, 210).source(), made_up_rows(36, 2, 210).features(), plain_options())
          .size(),
      1U);
}

TEST(Screening, KeepsTheOrderOfPairsOnATie) {
  Rows rows = made_up_rows(200, 2, 211);
  rows = rows.with_column(2, rows.column(1));
  const auto ranked = screen_pairs(rows.source(), rows.features(), plain_options());
  ASSERT_EQ(ranked.size(), 3U);
  EXPECT_EQ(ranked[0].explained, ranked[1].explained);
  EXPECT_EQ(ranked[0].pair, (FeaturePair{0, 1}));
  EXPECT_EQ(ranked[1].pair, (FeaturePair{0, 2}));
}

TEST(Screening, GivesAPairWithAConstantFeatureNothing) {
  const Rows rows = made_up_rows(200, 2, 212).with_column(1, std::vector<double>(200, 3.0));
  for (const bool relative : {false, true}) {
    ScreeningOptions options;
    options.relative_ridge = relative;
    const auto ranked = screen_pairs(rows.source(), rows.features(), options);
    ASSERT_EQ(ranked.size(), 3U);
    EXPECT_EQ(ranked[0].pair, (FeaturePair{0, 2}));
    EXPECT_GT(ranked[0].explained, 0.1);
    EXPECT_EQ(ranked[1].explained, 0);
    EXPECT_EQ(ranked[2].explained, 0);
  }
}

TEST(Screening, IsNotMisledByAConstantFeatureInFront) {
  const Rows plain = made_up_rows(200, 3, 215);
  const Rows rows = plain.with_column(0, std::vector<double>(200, 3.0));
  const auto expected = screen_pairs(plain.source(), plain.features(), plain_options());
  const auto ranked = screen_pairs(rows.source(), rows.features(), plain_options());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(ranked[i].pair, (FeaturePair{expected[i].pair.first + 1, expected[i].pair.second + 1}));
    EXPECT_NEAR(ranked[i].explained, expected[i].explained, 1e-6);
  }
}

TEST(Screening, FindsNothingWhereAllFeaturesAreConstant) {
  Rows rows = made_up_rows(100, 3, 216);
  std::fill(rows.x.begin(), rows.x.end(), 1.0);
  for (const bool relative : {false, true}) {
    ScreeningOptions options;
    options.relative_ridge = relative;
    for (const ScoredPair& scored : screen_pairs(rows.source(), rows.features(), options))
      EXPECT_EQ(scored.explained, 0);
  }
}

TEST(Screening, PassesOverRowsOfZeroWeightHoweverFarTheyLie) {
  Rows rows = made_up_rows(200, 3, 217);
  rows.weights.assign(rows.count, 1.0);
  rows.weights[5] = 0;
  const auto features = rows.features();
  const auto expected = screen_pairs(rows.source(), features, plain_options());
  rows.at(5, 1) = 1e250;  // its cube overflows
  const auto ranked = screen_pairs(rows.source(), features, plain_options());
  ASSERT_EQ(ranked.size(), expected.size());
  for (std::size_t i = 0; i < ranked.size(); ++i)
    EXPECT_NEAR(ranked[i].explained, expected[i].explained, 1e-12);
}

TEST(Screening, RefusesFeaturesThatAreNotThoseOfTheRows) {
  const Rows rows = made_up_rows(100, 2, 213);
  const auto features = made_up_rows(100, 3, 213).features();
  EXPECT_EQ(test::refusal(ErrorCode::invalid_argument,
                          [&] { screen_pairs(rows.source(), features, plain_options()); }),
            "3 features were given for data of 2 columns.");
}

TEST(Screening, RefusesDataThatAreNotFinite) {
  Rows rows = made_up_rows(100, 2, 214);
  const auto features = rows.features();
  rows.y[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      test::refusal(ErrorCode::invalid_data, [&] { screen_pairs(rows.source(), features, plain_options()); }),
      "The residuals of the additive fit are not finite: the data hold missing or infinite values, or "
      "no rows at "
      "all.");
}

TEST(KeptPairs, ReachTheThresholdInTheirOrderAndNotMoreThanAllowed) {
  const std::vector<ScoredPair> ranked{
      {{2, 3}, 0.5}, {{0, 1}, 0.3}, {{1, 4}, 0.02}, {{0, 2}, 0.0199}, {{0, 4}, 0}};
  const std::vector<FeaturePair> expected{{2, 3}, {0, 1}, {1, 4}};
  EXPECT_EQ(keep_pairs(ranked, 0.02, 5), expected);
  EXPECT_EQ(keep_pairs(ranked, 0.02, 2), (std::vector<FeaturePair>{{2, 3}, {0, 1}}));
  EXPECT_EQ(keep_pairs(ranked, 0, 99).size(), 5U);
  EXPECT_TRUE(keep_pairs(ranked, 0.51, 5).empty());
  EXPECT_TRUE(keep_pairs(ranked, 0, 0).empty());
  EXPECT_TRUE(keep_pairs({}, 0, 5).empty());
}

}  // namespace
}  // namespace kore

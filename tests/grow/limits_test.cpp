// How large a growing model may become, and what it does where that is not enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grow/grow.hpp"
#include "grow/made_up_growth.hpp"
#include "kore/error.hpp"
#include "support/error_of.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::error_of;
using test::made_up_rows;
using test::MadeUpGrowth;
using test::refusal;
using test::Rows;

const Stage& chosen(const Growth& growth) { return growth.stages[growth.chosen]; }

std::size_t columns(const Stage& stage) { return stage.function->design.columns(); }

/// Rows with a last column that is a category of `levels` levels.
MadeUpGrowth with_category(std::size_t count, std::size_t columns, int levels, std::uint64_t seed) {
  Rows rows = made_up_rows(count, columns, seed, 0.2);
  for (std::size_t r = 0; r < count; ++r)
    rows.at(r, columns - 1) = static_cast<double>(r % static_cast<std::size_t>(levels));
  std::vector<Feature> features = rows.features();
  features.back() = {"level", {0, levels - 1.0}, FeatureKind::category, levels};
  return {std::move(rows), std::move(features)};
}

TEST(ColumnLimit, OfInteractionsLeavesMainEffectsAsTheyAre) {
  Rows rows = made_up_rows(800, 4, 901, 0.2);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] += std::sin(5 * rows.at(r, 2)) * rows.at(r, 3);
  const MadeUpGrowth made_up(std::move(rows));
  GrowOptions tight;
  tight.interaction_columns = 20;
  const Growth free = grow(made_up.data, {});
  const Growth bound = grow(made_up.data, tight);
  ASSERT_TRUE(std::ranges::any_of(
      free.stages, [&](const Stage& stage) { return interaction_columns(made_up.data, stage.terms) > 20; }));
  bool some = false;
  for (const Stage& stage : bound.stages) {
    EXPECT_LE(interaction_columns(made_up.data, stage.terms), 20U);
    some = some || stage.order() > 1;
  }
  EXPECT_TRUE(some) << "one pair at G = 2 has 16 columns";
  EXPECT_EQ(bound.additive.resolution, free.additive.resolution);
  EXPECT_EQ(bound.stages[1].main_resolution(), free.stages[1].main_resolution());
}

TEST(ColumnLimit, OfInteractionsMayBeNone) {
  const MadeUpGrowth made_up(made_up_rows(500, 3, 903, 0.2));
  GrowOptions none;
  none.interaction_columns = 0;
  const Growth growth = grow(made_up.data, none);
  for (const Stage& stage : growth.stages) EXPECT_EQ(stage.order(), 1U);
  EXPECT_GE(chosen(growth).main_resolution(), 12);
}

TEST(ColumnLimit, TurnsCurvesThatDoNotFitIntoLines) {
  const MadeUpGrowth made_up(made_up_rows(300, 40, 905, 0.2));  // 121 columns of curves, 41 of lines
  GrowOptions options;
  options.max_columns = 60;
  const Growth growth = grow(made_up.data, options);
  for (const Stage& stage : growth.stages) {
    EXPECT_LE(columns(stage), 60U);
    for (const Feature& feature : stage.function->design.features())
      EXPECT_EQ(feature.kind, FeatureKind::linear);
  }
}

TEST(ColumnLimit, ThatNotEvenLinesKeepIsRefused) {
  const MadeUpGrowth made_up(made_up_rows(300, 40, 905, 0.2));
  GrowOptions options;
  options.max_columns = 40;
  const Error error = error_of([&] { grow(made_up.data, options); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.reason(), "too_many_main_columns");
  EXPECT_STREQ(error.what(),
               "The main effects have 41 columns even as straight lines, more than the limit of 40.");
}

TEST(ColumnLimit, OfCurvesDoesNotCountTheLevelsOfCategories) {
  // 1100 levels would leave no room among the thousand columns that curves share.
  const MadeUpGrowth large = with_category(1500, 3, 1100, 907);
  GrowOptions options;
  options.max_order = 1;
  EXPECT_EQ(grow(large.data, options).stages[1].main_resolution(), 12);
}

TEST(Resolution, MayBeKeptBelowTheUsualLeast) {
  const MadeUpGrowth made_up(made_up_rows(300, 2, 911, 0.1));
  for (const int most : {1, 2, 5, 11}) {
    GrowOptions options;
    options.max_resolution_main = most;
    options.max_order = 1;
    const Growth growth = grow(made_up.data, options);
    for (const Stage& stage : growth.stages) EXPECT_LE(stage.main_resolution(), most);
    EXPECT_EQ(growth.stages[1].main_resolution(), most);
  }
}

TEST(Resolution, MayBeAskedForWithoutEnd) {
  constexpr int huge = std::numeric_limits<int>::max();
  GrowOptions options;
  options.max_resolution_main = options.max_resolution_pair = huge;
  Rows rows = made_up_rows(200, 3, 913, 0.1);
  for (double& x : rows.x) x = std::floor(2 * x);  // two values: lines alone
  const MadeUpGrowth lines(rows);
  EXPECT_EQ(grow(lines.data, options).additive.largest_stable, 1);
  const MadeUpGrowth curves(made_up_rows(200, 2, 915, 0.1));
  EXPECT_LE(chosen(grow(curves.data, options)).main_resolution(), 198);
}

TEST(GrowthCount, IsThatOfTheDesignsItSpeaksOf) {
  Rows rows = made_up_rows(300, 5, 917);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 1) = std::floor(7 * rows.at(r, 1));  // seven values: no finer than 5
    rows.at(r, 2) = static_cast<double>(r % 4);     // a category
    rows.at(r, 3) = 0.5;                            // does not vary
    rows.at(r, 4) = std::floor(2 * rows.at(r, 4));  // a line
  }
  std::vector<Feature> features = rows.features();
  features[2] = {"level", {0, 3}, FeatureKind::category, 4};
  const MadeUpGrowth growth(rows, features);
  const std::vector<FeaturePair> pairs{{0, 1}, {0, 2}, {1, 4}, {2, 4}};
  const BasisCount mains = growth_count(growth.data, {}, 64);
  const BasisCount all = growth_count(growth.data, pairs, 64);
  for (const int g : {1, 3, 5, 6, 40}) {
    std::vector<GrownTerm> terms = main_effects(growth.data, g);
    EXPECT_EQ(mains(g), static_cast<double>(design_of(growth.data, terms).columns())) << g;
    for (const auto& [i, j] : pairs) terms.push_back(growth.term({i, j}, g));
    EXPECT_EQ(all(g), static_cast<double>(design_of(growth.data, terms).columns())) << g;
  }
}

TEST(GrowthCount, KeepsTheLawFromResolutionsThatNoValueTellsApart) {
  Rows rows = made_up_rows(400, 2, 919, 0.05);
  for (double& x : rows.x) x = std::floor(9 * x);
  const MadeUpGrowth growth(rows);
  GrowOptions options;
  options.max_order = 1;
  const Selection additive = grow(growth.data, options).additive;
  EXPECT_EQ(additive.largest_stable, 7);
  for (const auto& [g, score] : additive.curve) EXPECT_EQ(score.p, static_cast<std::size_t>(1 + 2 * (g + 2)));
}

TEST(GivenPairs, AreTriedHoweverManyColumnsTheyHave) {
  // A hundred levels times four functions are more columns than are scored.
  const MadeUpGrowth made_up = with_category(900, 2, 101, 921);
  GrowOptions options;
  options.given = {{1, 0}};
  options.interactions_only = true;
  options.interaction_columns = 10;
  const Growth growth = grow(made_up.data, options);
  EXPECT_EQ(chosen(growth).order(), 2U);
  ASSERT_EQ(growth.screened.size(), 1U);
  EXPECT_EQ(growth.screened[0].term.features, (std::vector<std::size_t>{0, 1}));
}

TEST(GivenPairs, ThatDoNotFitAreRefused) {
  const MadeUpGrowth made_up = with_category(900, 2, 101, 921);
  GrowOptions options;
  options.given = {{0, 1}};
  options.max_columns = 350;
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { grow(made_up.data, options); })
                .find("With the given pairs the model has "),
            0U);
}

TEST(GivenPairs, StayWithTheirPenaltyWhereInteractionsAreAskedFor) {
  // An additive target, so that next to nothing is left of any pair.
  for (const std::uint64_t seed : {923U, 925U, 927U}) {
    Rows rows = made_up_rows(400, 3, seed);
    test::Uniform uniform(seed + 1);
    for (std::size_t r = 0; r < rows.count; ++r)
      rows.y[r] = std::sin(5 * rows.at(r, 0)) + rows.at(r, 1) + uniform.between(-1, 1);
    const MadeUpGrowth made_up(rows);
    GrowOptions options;
    options.interactions_only = true;
    for (const std::vector<FeaturePair>& given : {std::vector<FeaturePair>{{0, 2}}, {}}) {
      options.given = given;
      const Growth growth = grow(made_up.data, options);
      EXPECT_GE(chosen(growth).order(), 2U) << "seed " << seed;
      EXPECT_TRUE(growth.penalised) << "seed " << seed;
      EXPECT_LT(chosen(growth).loo(), 1.05 * growth.stages.front().loo()) << "seed " << seed;
    }
  }
}

TEST(AllPairs, AreOfferedHoweverManyFeaturesThereAre) {
  const MadeUpGrowth made_up(made_up_rows(120, 62, 929, 0.2));
  GrowOptions options;
  options.max_order = 2;
  options.all_pairs = true;
  options.max_resolution_main = 1;
  EXPECT_EQ(grow(made_up.data, options).screened.size(), 62U * 61 / 2);
  options.all_pairs = false;
  EXPECT_EQ(grow(made_up.data, options).screened.size(), 60U * 59 / 2);
}

}  // namespace
}  // namespace kore

// A model that grows as far as leave-one-out allows.
#include "grow/grow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grow/made_up_growth.hpp"
#include "grow/referee.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

/// Uniform features, a target by hand, and uniform noise of the given deviation.
template <class Target>
Rows rows_of(std::size_t count, std::size_t columns, std::uint64_t seed, double noise, const Target& target) {
  Rows rows = made_up_rows(count, columns, seed);
  test::Uniform uniform(seed + 1);
  for (std::size_t r = 0; r < count; ++r)
    rows.y[r] = target([&](std::size_t j) { return rows.at(r, j); }) +
                noise * uniform.between(-std::numbers::sqrt3, std::numbers::sqrt3);
  return rows;
}

bool has_term(const Stage& stage, const std::vector<std::size_t>& features) {
  return std::ranges::any_of(stage.terms,
                             [&](const GrownTerm& grown) { return grown.term.features == features; });
}

const Stage& chosen(const Growth& growth) { return growth.stages[growth.chosen]; }

TEST(Growth, FindsAPairThatIsThere) {
  const MadeUpGrowth made_up(rows_of(600, 5, 811, 0.2, [](const auto& x) {
    return std::sin(5 * x(0)) + 2 * (x(1) - 0.5) * (x(3) - 0.5) + x(4);
  }));
  const Growth growth = grow(made_up.data, {});
  EXPECT_TRUE(has_term(chosen(growth), {1, 3}));
  EXPECT_EQ(chosen(growth).order(), 2U);
  EXPECT_EQ(growth.screened[0].term.features, (std::vector<std::size_t>{1, 3}));
  EXPECT_LT(chosen(growth).loo(), 0.05);  // the noise has 0.04
  EXPECT_TRUE(growth.penalised);
}

TEST(Growth, FindsATripleThatIsThere) {
  const MadeUpGrowth made_up(
      rows_of(1000, 4, 813, 0.1, [](const auto& x) { return 8 * x(0) * x(1) * x(3) + std::sin(4 * x(2)); }));
  const Growth growth = grow(made_up.data, {});
  EXPECT_TRUE(has_term(chosen(growth), {0, 1, 3}));
  EXPECT_EQ(chosen(growth).order(), 3U);
  EXPECT_LT(chosen(growth).loo(), 0.0125);  // the noise has 0.01
}

// A line has corners behind the warp of an uneven feature.
TEST(Growth, ReachesAnExactLineOfAnUnevenFeatureWithPenalties) {
  Rows rows = made_up_rows(500, 2, 841);
  test::Uniform uniform(842);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 0) = std::exp(3 * rows.at(r, 0));
    rows.y[r] = 2 * rows.at(r, 0) + std::sin(6 * rows.at(r, 1)) + 0.0003 * uniform.between(-1, 1);
  }
  const MadeUpGrowth made_up(std::move(rows));
  ASSERT_FALSE(made_up.data.features[0].warp.identity());
  const Growth growth = grow(made_up.data, {});
  const auto mains = std::ranges::find(growth.stages, StageKind::main_effects, &Stage::kind);
  ASSERT_NE(mains, growth.stages.end());
  EXPECT_LT(std::sqrt(mains->loo()), 0.0003);  // the noise has 0.00017
  EXPECT_TRUE(mains->convergence.settled);
}

TEST(Growth, OfPureNoiseKeepsMainEffectsOnly) {
  for (const std::uint64_t seed : {821U, 823U, 825U, 827U, 829U, 831U}) {
    const MadeUpGrowth made_up(rows_of(300, 5, seed, 1.0, [](const auto&) { return 0.0; }));
    const Growth growth = grow(made_up.data, {});
    EXPECT_EQ(chosen(growth).order(), 1U) << "seed " << seed;
    EXPECT_TRUE(growth.penalised) << "seed " << seed;
    EXPECT_LT(chosen(growth).loo(), 1.01 * fit_unpenalised(made_up.data, {made_up.term({0}, 1)}).loo());
  }
}

TEST(Growth, OfAnAdditiveTargetKeepsMainEffectsOnly) {
  const MadeUpGrowth made_up(rows_of(600, 5, 833, 0.2, [](const auto& x) {
    return std::sin(5 * x(0)) + x(1) * x(1) + std::abs(x(2) - 0.4) + x(4);
  }));
  EXPECT_EQ(chosen(grow(made_up.data, {})).order(), 1U);
}

TEST(Growth, WithoutNoiseNeedsNoPenalty) {
  const MadeUpGrowth made_up(
      rows_of(800, 2, 835, 0, [](const auto& x) { return std::sin(9 * x(0)) + x(1); }));
  const Growth growth = grow(made_up.data, {});
  EXPECT_LT(chosen(growth).loo(), 1e-8);
}

TEST(Growth, ChoosesTheStageByItsLeaveOneOutAndTellsAllOfThem) {
  const MadeUpGrowth made_up(made_up_rows(500, 3, 837, 0.2));
  std::vector<std::size_t> orders;
  GrowOptions options;
  int fits = 0;
  options.progress = [&](std::size_t order, int resolution, const Stage& stage) {
    ++fits;
    orders.push_back(order);
    EXPECT_GE(resolution, 1);
    EXPECT_TRUE(std::isfinite(stage.loo()));
  };
  const Growth growth = grow(made_up.data, options);
  EXPECT_EQ(growth.fits, fits);
  EXPECT_TRUE(std::ranges::is_sorted(orders));
  ASSERT_LT(growth.chosen, growth.stages.size());
  EXPECT_EQ(growth.stages[0].order(), 1U);
  for (std::size_t i = 0; i < growth.chosen; ++i) EXPECT_LT(chosen(growth).loo(), growth.stages[i].loo());
}

TEST(Growth, OffersOnlyWhatItIsAllowedTo) {
  const MadeUpGrowth made_up(
      rows_of(600, 4, 839, 0.1, [](const auto& x) { return 8 * x(0) * x(1) * x(3) + std::sin(4 * x(2)); }));
  GrowOptions options;
  options.max_order = 1;
  EXPECT_EQ(chosen(grow(made_up.data, options)).order(), 1U);
  EXPECT_TRUE(grow(made_up.data, options).screened.empty());
  options.max_order = 2;
  EXPECT_EQ(chosen(grow(made_up.data, options)).order(), 2U);
  options.max_order = 3;
  options.given = {{3, 1}};
  const Growth given = grow(made_up.data, options);
  for (const GrownTerm& grown : chosen(given).terms)
    if (grown.term.order() > 1) {
      EXPECT_EQ(grown.term.features, (std::vector<std::size_t>{1, 3}));
    }
  EXPECT_EQ(chosen(given).order(), 2U);
  options.given.clear();
  options.max_columns = 60;
  for (const Stage& stage : grow(made_up.data, options).stages)
    EXPECT_LE(stage.function->design.columns(), 60U);
}

TEST(Growth, TriesNoRefinementThatIsNotAskedFor) {
  const MadeUpGrowth made_up(rows_of(800, 4, 843, 0.1, [](const auto& x) {
    return std::sin(7 * x(0)) * std::cos(7 * x(1)) + std::floor(9 * x(2)) * (x(3) - 0.5);
  }));
  const Growth whole = grow(made_up.data, {});
  EXPECT_GT(whole.refinements[2], 0);
  const auto has = [](const Growth& growth, StageKind kind) {
    return std::ranges::find(growth.stages, kind, &Stage::kind) != growth.stages.end();
  };
  GrowOptions options;
  options.refinements = {};
  options.certain_pairs = false;
  options.value_effects = false;
  const Growth coarse = grow(made_up.data, options);
  EXPECT_EQ(coarse.refinements, ByOrder{});
  EXPECT_LT(coarse.fits, whole.fits);
  for (const Stage& stage : coarse.stages)
    if (stage.kind == StageKind::pairs) {
      EXPECT_EQ(stage.resolution(2), 2);
    }
  EXPECT_TRUE(has(coarse, StageKind::pairs));
  // What lost, or was not tried, on all rows is not tried without the rows of a fold.
  for (const Growth* growth : {&whole, &coarse}) {
    const GrowOptions folds = options_of_folds({}, *growth, made_up.data.rows.rows());
    EXPECT_EQ(folds.refinements, growth->refinements);
    EXPECT_EQ(folds.certain_pairs, has(*growth, StageKind::certain_pairs));
    EXPECT_EQ(folds.value_effects, has(*growth, StageKind::value_effects));
  }
}

TEST(Growth, FitsPairsWithoutPenaltyOnlyWhereThereIsLittleNoise) {
  for (const double noise : {0.0, 1.0}) {
    const MadeUpGrowth made_up(
        rows_of(500, 3, 846, noise, [](const auto& x) { return x(0) + std::sin(3 * x(1)) * x(2); }));
    EXPECT_EQ(grow(made_up.data, {}).pairwise.has_value(), noise == 0);
  }
}

TEST(Growth, LeavesFoldsOnlyWhatBeatsItsPrice) {
  Growth whole;
  for (const std::size_t order : {1U, 2U}) {
    Stage& stage = whole.stages.emplace_back();
    stage.kind = order == 1 ? StageKind::main_effects : StageKind::pairs;
    stage.terms.push_back({order == 1 ? Term{{0}, {12}} : Term{{0, 1}, {2, 2}}});
    stage.penalties.emplace_back();
    stage.noise_variance = 1;
    stage.press.weight_sum = 100;
    stage.press.left_out_loss = order == 1 ? 110 : 105;
  }
  EXPECT_EQ(options_of_folds({}, whole, 100).max_order, 2U);
  whole.stages[1].chance_gain = 3;  // two squared deviations for each
  EXPECT_EQ(options_of_folds({}, whole, 100).max_order, 1U);
  EXPECT_EQ(options_of_folds({}, whole, 100).main_resolution, 12) << "as all rows found it";
}

TEST(Growth, HasAnIntervalAroundTheSolvedResolution) {
  const MadeUpGrowth made_up(
      rows_of(800, 2, 841, 0.2, [](const auto& x) { return std::sin(12 * x(0)) + std::cos(9 * x(1)); }));
  const Growth growth = grow(made_up.data, {});
  ASSERT_TRUE(growth.additive.law.usable());
  EXPECT_LE(growth.additive.plug_in_low, growth.additive.plug_in);
  EXPECT_GE(growth.additive.plug_in_high, growth.additive.plug_in);
  EXPECT_LT(growth.additive.plug_in_high / growth.additive.plug_in_low, 3);
}

TEST(Growth, GivesTheSameBitsOnAnyNumberOfThreads) {
  MadeUpGrowth made_up(made_up_rows(700, 4, 843, 0.2));
  made_up.data.threads = 1;
  const Growth alone = grow(made_up.data, {});
  for (const int threads : {2, 4}) {
    made_up.data.threads = threads;
    const Growth together = grow(made_up.data, {});
    ASSERT_EQ(together.chosen, alone.chosen);
    EXPECT_EQ(chosen(together).loo_residuals, chosen(alone).loo_residuals);
    EXPECT_EQ(chosen(together).function->coefficients, chosen(alone).function->coefficients);
  }
}

}  // namespace
}  // namespace kore

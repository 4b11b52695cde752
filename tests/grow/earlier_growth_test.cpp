// Growths that start from an earlier growth of the same table.
#include "grow/earlier_growth.hpp"

#include <gtest/gtest.h>

#include "grow/grow.hpp"
#include "grow/made_up_growth.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

/// Main effects and one strong pair.
Rows rows_with_a_pair() {
  Rows rows = made_up_rows(600, 4, 811, 0.3);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] += 8 * (rows.at(r, 0) - 0.5) * (rows.at(r, 1) - 0.5);
  return rows;
}

bool affordable(std::span<const GrownTerm> /*terms*/) { return true; }

TEST(EarlierGrowth, LeadsToTheSameModelInFewerFits) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  const Growth first = grow(made_up.data, {});
  GrowOptions options;
  options.unpenalised_mains = false;
  options.unpenalised_pairs = false;
  options.earlier = &first;
  const Growth second = grow(made_up.data, options);
  EXPECT_LT(second.fits, first.fits);
  for (const StageKind kind : {StageKind::main_effects, StageKind::pairs}) {
    const Stage* before = stage_of(first, kind);
    const Stage* after = stage_of(second, kind);
    ASSERT_NE(before, nullptr);
    ASSERT_NE(after, nullptr);
    EXPECT_NEAR(after->loo() / before->loo(), 1, 0.01);
    EXPECT_NEAR(after->press.leverage, before->press.leverage, 0.05 * before->press.leverage);
  }
}

TEST(EarlierGrowth, GivesTermsItsResolutionsAndWeights) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  Stage earlier;
  earlier.terms = {made_up.term({0}, 9), made_up.term({0, 1}, 6)};
  earlier.terms[0].weights = {3, 4};
  earlier.terms[1].weights = {5};
  std::vector<GrownTerm> terms{made_up.term({0}, 12), made_up.term({1}, 12), made_up.term({0, 1}, 2)};
  start_from(earlier, made_up.data, affordable, terms);
  EXPECT_EQ(terms[0].term.resolutions, std::vector{9});
  EXPECT_EQ(terms[0].weights, (std::vector<double>{3, 4}));
  EXPECT_EQ(terms[1].term.resolutions, std::vector{12});
  EXPECT_TRUE(terms[1].weights.empty());
  EXPECT_EQ(terms[2].term.resolutions, (std::vector{6, 6}));
  EXPECT_EQ(terms[2].weights, std::vector<double>{5});
}

TEST(EarlierGrowth, LeavesAnInteractionAsItIsWhereAFinerOneWouldBeTooLarge) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  Stage earlier;
  earlier.terms = {made_up.term({0, 1}, 8)};
  earlier.terms[0].weights = {5};
  std::vector<GrownTerm> terms{made_up.term({0, 1}, 2)};
  const auto small = [&](std::span<const GrownTerm> all) { return columns_of(made_up.data, all) < 50; };
  start_from(earlier, made_up.data, small, terms);
  EXPECT_EQ(terms[0].term.resolutions, (std::vector{2, 2}));
  EXPECT_TRUE(terms[0].weights.empty());
}

TEST(EarlierGrowth, DoesNotTurnACurveIntoALineOrSingleValues) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  Stage earlier;
  earlier.terms = {made_up.term({0, 1}, 8)};
  earlier.terms[0].term.resolutions[1] = straight;
  earlier.terms[0].weights = {5};
  std::vector<GrownTerm> terms{made_up.term({0, 1}, 2)};
  start_from(earlier, made_up.data, affordable, terms);
  EXPECT_EQ(terms[0].term.resolutions, (std::vector{2, 2}));
}

TEST(EarlierGrowth, DropsCandidatesThatItLostUnlessTheyExplainSomethingHere) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  Stage earlier;
  earlier.terms = {made_up.term({0, 1}, 4)};
  std::vector<ScoredTerm> scored{{made_up.term({0, 1}, 2).term, 0.1},
                                 {made_up.term({0, 2}, 2).term, 0.1},
                                 {made_up.term({0, 3}, 2).term, 3}};
  drop_lost_before(earlier, scored);
  ASSERT_EQ(scored.size(), 2U);
  EXPECT_EQ(scored[0].term.features, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(scored[1].term.features, (std::vector<std::size_t>{0, 3}));
}

}  // namespace
}  // namespace kore

#include "experiments/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/made_up_study.hpp"
#include "experiments/report.hpp"
#include "experiments/rivals.hpp"
#include "experiments/runner.hpp"

namespace kore::experiments {
namespace {

class CheckTest : public testing::Test {
 protected:
  CheckTest() : made_up(2), ours(run_study(made_up.study, folder.path()).table), published(ours) {}

  void publish(std::size_t row, const char* column, const std::string& value) {
    published.rows[row][published.position(column)] = value;
  }
  Comparison comparison() const { return compare(made_up.study, ours, published); }

  ScratchFolder folder;
  MadeUpStudy made_up;
  Table ours;
  Table published;
};

TEST_F(CheckTest, HoldsForEqualTables) {
  const Comparison same = comparison();
  EXPECT_TRUE(same.holds());
  EXPECT_EQ(same.rows, 6U);
  EXPECT_EQ(same.selections, 6U);
  EXPECT_EQ(same.agreeing, 6U);
  EXPECT_EQ(same.errors.value, 0);
}

TEST_F(CheckTest, NamesASelectionThatDiffers) {
  publish(3, "G", "7");
  const Comparison other = comparison();
  EXPECT_FALSE(other.holds());
  EXPECT_EQ(other.agreeing, 5U);
  ASSERT_EQ(disagreement_lines(other).size(), 1U);
  EXPECT_EQ(disagreement_lines(other)[0], "made-up (2, 1): G is 2 here and 7 there");
}

TEST_F(CheckTest, BoundsErrorsRelativelyAndMeasuresTheLargest) {
  publish(0, "rmse", number_field(0.1 * (1 + 0.9e-5)));
  EXPECT_TRUE(comparison().holds());
  EXPECT_NEAR(comparison().errors.value, 0.9e-5, 1e-9);
  EXPECT_EQ(comparison().errors.cell, "1, 0");
  publish(0, "rmse", number_field(0.1 * (1 + 1.1e-5)));
  EXPECT_FALSE(comparison().holds());
}

TEST_F(CheckTest, DoesNotLookAtTimesAndOnlyMeasuresWhatIsDerived) {
  publish(0, "time", "1000.0");
  publish(1, "share", "0.9");
  EXPECT_TRUE(comparison().holds());
  EXPECT_GT(comparison().others.value, 0.5);
}

TEST_F(CheckTest, WantsFactsToBeEqual) {
  publish(0, "rows", "101");
  EXPECT_FALSE(comparison().holds());
}

TEST_F(CheckTest, ComparesTheRowsThatBothHaveInAnyOrder) {
  std::swap(published.rows[0], published.rows[5]);
  published.rows.erase(published.rows.begin() + 2);
  published.rows.push_back(row_of({9, 100, 0, 9, 0.5, 0.1, ""}));
  const Comparison part = comparison();
  EXPECT_TRUE(part.holds());
  EXPECT_EQ(part.rows, 5U);
  EXPECT_EQ(part.published, 6U);
}

TEST_F(CheckTest, RefusesToAgreeWithAMissingNumber) {
  publish(0, "rmse", "");
  EXPECT_FALSE(comparison().holds());
}

TEST_F(CheckTest, SaysWhereThereIsNoFileAndMeasuresSummariesWhereThereIsOne) {
  const ScratchFolder other;
  EXPECT_FALSE(compare_with_folder(made_up.study, ours, other.path()).has_reference);
  write_table(other.path() / "made_up.csv", published);
  other.write("made_up_summary.csv", "rows\n5\n");
  const Comparison found = compare_with_folder(made_up.study, ours, other.path());
  EXPECT_TRUE(found.holds());
  EXPECT_NEAR(found.others.value, 0.2, 1e-12) << "6 rows where the file says 5";
}

TEST(RelativeDifference, IsZeroForEqualOrMissingNumbersAndInfiniteAgainstOne) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(relative_difference(2, 2), 0);
  EXPECT_EQ(relative_difference(0, 0), 0);
  EXPECT_EQ(relative_difference(nan, nan), 0);
  EXPECT_DOUBLE_EQ(relative_difference(1.5, -1), 2.5);
  EXPECT_TRUE(std::isinf(relative_difference(1, nan)));
  EXPECT_TRUE(std::isinf(relative_difference(1, 0)));
}

Problem noisy_sine(std::size_t features) {
  return {make_dataset(additive_target(features, 3), 150, 50, 0.2, 11), neighbour_pairs(features)};
}

TEST(Rivals, AreRankedByTheScoreThatTheSelectorUsed) {
  const Problem problem = noisy_sine(2);
  const std::vector<Rival> looked_at = ranked_candidates(problem, "kore", 0, 1);
  const KoreRun kore = run_kore(problem, paper_options(problem.pairs, 1));
  EXPECT_EQ(looked_at.size(), static_cast<std::size_t>(kore.outcome.fits));
  EXPECT_EQ(looked_at[0].structure, kore.outcome.structure);
  EXPECT_EQ(looked_at[0].resolution, kore.outcome.resolution);
  EXPECT_EQ(looked_at[0].score, kore.summary.loo);
  const Outcome cv = select_by_cross_validation(problem, 4, 1);
  const std::vector<Rival> folds = ranked_candidates(problem, "cv", 4, 1);
  EXPECT_EQ(folds[0].structure, cv.structure);
  EXPECT_EQ(folds[0].resolution, cv.resolution);
  const CriteriaOutcomes criteria = select_by_criteria(problem, 1);
  EXPECT_EQ(ranked_candidates(problem, "bic", 0, 1)[0].resolution, criteria.bic.resolution);
  EXPECT_EQ(ranked_candidates(problem, "aic", 0, 1)[0].resolution, criteria.aic.resolution);
}

TEST(Selectors, DoTheSameOnAllCoresAsOnOne) {
  const Problem problem = noisy_sine(2);
  EXPECT_EQ(select_by_cross_validation(problem, 4, 0).rmse, select_by_cross_validation(problem, 4, 1).rmse);
  EXPECT_EQ(select_by_criteria(problem, 0).bic.rmse, select_by_criteria(problem, 1).bic.rmse);
}

TEST(Rivals, TellHowFarTheSecondIsBehind) {
  EXPECT_DOUBLE_EQ(lead({{Structure::additive, 3, 2.0}, {Structure::pairwise, 1, 2.5}}), 0.25);
  EXPECT_TRUE(std::isinf(lead({{Structure::additive, 3, 2.0}})));
  EXPECT_EQ(describe_lead({{Structure::additive, 3, 2.0}, {Structure::pairwise, 1, 2.5}}),
            "additive 3 (2) and pairwise 1 (2.5), 0.25 apart");
}

TEST(Explain, ShowsTheTwoBestCandidatesOfADisagreement) {
  Study study;
  study.name = "one";
  study.columns = {{"seed", Role::name}, {"kore_G", Role::selection}, {"n_discovered", Role::selection}};
  study.cells.push_back({.names = {{"0"}}, .problem = [] { return noisy_sine(2); }});
  Comparison comparison =
      compare(study, {study.column_names(), {{"0", "5", "1"}}}, {study.column_names(), {{"0", "6", "2"}}});
  ASSERT_EQ(comparison.disagreements.size(), 2U);
  explain(comparison, study, 1);
  EXPECT_NE(comparison.disagreements[0].remark.find("the two best candidates: "), std::string::npos);
  EXPECT_FALSE(comparison.disagreements[0].tie);
  EXPECT_EQ(comparison.disagreements[1].remark, "") << "a discovered graph is not the choice of one selector";
  EXPECT_FALSE(comparison.holds());
  for (Disagreement& difference : comparison.disagreements) difference.tie = true;
  EXPECT_TRUE(comparison.holds()) << "where candidates tie to rounding, either result is right";
}

}  // namespace
}  // namespace kore::experiments

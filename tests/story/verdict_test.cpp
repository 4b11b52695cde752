// One answer from all that is known of a fit.
#include "story/verdict.hpp"

#include <gtest/gtest.h>

#include "support/made_up_rows.hpp"

namespace kore::story {
namespace {

bool says(const Verdict& verdict, const std::string& part) {
  return verdict.sentence.find(part) != std::string::npos;
}

Evidence good(Structure structure) {
  Evidence evidence;
  evidence.r2 = 0.9;
  evidence.signal_score = 5;
  evidence.structure = structure;
  return evidence;
}

Verdict verdict_of(const test::Rows& rows, const Options& options) {
  return verdict(evidence_of(fit(rows.view(), rows.y, options).summary));
}

TEST(Verdict, SaysThatMainEffectsAreEnoughOnlyWhereInteractionsWereTried) {
  test::Rows rows = test::made_up_rows(300, 2, 31);
  test::Uniform uniform(34);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = std::sin(5 * rows.at(r, 0)) + rows.at(r, 1) + uniform.between(-0.5, 0.5);
  for (Options options : {Options{}, Options::paper()}) {
    EXPECT_TRUE(says(verdict_of(rows, options), "; main effects are enough"));
    options.pair_choice = PairChoice::none;
    EXPECT_TRUE(
        says(verdict_of(rows, options), "by more than chance can explain; interactions were not tried"));
    options = options.is_published() ? Options::paper() : Options{};
    options.structure = StructureChoice::additive;
    EXPECT_TRUE(says(verdict_of(rows, options), "interactions were not tried"));
  }
  Options mains;
  mains.grown().max_order = 1;
  EXPECT_TRUE(says(verdict_of(rows, mains), "interactions were not tried"));
}

TEST(Verdict, SaysNothingOfInteractionsWhereThereIsOneFeature) {
  const test::Rows rows = test::made_up_rows(200, 1, 32);
  EXPECT_TRUE(verdict_of(rows, {}).sentence.ends_with("by more than chance can explain"));
}

TEST(Verdict, SaysThatPairsActTogetherWhereTheyDo) {
  const test::Rows rows = test::made_up_rows(400, 2, 33);
  for (const Options& options : {Options{}, Options::paper()})
    EXPECT_TRUE(says(verdict_of(rows, options), "; pairs of features act together"));
}

TEST(Verdict, SaysWherePairsAddNextToNothing) {
  Evidence evidence = good(Structure::pairwise);
  evidence.interaction_gain = 0.0009;
  EXPECT_TRUE(says(verdict(evidence), "; pairs of features add less than 0.001 to R²"));
  evidence.interaction_gain = 0.0011;
  EXPECT_TRUE(says(verdict(evidence), "; pairs of features act together"));
}

TEST(Verdict, DoesNotPraisePairsThatNothingWasComparedWith) {
  const test::Rows rows = test::made_up_rows(400, 2, 33);
  Options options = Options::paper();
  options.structure = StructureChoice::pairwise;
  EXPECT_TRUE(says(verdict_of(rows, options), "main effects alone were not tried"));
}

TEST(Verdict, DoubtsAGainThatChanceCanExplain) {
  Evidence evidence = good(Structure::additive);
  evidence.signal_score = 0.8;
  EXPECT_EQ(verdict(evidence).answer, Verdict::Answer::doubtful);
  EXPECT_TRUE(says(verdict(evidence), "chance can explain that"));
  EXPECT_TRUE(says(verdict(evidence), "more rows would tell"));
}

TEST(Verdict, BeginsWithOneOfThreeAnswers) {
  Evidence evidence = good(Structure::additive);
  EXPECT_TRUE(verdict(evidence).sentence.starts_with("suitable: "));
  evidence.signal_score = 0.8;
  EXPECT_TRUE(verdict(evidence).sentence.starts_with("doubtful: "));
  evidence.r2 = -0.1;
  EXPECT_TRUE(verdict(evidence).sentence.starts_with("not usable: "));
}

TEST(Verdict, RestsOnTheRefereeAndNotOnLeaveOneOutGivenTheModel) {
  test::Rows rows = test::made_up_rows(60, 20, 35);
  test::Uniform uniform(36);
  for (double& y : rows.y) y = uniform.between(-1, 1);  // noise alone
  const FitSummary summary = fit(rows.view(), rows.y).summary;
  ASSERT_TRUE(summary.accuracy);
  EXPECT_EQ(summary.accuracy->how, AccuracySource::folds);
  EXPECT_DOUBLE_EQ(evidence_of(summary).r2, summary.accuracy->r2);
  EXPECT_NE(verdict(evidence_of(summary)).answer, Verdict::Answer::yes);
}

}  // namespace
}  // namespace kore::story

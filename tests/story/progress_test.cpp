// What is said while a fit runs.
#include "story/progress.hpp"

#include <gtest/gtest.h>

namespace kore::story {
namespace {

TEST(Progress, IsInTheUnitsOfTheSummary) {
  Progress fit{Structure::pairwise, 2, {1530, 6.25, 100, 0.5}};
  EXPECT_EQ(progress_words(fit), "with pairs at resolution 2: 1,530 columns, LOO RMSE 2.5");
  fit.score_of = ScoreOf::logarithm;
  EXPECT_EQ(progress_words(fit), "with pairs at resolution 2: 1,530 columns, LOO RMSE 2.5 of the logarithm");
  fit.score_of = ScoreOf::deviance;
  fit.structure = Structure::additive;
  EXPECT_EQ(progress_words(fit), "main effects at resolution 2: 1,530 columns, LOO deviance 6.25");
}

TEST(Progress, EstimatesWhatIsLeftByThePartsBefore) {
  Progress fit;
  EXPECT_EQ(judging_words(fit, 5), "");
  fit.referee = true;
  EXPECT_EQ(judging_words(fit, 5), "judging by rows left out");
  fit.parts = 10;
  EXPECT_FALSE(seconds_left(fit, 5)) << "nothing to tell it by";
  fit.parts_done = 4;
  EXPECT_DOUBLE_EQ(seconds_left(fit, 6).value(), 9);
  EXPECT_EQ(judging_words(fit, 6), "judging by rows left out, 4 of 10 parts done, about 9 s left");
  fit.parts_done = 10;
  EXPECT_FALSE(seconds_left(fit, 6));
}

TEST(Progress, CountsTheTimeOfEachClassByItself) {
  JudgingTime time;
  Progress fit;
  fit.referee = true;
  fit.parts = 10;
  EXPECT_DOUBLE_EQ(time.since_begin(fit, 100), 0);
  fit.parts_done = 9;
  EXPECT_DOUBLE_EQ(time.since_begin(fit, 190), 90);
  fit.parts_done = 0;  // the next class
  EXPECT_DOUBLE_EQ(time.since_begin(fit, 200), 0);
  fit.parts_done = 2;
  EXPECT_DOUBLE_EQ(time.since_begin(fit, 204), 4);
  EXPECT_DOUBLE_EQ(seconds_left(fit, 4).value(), 16) << "and not by the seconds of the class before";
}

}  // namespace
}  // namespace kore::story

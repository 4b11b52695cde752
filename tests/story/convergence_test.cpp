// What is told of how a model was solved for: only what was not as it should be.
#include "story/convergence.hpp"

#include <gtest/gtest.h>

#include "story/json.hpp"
#include "story/summary.hpp"
#include "support/made_up_rows.hpp"

namespace kore::story {
namespace {

using Notes = std::vector<std::string>;

FitSummary solved(const Convergence& convergence) {
  FitSummary summary;
  summary.relative_ridge = true;
  summary.convergence = convergence;
  return summary;
}

TEST(ConvergenceNotes, SayNothingWhereAllIsWellOrUnknown) {
  EXPECT_TRUE(convergence_notes(solved({true, 9})).empty());
  EXPECT_TRUE(convergence_notes({}).empty());
}

TEST(ConvergenceNotes, SayWhatWasNotAsItShouldBe) {
  EXPECT_EQ(convergence_notes(solved({false, 30})),
            Notes{"The penalty weights did not settle after 30 steps, so that more steps would change the "
                  "model."});
  EXPECT_EQ(convergence_notes(solved({true, 9, 1e-7})),
            Notes{"The ridge had to be raised to 1e-07 of the mean diagonal entry, because columns depend on "
                  "each other nearly exactly."});
  EXPECT_EQ(convergence_notes(solved({true, 9, 0, 0, 2})),
            Notes{"The penalty weights of 2 other models in the choice did not settle."});
}

TEST(ConvergenceNotes, ArePartOfTheStory) {
  const test::Rows rows = test::made_up_rows(120, 2, 51, 0.2);
  table::TableModel fitted{fit(rows.source()), {}, {}};
  EXPECT_EQ(describe(fitted).find("did not settle"), std::string::npos);
  EXPECT_EQ(fit_json(fitted).at("convergence").at("settled"), true);
  EXPECT_EQ(fit_json(fitted).at("convergence").at("ridge"), nullptr);
  fitted.model.summary.convergence = Convergence{false, 30, 1e-7};
  EXPECT_NE(describe(fitted).find("did not settle after 30 steps"), std::string::npos);
  EXPECT_EQ(fit_json(fitted).at("convergence").at("settled"), false);
  EXPECT_EQ(fit_json(fitted).at("convergence").at("steps"), 30);
  EXPECT_EQ(fit_json(fitted).at("convergence").at("ridge"), 1e-7);
  fitted.model.summary.convergence.reset();
  EXPECT_EQ(fit_json(fitted).at("convergence"), nullptr);
}

}  // namespace
}  // namespace kore::story

// What a fit tells of how its equations were solved.
#include <gtest/gtest.h>

#include "fit/grown_summary.hpp"
#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

TEST(Convergence, OfAnOrdinaryFitIsAsItShouldBe) {
  const Rows rows = made_up_rows(700, 3, 411, 0.2);
  for (const std::size_t structure_rows : {std::size_t{700}, std::size_t{300}}) {  // all rows, or a sample
    Options options;
    options.grown().structure_rows = structure_rows;
    const Model model = fit(rows.source(), options);
    ASSERT_TRUE(model.summary.convergence);
    EXPECT_TRUE(model.summary.convergence->settled);
    EXPECT_EQ(model.summary.convergence->steps > 0, !model.penalty_weights.empty());
    EXPECT_EQ(model.summary.convergence->raised_ridge, 0);
    EXPECT_EQ(model.summary.convergence->unsettled_rivals, 0);
  }
}

TEST(Convergence, OfAFitWithoutPenaltiesHasNoSteps) {
  const Rows rows = made_up_rows(200, 2, 412, 0.2);
  Rows constant = rows;
  for (double& y : constant.y) y = 3;
  for (const Model& model : {fit(rows.source(), Options::paper()), fit(constant.source())}) {
    ASSERT_TRUE(model.summary.convergence);
    EXPECT_TRUE(model.summary.convergence->settled);
    EXPECT_EQ(model.summary.convergence->steps, 0);
  }
}

TEST(Convergence, NamesARaisedRidgeOnceItIsTheOneOfTheModel) {
  Rows rows = made_up_rows(200, 3, 413, 0.0);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 2) = rows.at(r, 1) = rows.at(r, 0);
  Options options;
  for (const double ridge : {0.0, 1e-10}) {
    options.ridge = ridge;
    const FitSummary summary = fit(rows.source(), options).summary;
    EXPECT_EQ(summary.convergence->raised_ridge, summary.ridge > ridge ? summary.ridge : 0);
  }
}

TEST(Convergence, CountsTheRivalsThatDidNotSettle) {
  Growth growth;
  growth.stages.resize(4);
  growth.chosen = 2;
  for (const std::size_t unsettled : {0, 2, 3}) growth.stages[unsettled].convergence.settled = false;
  FitSummary summary;
  record_convergence(growth.stages[2].convergence, growth, summary);
  EXPECT_FALSE(summary.convergence->settled);
  EXPECT_EQ(summary.convergence->unsettled_rivals, 2);
}

}  // namespace
}  // namespace kore

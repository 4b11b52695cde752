// A structure that a sample chose is checked on all rows.
#include "fit/checked_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fit/grown_summary.hpp"
#include "pass/shifted_source.hpp"
#include "support/made_up_rows.hpp"
#include "support/noisy_rows.hpp"

namespace kore {
namespace {

using test::Rows;
using test::rows_of;

class CheckedFitTest : public testing::Test {
 protected:
  Rows table = rows_of(3000, 3, 911, 0.3,
                       [](const auto& x) { return std::sin(6 * x(0)) + 4 * (x(1) - 0.5) * (x(2) - 0.5); });
  MemorySource source = table.source();
  Options options = with_sample();
  GrowingRows rows{survey_for_growth(source, options.grown(), options, {}), options.grown(), options};
  Growth growth = grow(rows.growing(), {});

  static Options with_sample() {
    Options options;
    options.grown().structure_rows = 600;
    return options;
  }

  void choose(StageKind kind) {
    for (std::size_t i = 0; i < growth.stages.size(); ++i)
      if (growth.stages[i].kind == kind) growth.chosen = i;
    ASSERT_EQ(growth.stages[growth.chosen].kind, kind);
    growth.penalised = true;
  }
  /// As if rows outside the sample had been predicted with this share of the constant's loss.
  FitSummary run(double promised, bool interactions_only = false) {
    Refereed refereed;
    refereed.chosen = 1;
    refereed.mean_losses.assign(candidates().size(), promised);
    refereed.mean_losses.front() = 1;
    FitSummary summary;
    record_growth(growth, summary);
    const ShiftedSource shifted(source, rows.target_shift());
    const CheckedFit checked = fit_and_check({rows, growth, refereed, interactions_only}, shifted,
                                             {rows.data().rows, rows.data().weight_sum}, summary);
    loo = checked.weighed.fit.press.loo();
    return summary;
  }
  static std::size_t fitted(const FitSummary& summary) {
    std::size_t count = 0;
    for (const StageSummary& stage : summary.stages) count += std::isfinite(stage.all_rows_loo) ? 1 : 0;
    return count;
  }
  double loo = 0;
};

TEST_F(CheckedFitTest, StaysWhereAllRowsKeepThePromise) {
  choose(StageKind::pairs);
  const FitSummary summary = run(0.5);
  EXPECT_EQ(fitted(summary), 1U);
  EXPECT_TRUE(summary.stages[growth.chosen].chosen);
  EXPECT_EQ(summary.stages[growth.chosen].all_rows_loo, loo);
}

TEST_F(CheckedFitTest, StaysWhereNothingSimplerIsBetterOnAllRows) {
  choose(StageKind::pairs);
  const FitSummary summary = run(1e-6);
  EXPECT_GT(fitted(summary), 2U) << "everything simpler was tried";
  EXPECT_TRUE(summary.stages[growth.chosen].chosen) << "pairs are in the truth";
  for (const StageSummary& stage : summary.stages)
    EXPECT_FALSE(stage.all_rows_loo < loo) << "NaN where a stage was not tried";
}

TEST_F(CheckedFitTest, GivesWayToASimplerOneThatIsBetterOnAllRows) {
  // The sample was drawn of rows with pairs; all rows, as they are now, have a straight line alone.
  const Rows other = rows_of(3000, 3, 911, 0.3, [](const auto& x) { return 3 * x(0); });
  std::ranges::copy(other.y, table.y.begin());
  choose(StageKind::pairs);
  const FitSummary summary = run(1e-6);
  std::size_t best = 0;
  for (std::size_t i = 0; i < summary.stages.size(); ++i)
    if (std::isfinite(summary.stages[i].all_rows_loo) &&
        !(summary.stages[best].all_rows_loo <= summary.stages[i].all_rows_loo))
      best = i;
  EXPECT_TRUE(summary.stages[best].chosen);
  EXPECT_EQ(summary.stages[best].all_rows_loo, loo);
  EXPECT_FALSE(summary.stages[growth.chosen].chosen) << "lines are the truth of these rows";
}

TEST_F(CheckedFitTest, KeepsInteractionsWhereTheyWereAskedFor) {
  choose(StageKind::pairs);
  const FitSummary summary = run(1e-6, true);
  for (const StageSummary& stage : summary.stages)
    EXPECT_FALSE(std::isfinite(stage.all_rows_loo) && stage.structure == Structure::additive);
}

}  // namespace
}  // namespace kore

// A structure that a sample chose is checked on all rows.
#include "fit/checked_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "fit/grown_summary.hpp"
#include "pass/shifted_source.hpp"
#include "support/made_up_rows.hpp"
#include "support/noisy_rows.hpp"

namespace kore {
namespace {

using test::Rows;
using test::rows_of;

class SampledTable : public testing::Test {
 protected:
  SampledTable(Rows made, std::size_t structure_rows, const GrowOptions& growing)
      : table(std::move(made)), options(with_sample(structure_rows)), growth(grow(rows.growing(), growing)) {}

  Rows table;
  MemorySource source = table.source();
  Options options;
  GrowingRows rows{survey_for_growth(source, options.grown(), options, {}), options.grown(), options};
  Growth growth;

  static Options with_sample(std::size_t structure_rows) {
    Options options;
    options.grown().structure_rows = structure_rows;
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
    const CheckedFit checked =
        fit_and_check({rows, growth, refereed, interactions_only}, shifted, limits(), summary);
    loo = checked.weighed.fit.press.loo();
    terms = checked.weighed.fit.terms;
    return summary;
  }
  static std::size_t fitted(const FitSummary& summary) {
    std::size_t count = 0;
    for (const StageSummary& stage : summary.stages) count += std::isfinite(stage.all_rows_loo) ? 1 : 0;
    return count;
  }
  /// The finest resolution of an interaction.
  static int finest(std::span<const GrownTerm> terms) {
    int resolution = 0;
    for (const GrownTerm& grown : terms)
      if (grown.term.order() > 1) resolution = std::max(resolution, std::ranges::max(grown.term.resolutions));
    return resolution;
  }
  FullFitLimits limits() const { return {rows.data().rows, rows.data().weight_sum, 64, max_resolution_pair}; }

  int max_resolution_pair = 16;
  double loo = 0;
  std::vector<GrownTerm> terms;
};

class CheckedFitTest : public SampledTable {
 protected:
  CheckedFitTest()
      : SampledTable(
            rows_of(3000, 3, 911, 0.3,
                    [](const auto& x) { return std::sin(6 * x(0)) + 4 * (x(1) - 0.5) * (x(2) - 0.5); }),
            600, {}) {}
};

/// A surface that the growth may only follow coarsely.
class FineSurfaceTest : public SampledTable {
 protected:
  FineSurfaceTest()
      : SampledTable(
            rows_of(3000, 2, 912, 0.3, [](const auto& x) { return std::sin(8 * x(0)) * std::sin(8 * x(1)); }),
            600, coarse()) {}

  static GrowOptions coarse() {
    GrowOptions options;
    options.max_resolution_pair = 2;
    options.given = {{0, 1}};
    return options;
  }
};

TEST_F(FineSurfaceTest, InteractionsBecomeFinerWhereMoreRowsCarryIt) {
  choose(StageKind::pairs);
  max_resolution_pair = 2;
  run(1);
  const double coarse = loo;
  EXPECT_EQ(finest(terms), 2);
  max_resolution_pair = 16;
  run(1);
  EXPECT_GE(finest(terms), 4);
  EXPECT_LT(loo, 0.9 * coarse);
}

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

// Rows of a group leave together, and what a fit states holds for new groups.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "fit/growing_rows.hpp"
#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"
#include "support/scattered_source.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::refusal;
using test::Rows;

/// Every group has an intercept of its own, by chance, and a first feature of its own: within a group it
/// tells the intercept, and of a new group nothing. The second feature matters everywhere.
Rows grouped_rows(std::size_t groups, std::size_t rows_of_a_group, std::uint64_t seed) {
  test::Uniform uniform(seed);
  const std::size_t count = groups * rows_of_a_group;
  Rows rows{count, 2, std::vector<double>(2 * count), {}, {}};
  for (std::size_t g = 0, r = 0; g < groups; ++g) {
    const double name = uniform();
    const double intercept = uniform.between(-std::sqrt(3.0), std::sqrt(3.0));
    for (std::size_t i = 0; i < rows_of_a_group; ++i, ++r) {
      rows.at(r, 0) = name;
      rows.at(r, 1) = uniform();
      rows.y.push_back(intercept + std::sin(6 * rows.at(r, 1)) + uniform.between(-0.2, 0.2));
      rows.groups.push_back(100.0 + static_cast<double>(g));
    }
  }
  return rows;
}

Rows without_groups(Rows rows) {
  rows.groups.clear();
  return rows;
}

double rmse_on(const Model& model, const Rows& fresh) {
  const std::vector<double> predicted = predict(model, fresh.view());
  double squares = 0;
  for (std::size_t r = 0; r < fresh.count; ++r) squares += std::pow(fresh.y[r] - predicted[r], 2);
  return std::sqrt(squares / static_cast<double>(fresh.count));
}

Rows reversed(const Rows& rows) {
  std::vector<std::size_t> backwards;
  for (std::size_t r = rows.count; r > 0; --r) backwards.push_back(r - 1);
  return rows.pick(backwards);
}

Options sampled() {
  Options options;
  options.grown().structure_rows = 300;
  return options;
}

TEST(GroupedError, HoldsOnNewGroupsWhereThatOfRowsDoesNot) {
  const Rows rows = grouped_rows(40, 12, 951);
  const Rows fresh = grouped_rows(400, 3, 952);
  const Model by_groups = fit(rows.source());
  const Model by_rows = fit(without_groups(rows).source());
  EXPECT_EQ(by_groups.summary.accuracy->groups, 40U);
  EXPECT_EQ(by_groups.summary.accuracy->folds, 10U);
  EXPECT_EQ(by_rows.summary.accuracy->groups, 0U);
  EXPECT_NEAR(by_groups.summary.accuracy->rmse / rmse_on(by_groups, fresh), 1, 0.2);
  EXPECT_LT(by_rows.summary.accuracy->rmse, 0.4 * rmse_on(by_rows, fresh));
  // Rows without groups may take a group's effect for that of the values that it alone has, and new groups
  // then follow the curve.
  EXPECT_LT(rmse_on(by_groups, fresh), 1.1 * rmse_on(by_rows, fresh)) << "the choice is for new groups too";
}

TEST(GroupedError, OfALongTableIsThatOfGroupsThatTookNoPart) {
  const Rows rows = grouped_rows(60, 25, 953);
  const Rows fresh = grouped_rows(400, 3, 954);
  const Model by_groups = fit(rows.source(), sampled());
  const Accuracy& accuracy = *by_groups.summary.accuracy;
  EXPECT_EQ(accuracy.how, AccuracySource::unseen_rows);
  EXPECT_EQ(accuracy.groups, 30U);
  EXPECT_NEAR(accuracy.rmse / rmse_on(by_groups, fresh), 1, 0.25);
  const Model by_rows = fit(without_groups(rows).source(), sampled());
  EXPECT_LT(by_rows.summary.accuracy->rmse, 0.5 * rmse_on(by_rows, fresh));
}

TEST(GroupedIntervals, CoverRowsOfNewGroups) {
  const Rows rows = grouped_rows(60, 10, 955);
  const Rows fresh = grouped_rows(600, 2, 956);
  const Model model = fit(rows.source());
  const std::vector<double> predicted = predict(model, fresh.view());
  const IntervalOffsets offsets = interval_offsets(model, 0.9);
  double covered = 0;
  for (std::size_t r = 0; r < fresh.count; ++r) {
    const double spread = model.residual_spread(predicted[r]);
    covered += fresh.y[r] >= predicted[r] + offsets.lower * spread &&
                       fresh.y[r] <= predicted[r] + offsets.upper * spread
                   ? 1
                   : 0;
  }
  EXPECT_NEAR(covered / static_cast<double>(fresh.count), 0.9, 0.06);
}

TEST(GroupedFit, IsTheSameWhereverTheRowsAre) {
  for (const Options& options : {Options{}, sampled()}) {
    const Rows rows = grouped_rows(45, 20, 957);
    const Model memory = fit(rows.source(), options);
    const Model streamed = fit(test::StreamingSource(rows), options);
    const Model scattered = fit(test::ScatteredSource(rows), options);
    for (const Model* other : {&streamed, &scattered}) {
      EXPECT_EQ(other->summary.accuracy->groups, memory.summary.accuracy->groups);
      EXPECT_NEAR(other->summary.accuracy->rmse, memory.summary.accuracy->rmse, 1e-9);
      ASSERT_EQ(other->coefficients.size(), memory.coefficients.size());
      for (std::size_t i = 0; i < memory.coefficients.size(); ++i)
        EXPECT_NEAR(other->coefficients[i], memory.coefficients[i], 1e-9);
    }
  }
}

TEST(GroupedFit, HasTheSameBitsOnAnyNumberOfThreads) {
  const Rows rows = grouped_rows(30, 15, 958);
  for (Options options : {Options{}, sampled()}) {
    options.threads = 1;
    const Model alone = fit(rows.source(), options);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      const Model shared = fit(rows.source(), options);
      EXPECT_EQ(shared.coefficients, alone.coefficients);
      EXPECT_EQ(shared.residual_quantiles, alone.residual_quantiles);
      EXPECT_EQ(shared.summary.accuracy->rmse, alone.summary.accuracy->rmse);
    }
  }
}

TEST(GroupedFit, DoesNotDependOnTheOrderOfRows) {
  const Rows rows = grouped_rows(40, 20, 959);
  for (const Options& options : {Options{}, sampled()}) {
    const Accuracy a = *fit(rows.source(), options).summary.accuracy;
    const Accuracy b = *fit(reversed(rows).source(), options).summary.accuracy;
    EXPECT_NEAR(a.rmse, b.rmse, 1e-9);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.groups, b.groups);
  }
}

TEST(GroupedSample, NeverCutsAGroup) {
  for (const std::size_t large : {1U, 4U, 300U}) {  // rows of the largest group
    Rows rows = grouped_rows(50, 9, 960 + large);
    for (std::size_t r = 0; r < large; ++r) rows.groups[r] = 5;
    const Options options = [] {
      Options o;
      o.grown().structure_rows = 200;
      return o;
    }();
    const test::StreamingSource source(rows);
    const GrowingRows growing(survey_for_growth(source, options.grown(), options, {}), options.grown(),
                              options);
    const auto& inside = growing.deciding().groups;
    const auto& outside = growing.unseen().groups;
    const std::set<double> decide(inside.begin(), inside.end());
    for (const double group : outside) EXPECT_FALSE(decide.contains(group));
    EXPECT_GT(outside.size(), 60U);
    EXPECT_GE(inside.size(), outside.size());
  }
}

TEST(GroupedFit, OfFewGroupsLeavesEachOut) {
  const Rows rows = grouped_rows(7, 60, 961);
  const Accuracy folds = *fit(rows.source()).summary.accuracy;
  EXPECT_EQ(folds.folds, 7U);
  EXPECT_EQ(folds.groups, 7U);
  // Too few groups are outside the sample to judge, so that those inside are left out in turn.
  Options options;
  options.grown().structure_rows = 300;
  const Accuracy sampled = *fit(rows.source(), options).summary.accuracy;
  EXPECT_EQ(sampled.how, AccuracySource::folds);
  EXPECT_GE(sampled.groups, 5U);
  EXPECT_TRUE(std::isfinite(sampled.rmse));
  EXPECT_TRUE(std::isfinite(sampled.signal_score));
}

TEST(GroupedFit, TellsItsGroupsInItsFile) {
  const Model model = fit(grouped_rows(20, 10, 965).source());
  const Model again = model_from_bytes(to_bytes(model));
  EXPECT_EQ(again.summary.accuracy->groups, 20U);
  EXPECT_EQ(again.summary.weighted_rows, 200U);
}

TEST(GroupsAreRefused, WhereNothingCanBeLearnedFromThem) {
  Rows rows = grouped_rows(4, 30, 962);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { fit(rows.source()); }),
            "There are 4 groups in 120 rows. To leave whole groups out, at least 5 are needed.");
  rows = grouped_rows(10, 6, 963);
  Options options;
  options.grown().folds = 1;
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { fit(rows.source(), options); }),
            "Groups are left out by the referee, and one fold means that there is none.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { fit(rows.source(), Options::paper()); }),
            "The published method chooses by leave-one-out over single rows and cannot leave groups out. The "
            "default method can.");
  rows.groups[17] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { fit(rows.source()); }),
            "In the groups, row 17 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
  rows.groups.pop_back();
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { static_cast<void>(rows.source()); }),
            "The group column has 59 values, but the features have 60 rows. Both must be equal.");
}

TEST(GroupsAreIgnored, ByLeaveOneOutGivenTheModel) {
  const Rows rows = grouped_rows(20, 10, 964);
  const Model model = fit(rows.source());
  EXPECT_EQ(loo_residuals(rows.source(), model), loo_residuals(without_groups(rows).source(), model));
}

}  // namespace
}  // namespace kore

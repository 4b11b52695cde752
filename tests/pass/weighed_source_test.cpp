// Rows weighed by their residuals under a fit, wherever the rows are.
#include "pass/weighed_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pass/shifted_source.hpp"
#include "response/robust.hpp"
#include "stats/linear_form.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::Rows;

FittedFunction crude_fit(const Rows& rows) {
  const Design design = Design::additive(rows.features(), 3, 3);
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()));
  SmootherOptions options;
  options.ridge = 1e-6;
  const Smoother fit(gram, options);
  return {design, fit.intercept(), fit.coefficients()};
}

Rows rows_with_errors() {
  Rows rows = test::made_up_rows(400, 3, 801);
  rows.weights = test::uneven_weights(400, 802);
  for (std::size_t r = 0; r < rows.count; r += 40) rows.y[r] += 30;
  return rows;
}

/// The same rows, weighed one by one.
Rows weighed_by_hand(Rows rows, const FittedFunction& fit, double scale) {
  std::vector<double> values(rows.count);
  evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::linear, rows.view(), values, 1);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.weights[r] *= robust_weight((rows.y[r] - values[r]) / scale);
  return rows;
}

void expect_same_sums(const RowSource& source, const Rows& expected, const Design& design) {
  GramAccumulator by_hand(design);
  by_hand.add(working_block(expected.block()));
  const GramAccumulator gram = gram_of(source, design, GramBlocks::all, 1);
  EXPECT_EQ(gram.serialize(), by_hand.serialize());
}

TEST(WeighedSource, HandsOutRowsThatCountByTheirResiduals) {
  const Rows rows = rows_with_errors();
  const FittedFunction fit = crude_fit(rows);
  const MemorySource source = rows.source();
  const Rows expected = weighed_by_hand(rows, fit, 1);
  EXPECT_EQ(expected.weights[40], 0);
  const WeighedSource weighed(source, {fit, "robust", 1}, 1);
  EXPECT_EQ(weighed.columns(), 3U);
  EXPECT_TRUE(weighed.in_memory());
  weighed.for_each_block([&](const RowBlock& block) {
    for (std::size_t r = 0; r < rows.count; ++r) EXPECT_EQ(block.weight(r), expected.weights[r]) << r;
  });
  expect_same_sums(weighed, expected, fit.design);
}

/// Runs every pass in another process: from its bytes.
class ByBytes final : public RowSource {
 public:
  explicit ByBytes(const RowSource& rows) : rows_(rows) {}
  std::size_t columns() const override { return rows_.columns(); }
  void for_each_block(const std::function<void(const RowBlock&)>&) const override {
    FAIL() << "rows are elsewhere";
  }
  void run(Pass& pass, int threads) const override {
    const auto there = pass_from_task(pass.task());
    rows_.run(*there, threads);
    pass.merge(there->serialize());
  }

 private:
  const RowSource& rows_;
};

TEST(WeighedSource, WeighsRowsWhereTheyAre) {
  const Rows rows = rows_with_errors();
  Rows shifted = rows;
  for (double& y : shifted.y) y = (y - 2) / 4;
  const FittedFunction fit = crude_fit(shifted);
  const MemorySource source = rows.source();
  const ByBytes elsewhere(source);
  const ShiftedSource shifting(elsewhere, 2, 4);
  const WeighedSource weighed(shifting, {fit, "robust", 0.25}, 1);
  expect_same_sums(weighed, weighed_by_hand(shifted, fit, 0.25), fit.design);
}

TEST(WeighedPass, IsRefusedWhereItsTaskContradictsItself) {
  const Rows rows = rows_with_errors();
  const RowWeighing weighing(crude_fit(rows), "robust", 1);
  GramPass gram({crude_fit(rows).design});
  WeighedPass once(gram, weighing);
  EXPECT_EQ(pass_from_task(once.task())->facts().kind, "gram");
  EXPECT_EQ(pass_from_task(once.task())->task(), once.task());
  WeighedPass twice(once, weighing);
  ShiftedPass shifted(gram, TargetShift{1, 2});
  WeighedPass weighed_after_shift(shifted, weighing);
  GramPass of_others({Design::additive({rows.features()[0]}, 2, 3)});
  WeighedPass other_rows(of_others, weighing);
  for (const Pass* pass : {&twice, &weighed_after_shift, &other_rows}) {
    const std::vector<std::byte> task = pass->task();
    EXPECT_EQ(test::refusal(ErrorCode::corrupt_file, [&] { pass_from_task(task); }),
              "The KORE task contradicts itself: it is damaged.");
  }
}

TEST(RowWeighing, NeedsAResponseThatThereIs) {
  const FittedFunction fit = crude_fit(rows_with_errors());
  test::refusal(ErrorCode::invalid_argument, [&] { RowWeighing(fit, "abnormal", 1); });
  test::refusal(ErrorCode::invalid_argument, [&] { RowWeighing(fit, "robust", 0); });
}

TEST(RowWeighing, HoldsBackRowsThatSayTheOppositeOfTheFitAndKeepsTheirSlopes) {
  Rows rows = test::made_up_rows(50, 1, 803);
  for (double& y : rows.y) y = 1;
  const Design design = Design::additive(rows.features(), 1, 3);
  // The fit is sure of no: log odds of -20.
  const FittedFunction fit{design, -20, std::vector<double>(design.raw_columns())};
  WorkingMemory free_memory;
  RowWeighing(fit, "binomial", 0).working_rows(rows.block(), 1, free_memory);
  WorkingMemory held_memory;
  const RowWeighing held(fit, "binomial", 0, 10);
  held.working_rows(rows.block(), 1, held_memory);
  for (std::size_t r = 0; r < rows.count; ++r) {
    EXPECT_GT(free_memory.target[r], 1e6);
    EXPECT_DOUBLE_EQ(held_memory.target[r], -10);
    EXPECT_NEAR(held_memory.weights[r] * 10, free_memory.weights[r] * (free_memory.target[r] + 20), 1e-9);
  }
  GramPass gram({design});
  const std::vector<std::byte> task = WeighedPass(gram, held).task();
  EXPECT_EQ(pass_from_task(task)->task(), task) << "the limit travels with the task";
}

// A task may ask for any response and any longest step. The fuzzers found that those which hand on their rows
// had no numbers to change.
TEST(WeighedSource, BoundsTheStepsOfEveryResponse) {
  constexpr double longest = 0.25;
  const Rows with_weights = rows_with_errors();
  Rows unweighted = with_weights;
  unweighted.weights.clear();
  const Rows& without = unweighted;
  const FittedFunction fit = crude_fit(with_weights);
  for (const Rows* rows : {&with_weights, &without})
    for (const std::string response : {"normal", "robust"}) {
      SCOPED_TRACE(response);
      const double parameter = response == "robust" ? 0.5 : 0;
      const auto working = [&](double step, WorkingMemory& memory) {
        return RowWeighing(fit, response, parameter, step).working_rows(rows->block(), 1, memory);
      };
      std::vector<double> values(rows->count);
      evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::linear, rows->view(), values,
                    1);
      WorkingMemory for_free;
      WorkingMemory for_bounded;
      const WorkingRows free = working(std::numeric_limits<double>::infinity(), for_free);
      const WorkingRows bounded = working(longest, for_bounded);
      std::size_t held = 0;
      for (std::size_t r = 0; r < rows->count; ++r) {
        const double step = free.target[r] - values[r];
        EXPECT_NEAR(bounded.target[r], values[r] + std::clamp(step, -longest, longest), 1e-12);
        // The slope of the loss stays.
        EXPECT_NEAR(bounded.weights[r] * (bounded.target[r] - values[r]), free.weights[r] * step, 1e-9);
        held += std::abs(step) > longest ? 1 : 0;
      }
      EXPECT_GT(held, 10U);
      EXPECT_LT(held, rows->count);
    }
  EXPECT_TRUE(with_weights.y == rows_with_errors().y) << "the rows stay as they are";
}

}  // namespace
}  // namespace kore

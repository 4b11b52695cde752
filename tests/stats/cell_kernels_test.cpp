// The loops over rows of interactions, cell by cell, against plain loops, on every instruction set this
// machine can run.
#include "stats/cell_kernels.hpp"

#include <algorithm>
#include <numeric>

#include "stats/made_up_term.hpp"

namespace kore {
namespace {

using test::MadeUpTerm;
using CellKernelsOn = test::OnInstructionSet;

/// Local functions and cells of the coordinates of a term: splines, straight lines, and mixtures.
struct Shape {
  std::vector<int> locals;
  std::vector<int> cells;
};

std::vector<Shape> main_effects(int locals) {
  return {{{locals}, {1}}, {{locals}, {3}}, {{2}, {1}}, {{1}, {1}}};
}

std::vector<Shape> interactions(int locals) {
  return {{{locals, locals}, {1, 1}}, {{locals, locals}, {3, 2}}, {{2, locals}, {1, 3}},
          {{locals, 2}, {2, 1}},      {{2, 2}, {1, 1}},           {{locals, 2, locals}, {2, 1, 2}}};
}

CellOrder sorted(const MadeUpTerm& term, std::size_t row_count, const std::vector<double>& weights = {}) {
  CellOrder order(term.rows, term.width, row_count);
  order.sort(term.rows, weights.empty() ? nullptr : weights.data(), row_count);
  return order;
}

void expect_accumulation(const MadeUpTerm& left, const MadeUpTerm& right, std::size_t row_count,
                         const std::vector<double>& weights) {
  const CellOrder order = sorted(right, row_count, weights);
  AlignedBuffer scratch(scratch_size(left.rows, order));
  std::vector<double> ours(left.functions() * right.functions(), 0.5);  // kernels add to what is there
  accumulate_cells(left.rows, right.rows, order, left.width, scratch.data(), ours.data());
  EXPECT_TRUE(std::ranges::all_of(scratch.span(), [](double value) { return value == 0; }));
  std::vector<double> plain(ours.size(), 0.5);
  for (std::size_t r = 0; r < row_count; ++r) {
    const std::vector<double> a = left.dense(r);
    const std::vector<double> b = right.dense(r);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j)
        plain[j * a.size() + i] += (weights.empty() ? 1.0 : weights[r]) * a[i] * b[j];
  }
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(ours[i], plain[i], 1e-12) << "entry " << i;
}

void expect_contraction(const MadeUpTerm& left, const MadeUpTerm& right, std::size_t row_count,
                        test::Uniform& uniform) {
  std::vector<double> block(left.functions() * right.functions());
  for (double& value : block) value = uniform.between(-1, 1);
  const CellOrder order = sorted(right, row_count);
  AlignedBuffer scratch(scratch_size(left.rows, order));
  AlignedBuffer sums(row_count * cell_sum_lanes);
  std::fill_n(sums.data(), sums.size(), 1.0);
  contract_cells(left.rows, right.rows, order, left.width, block.data(), scratch.data(), sums.data());
  for (std::size_t r = 0; r < row_count; ++r) {
    const std::vector<double> a = left.dense(r);
    const std::vector<double> b = right.dense(r);
    double plain = cell_sum_lanes;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) plain += a[i] * block[j * a.size() + i] * b[j];
    const double* own = sums.data() + r * cell_sum_lanes;
    ASSERT_NEAR(std::accumulate(own, own + cell_sum_lanes, 0.0), plain, 1e-11) << "row " << r;
  }
}

TEST_P(CellKernelsOn, AgreeWithPlainLoopsWhetherCellsAreCrowdedOrNearlyEmpty) {
  test::Uniform uniform(201);
  for (const int locals : {3, 4, 6})
    for (const std::size_t row_count : {std::size_t{2}, std::size_t{97}}) {
      const std::size_t width = locals <= 4 ? 4 : 8;
      std::vector<Shape> lefts = main_effects(locals);
      for (const Shape& shape : interactions(locals)) lefts.push_back(shape);
      for (const Shape& left_shape : lefts)
        for (const Shape& right_shape : interactions(locals)) {
          SCOPED_TRACE(std::to_string(locals) + " local functions, " + std::to_string(row_count) + " rows");
          const MadeUpTerm left(row_count, width, left_shape.locals, left_shape.cells, uniform);
          const MadeUpTerm right(row_count, width, right_shape.locals, right_shape.cells, uniform);
          expect_accumulation(left, right, row_count, {});
          expect_accumulation(left, right, row_count, test::uneven_weights(row_count, 202));
          expect_contraction(left, right, row_count, uniform);
        }
    }
}

TEST(CellOrder, KeepsEveryRowOnceAndTheOrderWithinACell) {
  test::Uniform uniform(203);
  const MadeUpTerm term(300, 4, {4, 4}, {3, 5}, uniform);
  const CellOrder order = sorted(term, 300);
  std::size_t next = 0;
  std::vector<int> seen(300);
  for (const CellOrder::Bucket& bucket : order.buckets()) {
    EXPECT_EQ(bucket.first, next);
    next = bucket.last;
    for (std::size_t i = bucket.first; i < bucket.last; ++i) {
      const auto row = static_cast<std::size_t>(order.rows()[i]);
      ++seen[row];
      EXPECT_EQ(static_cast<std::size_t>(term.rows.first[row]), bucket.function);
      EXPECT_TRUE(i == bucket.first || order.rows()[i - 1] < order.rows()[i]);
      EXPECT_EQ(order.values()[i * 16 + 5], term.rows.products[row * 16 + 5]);
    }
  }
  EXPECT_EQ(next, 300U);
  EXPECT_TRUE(std::ranges::all_of(seen, [](int count) { return count == 1; }));
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, CellKernelsOn,
                         testing::ValuesIn(hwy::SupportedAndGeneratedTargets()), test::instruction_set_name);

}  // namespace
}  // namespace kore

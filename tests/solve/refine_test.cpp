// Refinement against long double arithmetic, where the ridge alone keeps the problem solvable.
#include <gtest/gtest.h>

#include <memory>

#include "kore/response.hpp"
#include "kore/smoother.hpp"
#include "pass/refine.hpp"
#include "support/dense_matrix.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"

namespace kore {
namespace {

using test::largest;
using test::largest_difference;
using test::Rows;

/// Three features of which the last repeats the first, and a target of large numbers.
Rows dependent_rows() {
  Rows rows = test::made_up_rows(300, 3, 5);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 2) = rows.at(r, 0);
    rows.y[r] = 1e5 * rows.y[r] + 1e6;
  }
  return rows;
}

Smoother fit(const Design& design, const Rows& rows, const SmootherOptions& options) {
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()));
  return Smoother(gram, options);
}

double error_of(const Smoother& smoother, const Rows& rows, const SmootherOptions& options) {
  const test::Vector exact = test::PressOracle(smoother.design(), rows.block(), options).solution();
  const std::vector<double> expected(exact.begin(), exact.end());
  return largest_difference(smoother.solution(), expected) / largest(expected);
}

TEST(Refinement, BringsTheCoefficientsOfDependentColumnsToExactArithmetic) {
  const Rows rows = dependent_rows();
  const SmootherOptions options;
  Smoother smoother = fit(Design::additive(rows.features(), 3, 3), rows, options);
  ASSERT_TRUE(smoother.wants_refinement());
  const double before = error_of(smoother, rows, options);
  Smoother* const fits[]{&smoother};
  refine(fits, MemorySource(rows.block().x, rows.y), 1);
  const double after = error_of(smoother, rows, options);
  EXPECT_LT(after, 1e-7);
  EXPECT_LT(after, before / 5) << "before: " << before;
}

TEST(Refinement, RespectsPenalties) {
  const Rows rows = dependent_rows();
  const Design design = Design::additive(rows.features(), 3, 3);
  SmootherOptions options;
  std::vector<double> roughness(design.term_columns(1) * design.term_columns(1));
  for (std::size_t i = 0; i < design.term_columns(1); ++i)
    roughness[i * design.term_columns(1) + i] = 1 + static_cast<double>(i);
  options.penalties.push_back({1, roughness, 40.0});
  Smoother smoother = fit(design, rows, options);
  Smoother* const fits[]{&smoother};
  refine(fits, MemorySource(rows.block().x, rows.y), 1);
  EXPECT_LT(error_of(smoother, rows, options), 1e-7);
}

TEST(Refinement, LeavesWellConditionedFitsAlone) {
  const Rows rows = test::made_up_rows(200, 2, 6);
  Smoother smoother = fit(Design::additive(rows.features(), 3, 3), rows, {});
  EXPECT_FALSE(smoother.wants_refinement());
  const std::vector<double> before = smoother.solution();
  Smoother* const fits[]{&smoother};
  refine(fits, MemorySource(rows.block().x, rows.y), 1);
  EXPECT_EQ(smoother.solution(), before);
}

}  // namespace
}  // namespace kore

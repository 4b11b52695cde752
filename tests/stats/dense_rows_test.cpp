// Whole rows of the solved layout against their definition.
#include "stats/dense_rows.hpp"

#include <gtest/gtest.h>

#include "kore/response.hpp"
#include "kore/statistics.hpp"
#include "support/mixed_design.hpp"
#include "support/press_oracle.hpp"

namespace kore {
namespace {

using test::mixed_design;
using test::mixed_rows;
using test::Rows;

void expect_the_dense_design(const Design& design, const Rows& rows) {
  GramAccumulator sums(design, GramBlocks::none);
  sums.add(working_block(rows.block()));
  const std::vector<TermMap> maps = term_maps(design, sums.sums(), sums.weight_sum());
  const DenseRows dense(design, maps);
  ASSERT_EQ(dense.columns(), design.columns());
  LocalBlock local(design, rows.count, false);
  for (std::size_t j = 0; j < rows.columns; ++j)
    local.evaluate(j, rows.view(), 0, rows.count, Extrapolation::continue_polynomial);
  const std::vector<std::size_t> some{3, 0, rows.count - 1, 17, 17};
  std::vector<double> out(some.size() * design.columns(), 99.0);
  dense.write(local, some, out.data());
  const test::Matrix expected = test::dense_design(design, rows.block(), rows.block());
  for (std::size_t i = 0; i < some.size(); ++i)
    for (std::size_t c = 0; c < design.columns(); ++c)
      ASSERT_NEAR(out[i * design.columns() + c], static_cast<double>(expected[some[i]][c]), 1e-13)
          << "row " << some[i] << ", column " << c;
}

TEST(DenseRows, AreTheRowsOfTheDesignMatrix) {
  for (const int degree : {1, 2, 3, 5})
    for (const bool highest_order_first : {false, true}) {
      Rows rows = mixed_rows(60, 741);
      expect_the_dense_design(mixed_design(degree, Parametrisation::centred, highest_order_first), rows);
      rows.weights = test::uneven_weights(rows.count, 742);
      expect_the_dense_design(mixed_design(degree, Parametrisation::centred, highest_order_first), rows);
    }
}

TEST(DenseRows, MayHaveNoIntercept) {
  expect_the_dense_design(mixed_design(3, Parametrisation::first_block_full), mixed_rows(60, 743));
}

}  // namespace
}  // namespace kore

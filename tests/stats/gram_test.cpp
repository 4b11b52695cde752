// Sums over rows against the same sums written out densely.
#include <gtest/gtest.h>

#include "kore/response.hpp"
#include "kore/statistics.hpp"
#include "support/made_up_rows.hpp"
#include "support/mixed_design.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::mixed_design;
using test::mixed_rows;
using test::refusal;
using test::Rows;

/// The largest difference from the dense sums over all blocks of all terms.
double worst_block_error(const GramAccumulator& gram, const RowBlock& rows) {
  const Design& design = gram.design();
  const std::size_t terms = design.terms().size();
  double worst = 0;
  for (std::size_t left = 0; left < terms; ++left)
    for (std::size_t right = left; right < terms; ++right) {
      std::vector<test::Real> dense(design.raw_term_columns(left) * design.raw_term_columns(right), 0);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        const test::Vector a = test::raw_term_row(design, left, rows.x, r);
        const test::Vector b = test::raw_term_row(design, right, rows.x, r);
        for (std::size_t i = 0; i < a.size(); ++i)
          for (std::size_t j = 0; j < b.size() && a[i] != 0; ++j)
            dense[i * b.size() + j] += test::Real{rows.weight(r)} * a[i] * b[j];
      }
      const std::vector<double> block = gram.block(left, right);
      EXPECT_EQ(block.size(), dense.size());
      for (std::size_t i = 0; i < dense.size(); ++i)
        worst = std::max(worst, std::abs(static_cast<double>(block[i] - dense[i])));
    }
  return worst;
}

void expect_moments(const GramAccumulator& gram, const RowBlock& rows) {
  const Design& design = gram.design();
  test::Vector sums(design.raw_columns(), 0);
  test::Vector products(design.raw_columns(), 0);
  test::Real weight = 0;
  test::Real target = 0;
  test::Real squares = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const test::Real w = rows.weight(r);
    weight += w;
    target += w * rows.y[r];
    squares += w * rows.y[r] * rows.y[r];
    for (std::size_t t = 0; t < design.terms().size(); ++t) {
      const test::Vector value = test::raw_term_row(design, t, rows.x, r);
      for (std::size_t i = 0; i < value.size(); ++i) {
        sums[design.raw_offset(t) + i] += w * value[i];
        products[design.raw_offset(t) + i] += w * rows.y[r] * value[i];
      }
    }
  }
  const double tolerance = 1e-13 * static_cast<double>(rows.rows());
  EXPECT_EQ(gram.rows(), rows.rows());
  EXPECT_NEAR(gram.weight_sum(), static_cast<double>(weight), tolerance);
  EXPECT_NEAR(gram.target_sum(), static_cast<double>(target), 10 * tolerance);
  EXPECT_NEAR(gram.target_squares(), static_cast<double>(squares), 100 * tolerance);
  const std::vector<double> own_sums = gram.sums();
  const std::vector<double> own_products = gram.target_products();
  ASSERT_EQ(own_sums.size(), sums.size());
  ASSERT_EQ(own_products.size(), products.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_NEAR(own_sums[i], static_cast<double>(sums[i]), tolerance) << "function " << i;
    EXPECT_NEAR(own_products[i], static_cast<double>(products[i]), 10 * tolerance) << "function " << i;
  }
}

class GramOfDegree : public testing::TestWithParam<int> {};

TEST_P(GramOfDegree, EqualsDenseSumsForEveryPairOfTerms) {
  const Rows rows = mixed_rows(75, 11);
  GramAccumulator gram(mixed_design(GetParam()));
  gram.add(working_block(rows.block()));
  EXPECT_LT(worst_block_error(gram, rows.block()), 1e-12);
  expect_moments(gram, rows.block());
}

TEST_P(GramOfDegree, EqualsDenseSumsUnderWeights) {
  Rows rows = mixed_rows(66, 12);
  rows.weights = test::uneven_weights(rows.count, 13);
  GramAccumulator gram(mixed_design(GetParam()));
  gram.add(working_block(rows.block()));
  EXPECT_LT(worst_block_error(gram, rows.block()), 1e-12);
  expect_moments(gram, rows.block());
}

TEST_P(GramOfDegree, DoesNotDependOnTheOrderOfTheTerms) {
  const Rows rows = mixed_rows(40, 14);
  GramAccumulator gram(mixed_design(GetParam(), Parametrisation::centred, true));
  gram.add(working_block(rows.block()));
  EXPECT_LT(worst_block_error(gram, rows.block()), 1e-12);
  expect_moments(gram, rows.block());
}

INSTANTIATE_TEST_SUITE_P(Degrees, GramOfDegree, testing::Range(1, max_degree + 1),
                         [](const auto& test_case) { return "Degree" + std::to_string(test_case.param); });

TEST(Gram, EqualsDenseSumsWhereRowsLieOnKnotsAndEnds) {
  Rows rows{5, 7, {}, {1, -2, 3, 0.5, 4}, {}};
  for (std::size_t j = 0; j < 7; ++j) rows.x.insert(rows.x.end(), {0.0, 1.0, 0.5, 0.25, 0.75});
  for (const int degree : {1, 3, 5}) {
    GramAccumulator gram(mixed_design(degree));
    gram.add(working_block(rows.block()));
    EXPECT_LT(worst_block_error(gram, rows.block()), 1e-13) << "degree " << degree;
  }
}

TEST(Gram, ContinuesPolynomialsBeyondTheGivenRange) {
  Rows rows = mixed_rows(60, 15);
  for (double& value : rows.x) value = 1.4 * value - 0.2;
  GramAccumulator gram(mixed_design(3));
  gram.add(working_block(rows.block()));
  EXPECT_LT(worst_block_error(gram, rows.block()), 1e-11);
}

TEST(Gram, IsTheSameToTheBitForEveryLayoutOfTheTable) {
  const Rows rows = mixed_rows(500, 16);
  std::vector<double> row_major(rows.x.size());
  std::vector<std::vector<double>> separate;
  std::vector<ColumnView> views;
  for (std::size_t j = 0; j < rows.columns; ++j) {
    for (std::size_t r = 0; r < rows.count; ++r) row_major[r * rows.columns + j] = rows.at(r, j);
    separate.push_back(rows.column(j));
  }
  for (const auto& column : separate) views.push_back({column.data(), 1});
  GramAccumulator by_columns(mixed_design(3));
  by_columns.add(working_block(rows.block()));
  GramAccumulator by_rows(mixed_design(3));
  by_rows.add(working_block({MatrixView::row_major(row_major, rows.count, rows.columns), rows.y, {}}));
  GramAccumulator by_parts(mixed_design(3));
  by_parts.add(working_block({MatrixView(views, rows.count), rows.y, {}}));
  EXPECT_EQ(by_rows.serialize(), by_columns.serialize());
  EXPECT_EQ(by_parts.serialize(), by_columns.serialize());
}

TEST(Gram, OfNothingIsZero) {
  GramAccumulator gram(mixed_design(3));
  gram.add(working_block(mixed_rows(0, 1).block()));
  EXPECT_EQ(gram.rows(), 0U);
  EXPECT_EQ(gram.weight_sum(), 0);
  for (const double value : gram.block(0, 6)) EXPECT_EQ(value, 0);
  for (const double value : gram.sums()) EXPECT_EQ(value, 0);
}

TEST(Gram, LeavesAConstantFeatureWithoutFunctions) {
  Rows rows = mixed_rows(30, 17);
  std::fill_n(rows.x.begin() + 30, 30, 0.3);
  std::vector<Feature> features = mixed_design(3).features();
  features[1].range = {0.3, 0.3};
  GramAccumulator gram(Design(features, mixed_design(3).terms(), 3, Parametrisation::centred));
  gram.add(working_block(rows.block()));
  for (const std::size_t term : {1U, 4U, 5U, 6U})
    for (const double value : gram.block(term, term)) ASSERT_EQ(value, 0) << "term " << term;
  EXPECT_LT(worst_block_error(gram, rows.block()), 1e-12);
}

TEST(Gram, CanKeepTheDiagonalBlocksAlone) {
  Rows rows = mixed_rows(70, 18);
  rows.weights = test::uneven_weights(rows.count, 19);
  GramAccumulator all(mixed_design(3));
  GramAccumulator diagonal(mixed_design(3), GramBlocks::diagonal);
  all.add(working_block(rows.block()));
  diagonal.add(working_block(rows.block()));
  for (std::size_t t = 0; t < all.design().terms().size(); ++t)
    EXPECT_EQ(diagonal.block(t, t), all.block(t, t)) << "term " << t;
  EXPECT_EQ(diagonal.sums(), all.sums());
  EXPECT_EQ(diagonal.target_products(), all.target_products());
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { diagonal.block(0, 1); }),
            "This product of terms was not accumulated.");
}

TEST(Gram, RefusesAProductOfTermsInTheWrongOrder) {
  GramAccumulator gram(mixed_design(3));
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { gram.block(2, 1); }),
            "This product of terms was not accumulated.");
}

}  // namespace
}  // namespace kore

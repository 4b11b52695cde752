// Normal equations from dense rows against those from local products.
#include <gtest/gtest.h>

#include <cmath>

#include "kore/response.hpp"
#include "kore/smoother.hpp"
#include "pass/dense_pass.hpp"
#include "penalty/roughness.hpp"
#include "solve/normal_equations.hpp"
#include "support/mixed_design.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::mixed_design;
using test::mixed_rows;
using test::Rows;

Rows weighted_rows(std::size_t count, std::uint64_t seed) {
  Rows rows = mixed_rows(count, seed);
  rows.weights = test::uneven_weights(count, seed + 1);
  return rows;
}

NormalEquations from_local_products(const Design& design, const Rows& rows) {
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()));
  return normal_equations(gram, 1);
}

double largest_diagonal(const NormalEquations& equations, std::size_t p) {
  double largest = 0;
  for (std::size_t i = 0; i < p; ++i) largest = std::max(largest, equations.matrix[i * p + i]);
  return largest;
}

/// Equal up to `tolerance` of what the products could be at most.
void expect_equal(const Design& design, const NormalEquations& ours, const NormalEquations& theirs,
                  double tolerance) {
  const std::size_t p = design.columns();
  ASSERT_EQ(ours.matrix.size(), p * p);
  ASSERT_EQ(ours.right.size(), p);
  const double scale = largest_diagonal(theirs, p);
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t i = j; i < p; ++i)
      ASSERT_NEAR(ours.matrix[j * p + i], theirs.matrix[j * p + i], tolerance * scale) << i << ", " << j;
    ASSERT_NEAR(ours.right[j], theirs.right[j], tolerance * std::sqrt(scale * theirs.target_squares)) << j;
  }
  EXPECT_NEAR(ours.weight_sum, theirs.weight_sum, tolerance * theirs.weight_sum);
  EXPECT_NEAR(ours.target_sum, theirs.target_sum, tolerance * theirs.weight_sum);
  EXPECT_NEAR(ours.target_squares, theirs.target_squares, tolerance * theirs.target_squares);
  ASSERT_EQ(ours.maps.size(), theirs.maps.size());
}

/// Weights of one for all penalties of the terms.
SmootherOptions with_penalties(const Design& design, bool dense) {
  SmootherOptions options;
  options.ridge = 1e-10;
  options.relative_ridge = true;
  options.dense_leverages = dense;
  options.inverse_limit = 1e12;
  for (std::size_t t = 0; t < design.terms().size(); ++t)
    options.penalties.push_back(
        {t, weighted_penalty(design, t, std::vector<double>(term_penalties(design, t).size(), 0.3))});
  return options;
}

TEST(DenseEquations, AreThoseOfTheGramMatrix) {
  for (const int degree : {1, 3, 4})
    for (const bool highest_order_first : {false, true}) {
      const Design design = mixed_design(degree, Parametrisation::centred, highest_order_first);
      for (const Rows& rows : {mixed_rows(1300, 751), weighted_rows(1300, 752), weighted_rows(40, 753)})
        expect_equal(design, dense_normal_equations(design, rows.source(), 1),
                     from_local_products(design, rows), 1e-11);
    }
}

TEST(DenseEquations, OfCirclesAreThoseOfTheGramMatrix) {
  for (const int degree : {1, 3, 5}) {
    const Design design = test::circular_design(degree);
    const Rows rows = weighted_rows(900, 762);
    expect_equal(design, dense_normal_equations(design, rows.source(), 1), from_local_products(design, rows),
                 1e-11);
  }
}

TEST(DenseEquations, PassOverRowsOfWeightZeroWhereverTheyLie) {
  const Design design = mixed_design(3);
  Rows rows = weighted_rows(600, 754);
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < rows.count; ++r) {
    if (r % 4 == 1) {
      rows.weights[r] = 0;
      rows.at(r, 0) = 1e200;
      rows.y[r] = 1e250;
    } else {
      kept.push_back(r);
    }
  }
  expect_equal(design, dense_normal_equations(design, rows.source(), 2),
               from_local_products(design, rows.pick(kept)), 1e-11);
}

TEST(DenseEquations, OfAStreamAreThoseOfMemory) {
  const Design design = mixed_design(3);
  const Rows rows = weighted_rows(1500, 756);
  const test::StreamingSource stream(rows);
  expect_equal(design, dense_normal_equations(design, stream, 2),
               dense_normal_equations(design, rows.source(), 2), 1e-13);
  EXPECT_EQ(stream.passes(), 2);
}

TEST(DenseEquations, HaveTheSameBitsOnAnyNumberOfThreads) {
  const Design design = mixed_design(5);
  ASSERT_GT(design.columns(), 192U);  // more than one tile to share
  const Rows rows = weighted_rows(1100, 758);
  const NormalEquations alone = dense_normal_equations(design, rows.source(), 1);
  for (const int threads : {2, 4}) {
    const NormalEquations together = dense_normal_equations(design, rows.source(), threads);
    EXPECT_TRUE(together.matrix == alone.matrix) << threads << " threads";
    EXPECT_TRUE(together.right == alone.right) << threads << " threads";
  }
}

TEST(RestrictedEquations, AreThoseOfTheSmallerDesign) {
  const Design design = mixed_design(3);
  const Rows rows = weighted_rows(500, 760);
  const NormalEquations all = from_local_products(design, rows);
  for (const std::vector<std::size_t>& kept :
       {std::vector<std::size_t>{0, 1, 2}, {1, 6}, {3, 4, 5, 8, 12}, {13}}) {
    std::vector<Term> terms;
    for (const std::size_t t : kept) terms.push_back(design.terms()[t]);
    const Design smaller(design.features(), terms, 3, Parametrisation::centred);
    expect_equal(smaller, restrict_to(design, all, kept), from_local_products(smaller, rows), 1e-13);
  }
}

TEST(DenseLeverages, GiveTheLeaveOneOutOfTheInverse) {
  const Design design = mixed_design(3);
  const Rows rows = weighted_rows(500, 762);
  const NormalEquations equations = dense_normal_equations(design, rows.source(), 1);
  const Smoother dense = solve_equations(design, equations, with_penalties(design, true));
  const Smoother inverse = solve_equations(design, equations, with_penalties(design, false));
  std::vector<double> by_dense(rows.count);
  std::vector<double> by_inverse(rows.count);
  const PressSums ours = dense.press(rows.block(), 1, {by_dense, {}});
  const PressSums theirs = inverse.press(rows.block(), 1, {by_inverse, {}});
  EXPECT_NEAR(ours.loo() / theirs.loo(), 1, 1e-9);
  EXPECT_NEAR(ours.leverage / theirs.leverage, 1, 1e-9);
  EXPECT_NEAR(ours.max_leverage, theirs.max_leverage, 1e-9);
  for (std::size_t r = 0; r < rows.count; ++r)
    ASSERT_NEAR(by_dense[r], by_inverse[r], 1e-8 * std::sqrt(theirs.loo())) << r;
}

}  // namespace
}  // namespace kore

#include "kore/smoother.hpp"
#include "kore/response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/dense_matrix.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::largest;
using test::largest_difference;
using test::refusal;
using test::Rows;

GramAccumulator gram_of(const Design& design, const Rows& rows) {
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()));
  return gram;
}

Smoother fit(const Design& design, const Rows& rows, const SmootherOptions& options = {}) {
  return Smoother(gram_of(design, rows), options);
}

Rows weighted_rows(std::size_t count, std::size_t columns, std::uint64_t seed) {
  Rows rows = test::made_up_rows(count, columns, seed);
  rows.weights = test::uneven_weights(count, seed + 1);
  return rows;
}

SmootherOptions with_ridge(double ridge) {
  SmootherOptions options;
  options.ridge = ridge;
  return options;
}

/// A main effect, a pair, a triple and a straight line, at mixed resolutions.
Design mixed_design(std::vector<Feature> features, int degree) {
  features[2].kind = FeatureKind::linear;
  return {std::move(features),
          {{{0}, {3}}, {{1}, {1}}, {{2}, {4}}, {{1, 0}, {1, 2}}, {{2, 0, 1}, {9, 1, 2}}},
          degree,
          Parametrisation::centred};
}

std::vector<double> doubles(const test::Vector& values) { return {values.begin(), values.end()}; }

void expect_the_dense_solution(const Design& design, const Rows& rows, const SmootherOptions& options) {
  const auto found = fit(design, rows, options).solution();
  const auto expected = doubles(test::PressOracle(design, rows.block(), options).solution());
  ASSERT_EQ(found.size(), design.columns());
  EXPECT_LE(largest_difference(found, expected), 1e-9 * largest(expected));
}

class SmootherOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Degrees, SmootherOf, testing::Values(1, 2, 3, 5));

TEST_P(SmootherOf, AnAdditiveDesignHasTheCoefficientsOfADenseSolve) {
  for (const Rows& rows : {test::made_up_rows(150, 3, 1), weighted_rows(150, 3, 2)})
    for (const int resolution : {1, 4})
      expect_the_dense_solution(Design::additive(rows.features(), resolution, GetParam()), rows,
                                with_ridge(1e-4));
}

TEST_P(SmootherOf, APairwiseDesignHasTheCoefficientsOfADenseSolve) {
  const std::vector<FeaturePair> pairs{{2, 0}, {0, 1}};
  for (const Rows& rows : {test::made_up_rows(250, 3, 3), weighted_rows(250, 3, 4)})
    for (const int resolution : {1, 2})
      expect_the_dense_solution(Design::pairwise(rows.features(), pairs, resolution, GetParam()), rows,
                                with_ridge(1e-3));
}

TEST_P(SmootherOf, ATripleAtMixedResolutionsHasTheCoefficientsOfADenseSolve) {
  for (const Rows& rows : {test::made_up_rows(300, 3, 5), weighted_rows(300, 3, 6)})
    expect_the_dense_solution(mixed_design(rows.features(), GetParam()), rows, with_ridge(1e-3));
}

TEST_P(SmootherOf, TheRawLayoutHasTheSameValuesAsTheSolvedOne) {
  const Rows rows = weighted_rows(300, 3, 7);
  const Design mixed = mixed_design(rows.features(), GetParam());
  for (const Design& design : {mixed, Design::additive(rows.features(), 3, GetParam())}) {
    const Smoother smoother = fit(design, rows, with_ridge(1e-3));
    const auto solution = smoother.solution();
    const test::Matrix dense = test::dense_design(design, rows.block(), rows.block());
    ASSERT_EQ(smoother.coefficients().size(), design.raw_columns());
    for (std::size_t r = 0; r < rows.count; ++r) {
      double raw = smoother.intercept();
      for (std::size_t t = 0; t < design.terms().size(); ++t) {
        const test::Vector functions = test::raw_term_row(design, t, rows.view(), r);
        for (std::size_t f = 0; f < functions.size(); ++f)
          raw += static_cast<double>(functions[f]) * smoother.coefficients()[design.raw_offset(t) + f];
      }
      const auto solved = static_cast<double>(test::dot(dense[r], {solution.begin(), solution.end()}));
      EXPECT_NEAR(raw, solved, 1e-10) << r;
    }
  }
}

TEST_P(SmootherOf, ItsInverseDiagonalIsThatOfTheNormalEquations) {
  const Rows rows = weighted_rows(80, 2, 8);
  const SmootherOptions options = with_ridge(1e-3);
  const Design design = Design::pairwise(rows.features(), all_pairs(2), 1, GetParam());
  const auto diagonal = fit(design, rows, options).inverse_diagonal();
  ASSERT_EQ(diagonal.size(), design.columns());
  const test::Matrix normal = test::PressOracle(design, rows.block(), options).normal_matrix();
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    test::Vector unit(diagonal.size(), 0);
    unit[i] = 1;
    const auto expected = static_cast<double>(test::solve_dense(normal, unit)[i]);
    EXPECT_NEAR(diagonal[i], expected, 1e-9 * expected);
  }
}

TEST(Smoother, AWeightOfTwoEqualsARowGivenTwice) {
  Rows weighted = test::made_up_rows(120, 3, 9);
  weighted.weights.assign(120, 1.0);
  std::vector<std::size_t> repeated(120);
  std::iota(repeated.begin(), repeated.end(), std::size_t{0});
  for (std::size_t r = 0; r < 120; r += 7) {
    weighted.weights[r] = 2;
    repeated.push_back(r);
  }
  Rows twice = test::made_up_rows(120, 3, 9).pick(repeated);
  for (const Design& design : {Design::additive(twice.features(), 3, 3), mixed_design(twice.features(), 2)}) {
    const auto a = fit(design, weighted, with_ridge(1e-3));
    const auto b = fit(design, twice, with_ridge(1e-3));
    EXPECT_LE(largest_difference(a.solution(), b.solution()), 1e-10 * largest(b.solution()));
    EXPECT_LE(largest_difference(a.coefficients(), b.coefficients()), 1e-10 * largest(b.coefficients()));
    EXPECT_LE(largest_difference(a.inverse_diagonal(), b.inverse_diagonal()),
              1e-9 * largest(b.inverse_diagonal()));
  }
}

TEST(Smoother, ARowOfWeightZeroDoesNotCount) {
  Rows rows = test::made_up_rows(60, 2, 10);
  const Design design = Design::additive(rows.features(), 2, 3);
  const auto without = fit(design, rows.slice(0, 50)).solution();
  rows.weights.assign(60, 1.0);
  std::fill(rows.weights.begin() + 50, rows.weights.end(), 0.0);
  EXPECT_LE(largest_difference(fit(design, rows).solution(), without), 1e-10 * largest(without));
}

TEST(Smoother, GivesAConstantTargetBack) {
  Rows rows = test::made_up_rows(90, 2, 11);
  std::fill(rows.y.begin(), rows.y.end(), 7.5);
  for (const Design& design :
       {Design::additive(rows.features(), 3, 3), Design::pairwise(rows.features(), all_pairs(2), 2, 3)}) {
    const auto solution = fit(design, rows, with_ridge(1e-12)).solution();  // a ridge pulls towards zero
    for (const test::Vector& row : test::dense_design(design, rows.block(), rows.block()))
      EXPECT_NEAR(static_cast<double>(test::dot(row, {solution.begin(), solution.end()})), 7.5, 1e-8);
  }
}

TEST(Smoother, AConstantColumnHasNoEffect) {
  const Rows rows = test::made_up_rows(90, 2, 12);
  const Rows wider = rows.with_column(1, std::vector<double>(90, -3.0));
  const Smoother narrow = fit(Design::additive(rows.features(), 3, 3), rows);
  const Smoother wide = fit(Design::additive(wider.features(), 3, 3), wider);
  for (std::size_t i = 6; i < 11; ++i) EXPECT_EQ(wide.solution()[i], 0) << i;
  std::vector<double> others = wide.solution();
  others.erase(others.begin() + 6, others.begin() + 11);
  EXPECT_LE(largest_difference(others, narrow.solution()), 1e-12 * largest(others));
}

TEST(Smoother, NeedsEveryProductOfItsTerms) {
  const Rows rows = test::made_up_rows(40, 2, 13);
  GramAccumulator diagonal(Design::additive(rows.features(), 2, 3), GramBlocks::diagonal);
  diagonal.add(working_block(rows.block()));
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { Smoother{diagonal}; }),
            "This product of terms was not accumulated.");
}

TEST(Smoother, OfNoRowsIsRefused) {
  const Rows rows = test::made_up_rows(40, 2, 14);
  const GramAccumulator empty(Design::pairwise(rows.features(), {}, 2, 3));
  EXPECT_NE(refusal(ErrorCode::not_positive_definite, [&] { Smoother{empty}; }), "");
}

TEST(Smoother, HasTheSameBitsOnAnyNumberOfThreads) {
  const Rows rows = weighted_rows(400, 4, 15);
  const auto gram = gram_of(Design::pairwise(rows.features(), all_pairs(4), 3, 3), rows);  // 171 columns
  SmootherOptions options = with_ridge(1e-6);
  const Smoother one(gram, options);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const Smoother other(gram, options);
    EXPECT_EQ(other.solution(), one.solution());
    EXPECT_EQ(other.coefficients(), one.coefficients());
    EXPECT_EQ(other.inverse_diagonal(), one.inverse_diagonal());
  }
}

TEST(Smoother, WithoutLeveragesHasTheSameCoefficientsAndNoInverse) {
  const Rows rows = test::made_up_rows(90, 2, 16);
  const Design design = Design::additive(rows.features(), 3, 3);
  SmootherOptions options;
  options.leverages = false;
  const Smoother plain = fit(design, rows, options);
  EXPECT_EQ(plain.solution(), fit(design, rows).solution());
  EXPECT_TRUE(plain.inverse_diagonal().empty());
}

}  // namespace
}  // namespace kore

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kore/response.hpp"
#include "kore/smoother.hpp"
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

Smoother fit(const Design& design, const Rows& rows, const SmootherOptions& options = {}) {
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()));
  return Smoother(gram, options);
}

/// Least squares on the rows of a design and further rows `extra` with the target zero, plus a plain ridge.
std::vector<double> with_pseudo_rows(const Design& design, const Rows& rows, const test::Matrix& extra,
                                     double ridge) {
  test::Matrix all = test::dense_design(design, rows.block(), rows.block());
  const std::size_t given = all.size();
  all.insert(all.end(), extra.begin(), extra.end());
  const std::size_t p = design.columns();
  test::Matrix matrix(p, test::Vector(p));
  test::Vector right(p);
  for (std::size_t i = 0; i < p; ++i) matrix[i][i] = ridge;
  for (std::size_t r = 0; r < all.size(); ++r)
    for (std::size_t i = 0; i < p; ++i) {
      if (r < given) right[i] += all[r][i] * rows.y[r];
      for (std::size_t j = 0; j < p; ++j) matrix[i][j] += all[r][i] * all[r][j];
    }
  const test::Vector solution = test::solve_dense(matrix, right);
  return {solution.begin(), solution.end()};
}

/// The second differences of `m` neighbouring coefficients.
std::vector<std::vector<double>> second_differences(std::size_t m) {
  std::vector<std::vector<double>> differences;
  for (std::size_t i = 0; i + 2 < m; ++i) {
    differences.emplace_back(m);
    differences.back()[i] = 1;
    differences.back()[i + 1] = -2;
    differences.back()[i + 2] = 1;
  }
  return differences;
}

/// `D'D` as a penalty on a term, and `sqrt(weight) D` as rows of its columns.
TermPenalty add_roughness(const Design& design, std::size_t term, double weight, test::Matrix& pseudo_rows) {
  const std::size_t m = design.term_columns(term);
  TermPenalty penalty{term, std::vector<double>(m * m), weight};
  for (const auto& difference : second_differences(m)) {
    pseudo_rows.emplace_back(design.columns(), test::Real{0});
    for (std::size_t i = 0; i < m; ++i) {
      pseudo_rows.back()[design.offset(term) + i] = std::sqrt(test::Real{weight}) * difference[i];
      for (std::size_t j = 0; j < m; ++j) penalty.matrix[i * m + j] += difference[i] * difference[j];
    }
  }
  return penalty;
}

TEST(Penalty, OfATermEqualsPseudoRows) {
  const Rows rows = test::made_up_rows(200, 2, 1);
  for (const Design& design :
       {Design::additive(rows.features(), 4, 3), Design::pairwise(rows.features(), all_pairs(2), 2, 3)}) {
    SmootherOptions options;
    options.ridge = 1e-4;
    test::Matrix pseudo_rows;
    options.penalties.push_back(add_roughness(design, 1, 3.5, pseudo_rows));
    options.penalties.push_back(add_roughness(design, 0, 0.25, pseudo_rows));
    const auto expected = with_pseudo_rows(design, rows, pseudo_rows, options.ridge);
    const auto found = fit(design, rows, options).solution();
    EXPECT_LE(largest_difference(found, expected), 1e-9 * largest(expected));
    options.penalties.clear();
    EXPECT_GT(largest_difference(fit(design, rows, options).solution(), expected), 1e-3 * largest(expected));
  }
}

TEST(Penalty, SumsUpOverSeveralOnTheSameTerm) {
  const Rows rows = test::made_up_rows(100, 1, 2);
  const Design design = Design::additive(rows.features(), 3, 3);
  test::Matrix ignored;
  SmootherOptions twice;
  twice.penalties = {add_roughness(design, 0, 1, ignored), add_roughness(design, 0, 2, ignored)};
  SmootherOptions once;
  once.penalties = {add_roughness(design, 0, 3, ignored)};
  const auto expected = fit(design, rows, once).solution();
  EXPECT_LE(largest_difference(fit(design, rows, twice).solution(), expected), 1e-12 * largest(expected));
}

TEST(Penalty, OfWeightZeroChangesNothing) {
  const Rows rows = test::made_up_rows(100, 1, 3);
  const Design design = Design::additive(rows.features(), 3, 3);
  test::Matrix ignored;
  SmootherOptions options;
  options.penalties = {add_roughness(design, 0, 0, ignored)};
  EXPECT_EQ(fit(design, rows, options).solution(), fit(design, rows).solution());
}

TEST(Penalty, ThatGrowsFlattensItsTermAndLeavesTheOthers) {
  const Rows rows = test::made_up_rows(300, 2, 4);
  const Design design = Design::pairwise(rows.features(), {}, 3, 3);
  const std::size_t m = design.term_columns(1);
  TermPenalty penalty{1, std::vector<double>(m * m), 1e9};
  for (std::size_t i = 0; i < m; ++i) penalty.matrix[i * m + i] = 1;
  SmootherOptions options;
  options.penalties = {penalty};
  const auto found = fit(design, rows, options).solution();
  const Design alone(rows.features(), {{{0}, {3}}}, 3, Parametrisation::centred);
  const auto expected = fit(alone, rows).solution();
  for (std::size_t i = 0; i < m; ++i) EXPECT_NEAR(found[design.offset(1) + i], 0, 1e-6);
  EXPECT_LE(largest_difference(std::span(found).first(alone.columns()), expected), 1e-5 * largest(expected));
}

TEST(Ridge, IsAddedToTheDiagonal) {
  const Rows rows = test::made_up_rows(80, 2, 5);
  const Design design = Design::additive(rows.features(), 2, 3);
  SmootherOptions options;
  options.ridge = 0.5;
  const auto expected = with_pseudo_rows(design, rows, {}, 0.5);
  EXPECT_LE(largest_difference(fit(design, rows, options).solution(), expected), 1e-11 * largest(expected));
}

TEST(Ridge, MayBeRelativeToTheMeanDiagonalEntry) {
  const Rows rows = test::made_up_rows(80, 2, 6);
  const Design design = Design::pairwise(rows.features(), all_pairs(2), 1, 3);
  double trace = 0;
  for (const test::Vector& row : test::dense_design(design, rows.block(), rows.block()))
    trace += static_cast<double>(test::dot(row, row));
  SmootherOptions relative;
  relative.ridge = 1e-3;
  relative.relative_ridge = true;
  SmootherOptions absolute;
  absolute.ridge = 1e-3 * trace / static_cast<double>(design.columns());
  const auto expected = fit(design, rows, absolute).solution();
  EXPECT_LE(largest_difference(fit(design, rows, relative).solution(), expected), 1e-10 * largest(expected));
}

TEST(Ridge, ThatIsRelativeFollowsTheScaleOfTheWeights) {
  Rows rows = test::made_up_rows(80, 2, 7);
  const Design design = Design::additive(rows.features(), 2, 3);
  SmootherOptions options;
  options.ridge = 1e-6;
  options.relative_ridge = true;
  const auto expected = fit(design, rows, options).solution();
  rows.weights.assign(80, 1e12);
  EXPECT_LE(largest_difference(fit(design, rows, options).solution(), expected), 1e-9 * largest(expected));
}

TEST(Ridge, ThatIsNegativeOrNotFiniteIsRefused) {
  const Rows rows = test::made_up_rows(40, 1, 8);
  const Design design = Design::additive(rows.features(), 2, 3);
  for (const double ridge :
       {-1e-12, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SmootherOptions options;
    options.ridge = ridge;
    EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { fit(design, rows, options); }),
              "The ridge must be a finite number that is not negative.");
  }
}

TEST(Penalty, OfAnotherSizeOrTermOrANegativeWeightIsRefused) {
  const Rows rows = test::made_up_rows(40, 2, 9);
  const Design design = Design::additive(rows.features(), 2, 3);
  const auto sentence = [&](const TermPenalty& penalty) {
    SmootherOptions options;
    options.penalties = {penalty};
    return refusal(ErrorCode::invalid_argument, [&] { fit(design, rows, options); });
  };
  EXPECT_EQ(sentence({1, std::vector<double>(25), 1}),
            "The penalty of term 1 needs a matrix of 4 by 4 numbers.");
  EXPECT_EQ(sentence({0, {}, 1}), "The penalty of term 0 needs a matrix of 5 by 5 numbers.");
  EXPECT_EQ(sentence({2, std::vector<double>(16), 1}),
            "There is no term 2 to penalise; the design has 2 terms (counted from 0).");
  const char* weight = "The weight of a penalty must be a finite number that is not negative.";
  EXPECT_EQ(sentence({1, std::vector<double>(16), -1}), weight);
  EXPECT_EQ(sentence({1, std::vector<double>(16), std::numeric_limits<double>::quiet_NaN()}), weight);
}

// Features of two values in equal or square numbers make a Gram matrix whose factor has no rounding, so that
// a repeated column meets a pivot of exactly zero on any machine.
TEST(SingularProblem, NamesTheTermOfADuplicatedFeature) {
  Rows rows{13, 2, {}, {}, {}};
  for (int copy = 0; copy < 2; ++copy)
    for (int r = 0; r < 13; ++r) rows.x.push_back(r < 4 ? 0 : 1);
  for (int r = 0; r < 13; ++r) rows.y.push_back(r);
  auto features = rows.features();
  features[0] = {"age", {0, 1}, FeatureKind::linear};
  features[1] = {"age again", {0, 1}, FeatureKind::linear};
  SmootherOptions options;
  options.ridge = 0;
  const auto sentence = [&](const Design& design) {
    return refusal(ErrorCode::not_positive_definite, [&] { fit(design, rows, options); });
  };
  const std::string reason =
      ": they depend on other columns beyond what the ridge can separate. Drop a duplicated feature, lower "
      "the "
      "resolution or raise the ridge.";
  EXPECT_EQ(sentence(Design::additive(features, 1, 3)),
            "The normal equations are singular in the columns of 'age again'" + reason);
  features[1].name.clear();
  EXPECT_EQ(sentence(Design::additive(features, 1, 3)),
            "The normal equations are singular in the columns of feature 1" + reason);
  EXPECT_NO_THROW(fit(Design::additive(features, 1, 3), rows)) << "the ridge is there for this";
}

TEST(SingularProblem, NamesAnInteractionWithAConstantFeature) {
  const Rows rows = test::made_up_rows(120, 1, 10).with_column(1, std::vector<double>(120, 2.0));
  auto features = rows.features();
  features[0].name = "x";
  features[1].name = "constant";
  SmootherOptions options;
  options.ridge = 0;
  try {
    fit({features, {{{0}, {2}}, {{0, 1}, {1, 1}}}, 2, Parametrisation::centred}, rows, options);
    FAIL() << "a block of zeros passed";
  } catch (const NotPositiveDefinite& failure) {
    EXPECT_EQ(failure.column(), 4u);  // the intercept and three columns come first
    EXPECT_NE(std::string(failure.what()).find("the columns of 'x' x 'constant':"), std::string::npos)
        << failure.what();
  }
}

}  // namespace
}  // namespace kore

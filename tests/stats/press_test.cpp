// Leave-one-out from one fit against fits that really leave each row out.
#include <gtest/gtest.h>

#include "kore/response.hpp"
#include "kore/smoother.hpp"
#include "support/made_up_rows.hpp"
#include "support/mixed_design.hpp"
#include "support/press_oracle.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::mixed_design;
using test::mixed_rows;
using test::PressOracle;
using test::Rows;

/// One fit of the engine with its rows, and the same problem solved by definition.
struct Fitting {
  Fitting(Rows data, const Design& design, SmootherOptions settings = {})
      : rows(std::move(data)),
        options(std::move(settings)),
        gram(gram_of(design, rows)),
        smoother(gram, options),
        oracle(design, rows.block(), options) {
    loo_residuals.resize(rows.count);
    leverages.resize(rows.count);
    sums = smoother.press(rows.block(), 1, {loo_residuals, leverages});
  }
  static GramAccumulator gram_of(const Design& design, const Rows& rows) {
    GramAccumulator gram(design);
    gram.add(working_block(rows.block()));
    return gram;
  }

  void expect_everything(double tolerance = 1e-9) const {
    const std::vector<double> left_out = oracle.loo_residuals();
    const test::Vector solution = oracle.solution();
    double weight = 0;
    double squares = 0;
    double residual_squares = 0;
    double effective = 0;
    double largest = 0;
    for (std::size_t r = 0; r < rows.count; ++r) {
      const double w = rows.block().weight(r);
      const double residual = static_cast<double>(rows.y[r] - test::dot(oracle.row(r), solution));
      const double leverage = oracle.leverage(r);
      EXPECT_NEAR(loo_residuals[r], left_out[r], tolerance * std::max(1.0, std::abs(left_out[r])))
          << "row " << r;
      EXPECT_NEAR(leverages[r], leverage, tolerance) << "row " << r;
      weight += w;
      squares += w * left_out[r] * left_out[r];
      residual_squares += w * residual * residual;
      effective += leverage;
      largest = std::max(largest, leverage);
    }
    EXPECT_EQ(sums.rows, rows.count);
    EXPECT_NEAR(sums.weight_sum, weight, 1e-11);
    EXPECT_NEAR(sums.left_out_loss / squares, 1, tolerance);
    EXPECT_NEAR(sums.loo() / (squares / weight), 1, tolerance);
    EXPECT_NEAR(sums.loss / residual_squares, 1, tolerance);
    EXPECT_NEAR(sums.leverage, effective, tolerance * effective);
    EXPECT_NEAR(sums.max_leverage, largest, tolerance);
  }

  Rows rows;
  SmootherOptions options;
  GramAccumulator gram;
  Smoother smoother;
  PressOracle oracle;
  PressSums sums;
  std::vector<double> loo_residuals;
  std::vector<double> leverages;
};

Rows weighted(Rows rows, std::uint64_t seed) {
  rows.weights = test::uneven_weights(rows.count, seed);
  return rows;
}

SmootherOptions with_ridge(double ridge, bool relative) {
  SmootherOptions options;
  options.ridge = ridge;
  options.relative_ridge = relative;
  return options;
}

/// Squared second differences of neighbouring coefficients: a penalty that is neither diagonal nor of full
/// rank.
TermPenalty roughness(const Design& design, std::size_t term, double weight) {
  const std::size_t m = design.term_columns(term);
  TermPenalty penalty{term, std::vector<double>(m * m), weight};
  for (std::size_t i = 0; i + 2 < m; ++i) {
    const double difference[] = {1, -2, 1};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        penalty.matrix[(i + a) * m + i + b] += difference[a] * difference[b];
  }
  return penalty;
}

TEST(Press, OfCirclesIsThatOfRefitsByDefinition) {
  for (const int degree : {1, 3, 5}) {
    SmootherOptions options;
    options.ridge = 1e-3;
    Fitting(weighted(mixed_rows(90, 711), 712), test::circular_design(degree), options).expect_everything();
  }
}

TEST(Press, EqualsRefittingForTheAdditiveFamily) {
  for (const int resolution : {1, 4}) {
    const Rows rows = made_up_rows(60, 3, 51);
    const Fitting fitting(rows, Design::additive(rows.features(), resolution, 3));
    EXPECT_TRUE(fitting.smoother.uses_inverse());
    fitting.expect_everything();
  }
}

TEST(Press, EqualsRefittingForTheAdditiveFamilyUnderWeights) {
  const Rows rows = weighted(made_up_rows(60, 3, 52), 53);
  Fitting(rows, Design::additive(rows.features(), 3, 3)).expect_everything();
  Fitting(rows, Design::additive(rows.features(), 3, 3), with_ridge(1e-3, true)).expect_everything();
}

TEST(Press, EqualsRefittingForThePairwiseFamily) {
  const Rows rows = made_up_rows(70, 3, 54);
  const std::vector<FeaturePair> pairs{{0, 1}, {2, 0}};
  Fitting(rows, Design::pairwise(rows.features(), pairs, 1, 3)).expect_everything();
  Fitting(rows, Design::pairwise(rows.features(), pairs, 2, 2)).expect_everything();
}

TEST(Press, EqualsRefittingForThePairwiseFamilyUnderWeights) {
  const Rows rows = weighted(made_up_rows(70, 3, 55), 56);
  const std::vector<FeaturePair> pairs{{0, 1}, {2, 0}};
  const Fitting fitting(rows, Design::pairwise(rows.features(), pairs, 1, 3), with_ridge(1e-10, true));
  fitting.expect_everything();
}

class PressOfDegree : public testing::TestWithParam<int> {};

TEST_P(PressOfDegree, EqualsRefittingWithATripleAndMixedResolutions) {
  // The ridge keeps the problem well posed: a triple of degree 7 has more columns than there are rows.
  const SmootherOptions options = with_ridge(0.05, false);
  const std::size_t count = GetParam() > 3 ? 24 : 50;
  const Fitting plain(mixed_rows(count, 57), mixed_design(GetParam()), options);
  EXPECT_TRUE(plain.smoother.uses_inverse());
  plain.expect_everything();
  const Fitting heavy(weighted(mixed_rows(count, 58), 59), mixed_design(GetParam()), options);
  heavy.expect_everything();
}

INSTANTIATE_TEST_SUITE_P(Degrees, PressOfDegree, testing::Values(1, 2, 3, 4),
                         [](const auto& test_case) { return "Degree" + std::to_string(test_case.param); });

TEST(Press, EqualsRefittingWithoutTheInverse) {
  // Every leverage by a triangular solve of a row of the paper's columns.
  SmootherOptions options = with_ridge(0.05, false);
  options.inverse_limit = 1;
  for (const int degree : {1, 3}) {
    const Fitting fitting(weighted(mixed_rows(50, 73), 74), mixed_design(degree), options);
    EXPECT_FALSE(fitting.smoother.uses_inverse());
    fitting.expect_everything();
  }
}

TEST(Press, EqualsRefittingForTheAdditiveFamilyWithCategoriesAndWarps) {
  const Rows rows = weighted(mixed_rows(60, 75), 76);
  Fitting(rows, mixed_design(3, Parametrisation::first_block_full)).expect_everything();
  // The first block, which holds the constant, as a category.
  Fitting(rows, mixed_design(2, Parametrisation::first_block_full, true)).expect_everything();
}

TEST(Press, EqualsRefittingWhereACategoryHasOneLevelOrALevelNoRows) {
  Rows rows = mixed_rows(50, 77);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 2) = 4;  // whatever it says, there is one level
  std::vector<Feature> features = mixed_design(3).features();
  features[2] = {"single", {4, 4}, FeatureKind::category, 1};
  features[5].levels = 4;  // the third is none of the values, the fourth what is none
  for (std::size_t r = 0; r < rows.count; ++r)
    if (rows.at(r, 5) == 2) rows.at(r, 5) = 3;
  const Design design(
      features, {{{0}, {2}}, {{2}, {3}}, {{5}, {1}}, {{2, 0}, {1, 2}}, {{5, 2}, {1, 1}}, {{5, 0}, {1, 1}}}, 3,
      Parametrisation::centred);
  const Fitting fitting(weighted(rows, 78), design, with_ridge(1e-3, false));
  EXPECT_EQ(design.term_columns(3), 0U);
  fitting.expect_everything();
}

TEST(Press, EqualsRefittingWithTheTripleFirst) {
  const Design design = mixed_design(1, Parametrisation::centred, true);
  Fitting(weighted(mixed_rows(60, 60), 61), design, with_ridge(1e-3, false)).expect_everything();
}

TEST(Press, EqualsRefittingForEveryDegree) {
  for (int degree = 1; degree <= max_degree; ++degree) {
    SCOPED_TRACE("degree " + std::to_string(degree));
    const Rows rows = weighted(made_up_rows(45, 2, 62), 63);
    Fitting(rows, Design::additive(rows.features(), 2, degree), with_ridge(1e-4, false)).expect_everything();
    const std::vector<FeaturePair> pair{{0, 1}};
    Fitting(rows, Design::pairwise(rows.features(), pair, 1, degree), with_ridge(1e-2, false))
        .expect_everything();
  }
}

TEST(Press, EqualsRefittingUnderPenalties) {
  const Rows rows = weighted(mixed_rows(60, 64), 65);
  const Design design = mixed_design(2);
  SmootherOptions options = with_ridge(1e-4, true);
  options.penalties = {roughness(design, 1, 0.7), roughness(design, 4, 3.0), roughness(design, 6, 0.2)};
  Fitting(rows, design, options).expect_everything();
}

TEST(Press, KeepsItsDigitsWhereALeverageIsNearlyOne) {
  // One row far from the others has its local functions to itself: only the ridge keeps its leverage below
  // one. The inverse is still trusted, with an error near 1e-10, of which the distance to one would be left
  // with four digits.
  Rows rows = made_up_rows(50, 2, 66);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 0) *= 0.3;
  rows.at(17, 0) = 1;
  for (const bool heavy : {false, true}) {
    if (heavy) rows.weights.assign(rows.count, 1.5);
    const Fitting fitting(rows, Design::additive(rows.features(), 6, 3), with_ridge(2e-6, false));
    EXPECT_TRUE(fitting.smoother.uses_inverse());
    EXPECT_GT(fitting.leverages[17], 1 - 1e-5);
    EXPECT_LT(fitting.leverages[17], 1);
    EXPECT_NEAR(fitting.loo_residuals[17] / fitting.oracle.loo_residual(17), 1, 1e-7);
    fitting.expect_everything(1e-7);
  }
}

TEST(Press, AgreesWithRefittingWhereColumnsAreDuplicated) {
  Rows rows = made_up_rows(60, 2, 67);
  rows = rows.with_column(2, rows.column(0));
  const Fitting fitting(rows, Design::additive(rows.features(), 3, 3));
  EXPECT_FALSE(fitting.smoother.uses_inverse());
  // The normal equations have a condition near 1e9, which costs the coefficients as many digits.
  fitting.expect_everything(1e-7);
}

TEST(Press, AgreesWithRefittingWhereAPairHoldsDuplicatedColumns) {
  Rows rows = made_up_rows(60, 1, 68);
  rows = rows.with_column(1, rows.column(0));
  const std::vector<FeaturePair> pair{{0, 1}};
  const Fitting fitting(rows, Design::pairwise(rows.features(), pair, 1, 2), with_ridge(1e-10, true));
  EXPECT_FALSE(fitting.smoother.uses_inverse());
  fitting.expect_everything(1e-6);
}

TEST(Press, LeavesOutAWeightOfTwoAsARowGivenTwice) {
  Rows rows = made_up_rows(40, 2, 69);
  std::vector<std::size_t> repeated;
  std::vector<std::set<std::size_t>> groups;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::size_t copies = 1 + r % 3;
    rows.weights.push_back(static_cast<double>(copies));
    groups.emplace_back();
    for (std::size_t copy = 0; copy < copies; ++copy) {
      groups.back().insert(repeated.size());
      repeated.push_back(r);
    }
  }
  Rows expanded = rows.pick(repeated);
  expanded.weights.clear();
  const std::vector<FeaturePair> pair{{0, 1}};
  for (const Design& design :
       {Design::additive(rows.features(), 3, 3), Design::pairwise(rows.features(), pair, 1, 3)}) {
    const Fitting fitting(rows, design);
    const PressOracle oracle(design, expanded.block(), fitting.options);
    double squares = 0;
    for (std::size_t r = 0; r < rows.count; ++r) {
      const double left_out = oracle.residual(*groups[r].begin(), groups[r]);
      EXPECT_NEAR(fitting.loo_residuals[r], left_out, 1e-9 * std::max(1.0, std::abs(left_out)))
          << "row " << r;
      squares += rows.weights[r] * left_out * left_out;
    }
    EXPECT_NEAR(fitting.sums.loo() / (squares / static_cast<double>(expanded.count)), 1, 1e-9);
  }
}

TEST(Press, SolvesTheNormalEquationsInThePapersColumns) {
  const Rows rows = weighted(mixed_rows(60, 70), 71);
  const Fitting fitting(rows, mixed_design(2), with_ridge(1e-3, false));
  const test::Vector expected = fitting.oracle.solution();
  ASSERT_EQ(fitting.smoother.solution().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(fitting.smoother.solution()[i], static_cast<double>(expected[i]), 1e-9) << "column " << i;
  // The diagonal of the inverse, one unit vector at a time.
  for (std::size_t i = 0; i < expected.size(); ++i) {
    test::Vector unit(expected.size(), 0);
    unit[i] = 1;
    const auto inverse = static_cast<double>(test::solve_dense(fitting.oracle.normal_matrix(), unit)[i]);
    EXPECT_NEAR(fitting.smoother.inverse_diagonal()[i] / inverse, 1, 1e-9) << "column " << i;
  }
}

TEST(Press, WithoutLeveragesGivesResiduals) {
  const Rows rows = made_up_rows(60, 2, 72);
  const Design design = Design::additive(rows.features(), 3, 3);
  SmootherOptions options;
  options.leverages = false;
  const Fitting full(rows, design);
  const Smoother bare(full.gram, options);
  std::vector<double> residuals(rows.count);
  const PressSums sums = bare.press(rows.block(), 1, {residuals, {}});
  EXPECT_EQ(bare.solution(), full.smoother.solution());
  EXPECT_TRUE(bare.inverse_diagonal().empty());
  EXPECT_EQ(sums.loss, full.sums.loss);
  EXPECT_EQ(sums.left_out_loss, sums.loss);
  EXPECT_EQ(sums.max_leverage, 0);
  const test::Vector solution = full.oracle.solution();
  for (std::size_t r = 0; r < rows.count; ++r)
    EXPECT_NEAR(residuals[r], static_cast<double>(rows.y[r] - test::dot(full.oracle.row(r), solution)),
                1e-10);
}

}  // namespace
}  // namespace kore

#include "fit/loose_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kore/statistics.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::Rows;

/// Two curves, a category of `levels` and a pair.
struct Problem {
  explicit Problem(int levels = 4)
      : rows(test::made_up_rows(400, 3, 61)), design(design_of(levels)), equations(sums()) {}

  Design design_of(int levels) {
    for (std::size_t r = 0; r < rows.count; ++r)
      rows.at(r, 2) = static_cast<double>(r % static_cast<std::size_t>(levels));
    std::vector<Feature> features = rows.features();
    features[2].kind = FeatureKind::category;
    features[2].levels = levels;
    return {features, {{{0}, {8}}, {{1}, {8}}, {{2}, {1}}, {{0, 1}, {2, 2}}}, 3, Parametrisation::centred};
  }
  NormalEquations sums() const {
    GramAccumulator gram(design);
    gram.add(working_block(rows.block()));
    return normal_equations(gram, 1);
  }
  std::vector<double> loose(std::size_t term, std::vector<double> weights, double parameters,
                            double exponent = 1) const {
    return loose_weights(design, equations, term, {design.terms()[term], std::move(weights), parameters},
                         exponent);
  }

  Rows rows;
  Design design;
  NormalEquations equations;
};

TEST(LooseWeights, LetALineGoEvenWhereItsWeightIsInfinite) {
  const Problem problem;
  const double small = problem.loose(0, {1e9, 1e12}, 0.01)[1];
  EXPECT_LT(small, problem.loose(0, {1e9, 1.0}, 1)[1] * 1e3);
  // The precision of the rows along a line is about the number of rows over that of the coefficients.
  EXPECT_LT(small, 400.0 / 11 / 20);
  EXPECT_GT(small, 0);
}

TEST(LooseWeights, AreNeverLarger) {
  const Problem problem;
  for (const double weight : {1e-3, 1.0, 1e3, 1e6})
    for (const double parameters : {2.0, 4.0, 8.0}) {
      const std::vector<double> loose = problem.loose(1, {weight, weight}, parameters);
      EXPECT_LT(loose[0], weight);
      EXPECT_LT(loose[1], weight);
    }
}

TEST(LooseWeights, OfBendsThatAreManyHardlyChange) {
  const Problem problem;
  const double many = problem.loose(0, {1e-3, 1.0}, 60)[0];
  const double few = problem.loose(0, {1e-3, 1.0}, 2)[0];
  EXPECT_GT(many, 0.8e-3);
  EXPECT_LT(few, 0.3e-3);
}

TEST(LooseWeights, OfBendsThatTheSizeKeptAwayCountTheSize) {
  const Problem problem;
  // Without bends in the rows, a tiny weight of bends says nothing, for the size did its work.
  EXPECT_GT(problem.loose(0, {1e-6, 1e6}, 0.1)[0], 1e-3);
  EXPECT_LT(problem.loose(0, {1e-6, 1e6}, 3)[0], 1e-6);
}

TEST(LooseWeights, OfACategoryAreTighterWithMoreLevels) {
  EXPECT_GT(Problem(40).loose(2, {10.0}, 5)[0], Problem(3).loose(2, {10.0}, 1)[0]);
  EXPECT_LT(Problem(40).loose(2, {10.0}, 5)[0], 10);
}

TEST(LooseWeights, OfInteractionsAreOverTheQuantile) {
  // With two degrees of freedom, four tenths of chi-squared lie below -2 log(0.6).
  EXPECT_NEAR(Problem().loose(3, {7.5}, 2)[0], -7.5 * std::log(0.6), 1e-9);
}

TEST(LooseWeights, AreTakenBackWhereRowsAreFew) {
  const Problem problem;
  EXPECT_EQ(looseness(problem.design, 400), 1);
  EXPECT_EQ(looseness(problem.design, 6), 0.5);  // a constant, two lines and three columns of levels
  EXPECT_GT(problem.loose(0, {1e3, 1e3}, 2, 0.5)[1], problem.loose(0, {1e3, 1e3}, 2, 1)[1]);
  EXPECT_NEAR(problem.loose(0, {1e3, 1e3}, 2, 0)[1], 1e3, 1e-6);
}

}  // namespace
}  // namespace kore

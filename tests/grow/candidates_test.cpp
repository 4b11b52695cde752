// What terms outside the model promise, against the likelihood by its definition.
#include "grow/candidates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "grow/made_up_growth.hpp"
#include "penalty/roughness.hpp"
#include "support/press_oracle.hpp"
#include "support/scaled_response.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Matrix;
using test::Real;
using test::Rows;
using test::Vector;

/// A Cholesky factor by definition, row by row.
Matrix factor_of(Matrix a) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      Real sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
    }
  return a;
}

Vector half_solved(const Matrix& factor, Vector b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= factor[i][k] * b[k];
    b[i] /= factor[i][i];
  }
  return b;
}

/// The logarithm of the density of the residuals under `B c + noise`, `c ~ N(0, noise (weight S)^-1)`, less
/// that under noise alone: with the covariance of all rows, `noise (I + B (weight S)^-1 B')`.
double log_likelihood_gain(const GrowingData& data, const Stage& fitted, const Term& term, double weight) {
  const Design design(data.features, {term}, data.degree, Parametrisation::centred);
  const Matrix rows = test::dense_design(design, data.rows, data.rows);
  const std::vector<double> flat = term_penalties(design, 0).front();
  const std::size_t m = design.term_columns(0);
  Matrix penalty(m, Vector(m));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) penalty[i][j] = Real{weight} * flat[i * m + j];
  const Matrix prior = factor_of(penalty);
  std::vector<Vector> half;  // of every row: L^-1 b
  Vector residuals;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Real root = std::sqrt(Real{data.rows.weight(r)});
    Vector row(rows[r].begin() + 1, rows[r].end());
    for (Real& value : row) value *= root;
    half.push_back(half_solved(prior, std::move(row)));
    residuals.push_back(root * fitted.loo_residuals[r]);
  }
  Matrix covariance(rows.size(), Vector(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t s = 0; s < rows.size(); ++s)
      covariance[r][s] = test::dot(half[r], half[s]) + (r == s ? 1 : 0);
  const Matrix factor = factor_of(covariance);
  const Vector white = half_solved(factor, residuals);
  Real gain = (test::dot(residuals, residuals) - test::dot(white, white)) / (2 * Real{fitted.loo()});
  for (std::size_t r = 0; r < rows.size(); ++r) gain -= std::log(factor[r][r]);
  return static_cast<double>(gain);
}

TEST(Candidates, GainWhatTheLikelihoodOfTheResidualsGains) {
  Rows rows = made_up_rows(90, 3, 791, 0.2);
  rows.weights = test::uneven_weights(rows.count, 792);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 2) = std::floor(3 * rows.at(r, 2));
  std::vector<Feature> features = rows.features();
  features[2] = {"kind", {0, 2}, FeatureKind::category, 3};
  const MadeUpGrowth growth(rows, features);
  const Stage fitted = fit_penalised(growth.data, growth.mains(4));
  const std::vector<Term> terms{growth.term({0, 1}, 2).term, growth.term({0, 2}, 2).term,
                                growth.term({0, 1, 2}, 1).term};
  int gaining = 0;
  for (const ScoredTerm& scored : score_terms(growth.data, fitted, terms)) {
    if (scored.gain == 0) {
      for (const double factor : {0.1, 1.0, 10.0})
        EXPECT_LE(log_likelihood_gain(growth.data, fitted, scored.term, factor * scored.weight), 1e-4);
      continue;
    }
    ++gaining;
    EXPECT_NEAR(scored.gain, log_likelihood_gain(growth.data, fitted, scored.term, scored.weight), 1e-5);
    for (const double factor : {0.1, 10.0})
      EXPECT_LE(log_likelihood_gain(growth.data, fitted, scored.term, factor * scored.weight), scored.gain);
  }
  EXPECT_GE(gaining, 1);
}

TEST(Candidates, HaveTheBestWeightOfAWholeGrid) {
  Rows rows = made_up_rows(200, 4, 795, 0.2);
  const MadeUpGrowth growth(rows);
  const Stage fitted = fit_penalised(growth.data, growth.mains(4));
  std::vector<Term> terms;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) terms.push_back(growth.term({i, j}, 2).term);
  int gaining = 0;
  for (const ScoredTerm& scored : score_terms(growth.data, fitted, terms)) {
    if (scored.gain == 0) continue;
    ++gaining;
    for (int half_decades = -8; half_decades <= 8; ++half_decades) {
      const double weight = scored.weight * std::pow(10.0, 0.5 * half_decades);
      EXPECT_LE(log_likelihood_gain(growth.data, fitted, scored.term, weight), scored.gain + 1e-5);
    }
  }
  EXPECT_GE(gaining, 2);
}

TEST(Candidates, ThatGainNoMoreThanTheLeastAreLeftOutAndTheOthersStayAsTheyAre) {
  const MadeUpGrowth growth(made_up_rows(200, 4, 795, 0.2));
  const Stage fitted = fit_penalised(growth.data, growth.mains(4));
  std::vector<Term> terms;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) terms.push_back(growth.term({i, j}, 2).term);
  const std::vector<ScoredTerm> all = score_terms(growth.data, fitted, terms);
  ASSERT_GE(all.size(), 3U);
  ASSERT_GT(all[1].gain, 0);
  const std::vector<double> least(terms.size(), all[1].gain);
  const std::vector<ScoredTerm> more = score_terms(growth.data, fitted, terms, least);
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].term.features, all[0].term.features);
  EXPECT_EQ(more[0].gain, all[0].gain);
  EXPECT_EQ(more[0].weight, all[0].weight);
}

TEST(Candidates, AreScoredOnWorkingResidualsWithWorkingWeights) {
  MadeUpGrowth growth(made_up_rows(150, 3, 797, 0.2));
  const std::vector<Term> terms{growth.term({0, 1}, 2).term, growth.term({0, 2}, 2).term};
  const std::vector<ScoredTerm> plain =
      score_terms(growth.data, fit_penalised(growth.data, growth.mains(4)), terms);
  const test::ScaledResponse scaled;  // the same losses at half the coefficients
  growth.data.response = &scaled;
  const std::vector<ScoredTerm> found =
      score_terms(growth.data, fit_penalised(growth.data, growth.mains(4)), terms);
  ASSERT_EQ(found.size(), plain.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].term.features, plain[i].term.features);
    EXPECT_NEAR(found[i].gain, plain[i].gain, 1e-7);
    EXPECT_NEAR(found[i].weight, 4 * plain[i].weight, 1e-7 * found[i].weight);
  }
  EXPECT_GT(found.front().gain, 0);
}

TEST(Candidates, RankThePairThatIsThereFirst) {
  for (const FeaturePair& planted : {FeaturePair{0, 1}, {1, 4}, {2, 5}}) {
    Rows rows = made_up_rows(400, 6, 793, 0.3);
    for (std::size_t r = 0; r < rows.count; ++r)
      rows.y[r] += 2 * (rows.at(r, planted.first) - 0.5) * (rows.at(r, planted.second) - 0.5) -
                   std::cos(4 * rows.at(r, 0)) * rows.at(r, 1);
    const MadeUpGrowth growth(rows);
    const Stage mains = fit_penalised(growth.data, growth.mains(8));
    const std::vector<ScoredTerm> scored =
        score_terms(growth.data, mains, pair_candidates(growth.data, mains, 2, 60));
    ASSERT_EQ(scored.size(), 15U);
    EXPECT_EQ(scored[0].term.features, (std::vector{planted.first, planted.second}));
    EXPECT_GT(scored[0].gain, 3);
    EXPECT_GT(scored[0].score, 1);
    for (std::size_t i = 1; i < scored.size(); ++i) EXPECT_LE(scored[i].gain, scored[i - 1].gain);
  }
}

TEST(Candidates, OfPureNoisePromiseNextToNothing) {
  Rows rows = made_up_rows(400, 5, 794);
  test::Uniform uniform(795);
  for (double& y : rows.y) y = uniform.between(-1, 1);
  const MadeUpGrowth growth(rows);
  const Stage mains = fit_penalised(growth.data, growth.mains(8));
  for (const ScoredTerm& scored : score_terms(growth.data, mains, pair_candidates(growth.data, mains, 2, 60)))
    EXPECT_LT(scored.gain, 3);
}

TEST(PairCandidates, OfManyFeaturesAreThoseWithTheLargestMainEffects) {
  const MadeUpGrowth growth(made_up_rows(100, 5, 799));
  Stage mains;
  mains.terms = growth.mains(2);
  for (std::size_t j = 0; j < 5; ++j) mains.terms[j].parameters = j % 2 == 0 ? 3 : 1;
  EXPECT_EQ(pair_candidates(growth.data, mains, 2, 5).size(), 10U);
  const std::vector<Term> few = pair_candidates(growth.data, mains, 2, 3);
  ASSERT_EQ(few.size(), 3U);
  EXPECT_EQ(few[0].features, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(few[2].features, (std::vector<std::size_t>{2, 4}));
}

TEST(TripleCandidates, HoldAPairOfTheModelAndComeByWhatTheirPairsUse) {
  const MadeUpGrowth growth(made_up_rows(100, 5, 796));
  Stage pairs;
  pairs.terms = growth.mains(2);
  const auto add = [&](std::size_t i, std::size_t j, double parameters) {
    GrownTerm pair = growth.term({i, j}, 2);
    pair.parameters = parameters;
    pairs.terms.push_back(pair);
  };
  add(0, 1, 4);
  add(1, 2, 3);
  add(3, 4, 1);
  const std::vector<TripleCandidate> found = triple_candidates(growth.data, pairs, 1, 100);
  EXPECT_EQ(found.size(), 8U);  // of ten, (0, 2, 3) and (0, 2, 4) hold no pair
  EXPECT_EQ(found[0].term.features, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(found[0].heredity, 3.5);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_LE(found[i].heredity, found[i - 1].heredity);
  EXPECT_EQ(triple_candidates(growth.data, pairs, 1, 3).size(), 3U);
}

TEST(Columns, OfTermsAreThoseOfTheirDesign) {
  Rows rows = made_up_rows(200, 4, 797);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 2) = std::floor(3 * rows.at(r, 2));
    rows.at(r, 3) = std::floor(2 * rows.at(r, 3));
  }
  std::vector<Feature> features = rows.features();
  features[2] = {"kind", {0, 2}, FeatureKind::category, 3};
  const MadeUpGrowth growth(rows, features);
  std::vector<GrownTerm> terms = growth.mains(7);
  terms.push_back(growth.term({0, 1}, 3));
  terms.push_back(growth.term({1, 2}, 3));
  terms.push_back(growth.term({0, 2, 3}, 2));
  const Design design = design_of(growth.data, terms);
  EXPECT_EQ(columns_of(growth.data, terms), design.columns());
  EXPECT_EQ(interaction_columns(growth.data, terms),
            design.term_columns(4) + design.term_columns(5) + design.term_columns(6));
  for (std::size_t t = 0; t < terms.size(); ++t)
    EXPECT_EQ(columns_of(growth.data, terms[t].term), design.term_columns(t));
}

}  // namespace
}  // namespace kore

#include "kore/criteria.hpp"
#include "kore/error.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace kore {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Criterion every_criterion[] = {Criterion::gcv, Criterion::cp, Criterion::aic, Criterion::bic};

LadderCandidate additive(int resolution, double p, double rss) {
  return {Structure::additive, resolution, p, rss};
}
LadderCandidate pairwise(int resolution, double p, double rss) {
  return {Structure::pairwise, resolution, p, rss};
}

TEST(Criterion, ScoresByThePrintedFormulas) {
  const std::vector<LadderCandidate> one = {additive(4, 20, 5)};
  EXPECT_DOUBLE_EQ(choose_by_criterion(Criterion::gcv, one, 100, 1).score, 0.05 / (0.8 * 0.8));
  EXPECT_DOUBLE_EQ(choose_by_criterion(Criterion::aic, one, 100, 1).score, 100 * std::log(0.05) + 40);
  EXPECT_DOUBLE_EQ(choose_by_criterion(Criterion::bic, one, 100, 1).score,
                   100 * std::log(0.05) + 20 * std::log(100));
  // The only candidate is its own reference: RSS / (RSS / (n - p)) - n + 2p = p.
  EXPECT_NEAR(choose_by_criterion(Criterion::cp, one, 100, 1).score, 20, 1e-12);
}

TEST(Criterion, NamesItsMethod) {
  const std::vector<LadderCandidate> one = {additive(1, 5, 1)};
  const char* names[] = {"gcv", "cp", "aic", "bic"};
  for (int i = 0; i < 4; ++i) {
    EXPECT_STREQ(to_string(every_criterion[i]), names[i]);
    EXPECT_EQ(choose_by_criterion(every_criterion[i], one, 50, 1).method, names[i]);
  }
}

TEST(Criterion, WeighsTheBasisByItsOwnPenalty) {
  // From 10 to 40 columns for an RSS of 10 to 5 in 100 rows: AIC pays 60 for a gain of 69, BIC 138.
  const std::vector<LadderCandidate> two = {additive(1, 10, 10), additive(7, 40, 5)};
  EXPECT_EQ(choose_by_criterion(Criterion::aic, two, 100, 1).resolution, 7);
  EXPECT_EQ(choose_by_criterion(Criterion::bic, two, 100, 1).resolution, 1);
  EXPECT_EQ(choose_by_criterion(Criterion::gcv, two, 100, 1).resolution, 1);
}

TEST(Criterion, TakesTheVarianceOfCpFromTheCandidateWithTheSmallestGcvOfBothFamilies) {
  const std::vector<LadderCandidate> both = {additive(1, 10, 9.0), additive(2, 20, 8.0), pairwise(1, 30, 0.7),
                                             pairwise(2, 60, 0.5)};
  const double variance = 0.7 / 70;  // GCV: .111, .125, .0143, .0313
  const LadderChoice choice = choose_by_criterion(Criterion::cp, both, 100, 2);
  EXPECT_EQ(choice.structure, Structure::pairwise);
  EXPECT_EQ(choice.resolution, 1);
  EXPECT_NEAR(choice.score, 0.7 / variance - 100 + 60, 1e-12);
}

TEST(Criterion, FloorsTheResidualSumOfSquares) {
  const std::vector<LadderCandidate> exact = {additive(3, 10, 0)};
  EXPECT_DOUBLE_EQ(choose_by_criterion(Criterion::aic, exact, 100, 1).score, 100 * std::log(1e-14) + 20);
  EXPECT_DOUBLE_EQ(choose_by_criterion(Criterion::gcv, exact, 100, 1).score, 1e-14 / 0.81);
  // The reference variance is floored at 1e-12 as well, so that the quotient is 1, not n - p.
  EXPECT_NEAR(choose_by_criterion(Criterion::cp, exact, 100, 1).score, 1 - 100 + 20, 1e-9);
}

TEST(Criterion, FloorsTheFreedomOfASaturatedBasis) {
  const std::vector<LadderCandidate> saturated = {additive(20, 221, 1.2e-8)};
  EXPECT_DOUBLE_EQ(choose_by_criterion(Criterion::gcv, saturated, 200, 1).score, 1.2e-8 / 200 / 1e-4);
  // n - p is floored at 1: RSS / RSS - n + 2p, as in the published run.
  EXPECT_NEAR(choose_by_criterion(Criterion::cp, saturated, 200, 1).score, 243, 1e-9);
}

TEST(Criterion, KeepsTheFirstOfEqualCandidates) {
  const std::vector<LadderCandidate> equal = {additive(2, 10, 3), additive(3, 10, 3), pairwise(1, 10, 3)};
  for (const Criterion criterion : every_criterion) {
    const LadderChoice choice = choose_by_criterion(criterion, equal, 100, 2);
    EXPECT_EQ(choice.structure, Structure::additive);
    EXPECT_EQ(choice.resolution, 2);
  }
}

TEST(Criterion, ChoosesThePairwiseFamilyWhereItIsStrictlyBetter) {
  const std::vector<LadderCandidate> both = {additive(2, 10, 3), pairwise(1, 10, 4), pairwise(2, 10, 2.9)};
  for (const Criterion criterion : every_criterion) {
    const LadderChoice choice = choose_by_criterion(criterion, both, 100, 2);
    EXPECT_EQ(choice.structure, Structure::pairwise);
    EXPECT_EQ(choice.resolution, 2);
  }
}

TEST(Criterion, CountsTheCandidatesAndARefitPerFamily) {
  std::vector<LadderCandidate> candidates;
  for (int g = 1; g <= 20; ++g) candidates.push_back(additive(g, g + 3, 1.0 / g));
  EXPECT_EQ(choose_by_criterion(Criterion::gcv, candidates, 200, 1).fits, 21);
  // A competing family without a stable candidate still counts one.
  EXPECT_EQ(choose_by_criterion(Criterion::gcv, candidates, 200, 2).fits, 22);
  candidates.push_back(pairwise(1, 30, 1));
  candidates.push_back(pairwise(2, 50, 1));
  EXPECT_EQ(choose_by_criterion(Criterion::gcv, candidates, 200, 2).fits, 24);
}

TEST(Criterion, ChoosesThePairwiseFamilyWhereItAloneHasCandidates) {
  const std::vector<LadderCandidate> only = {pairwise(3, 20, 1)};
  const LadderChoice choice = choose_by_criterion(Criterion::bic, only, 100, 2);
  EXPECT_EQ(choice.structure, Structure::pairwise);
  EXPECT_EQ(choice.resolution, 3);
  EXPECT_EQ(choice.fits, 3);

  const std::vector<LadderCandidate> broken = {pairwise(4, 20, nan)};
  EXPECT_EQ(choose_by_criterion(Criterion::bic, broken, 100, 2).structure, Structure::pairwise);
  EXPECT_EQ(choose_by_criterion(Criterion::bic, broken, 100, 2).resolution, 4);
}

TEST(Criterion, NeverChoosesACandidateWithoutAFiniteResidual) {
  const std::vector<LadderCandidate> broken = {additive(1, 10, nan), additive(2, 12, 2.0),
                                               pairwise(1, 20, nan)};
  for (const Criterion criterion : every_criterion) {
    const LadderChoice choice = choose_by_criterion(criterion, broken, 100, 2);
    EXPECT_EQ(choice.resolution, 2);
    EXPECT_TRUE(std::isfinite(choice.score));
  }
  const std::vector<LadderCandidate> hopeless = {additive(1, 10, nan), pairwise(1, 20, nan)};
  for (const Criterion criterion : every_criterion) {
    const LadderChoice choice = choose_by_criterion(criterion, hopeless, 100, 2);
    EXPECT_EQ(choice.structure, Structure::additive);
    EXPECT_EQ(choice.resolution, 1);
    EXPECT_EQ(choice.score, std::numeric_limits<double>::infinity());
  }
}

TEST(Criterion, RefusesArgumentsThatContradictEachOther) {
  const std::vector<LadderCandidate> one = {pairwise(1, 5, 1)};
  EXPECT_THROW(choose_by_criterion(Criterion::gcv, {}, 100, 1), Error);
  EXPECT_THROW(choose_by_criterion(Criterion::gcv, one, 100, 1), Error);
  EXPECT_THROW(choose_by_criterion(Criterion::gcv, one, 100, 3), Error);
  EXPECT_THROW(choose_by_criterion(Criterion::gcv, one, 0, 2), Error);
}

}  // namespace
}  // namespace kore

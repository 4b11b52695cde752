// The choice between candidates by rows that they have not seen.
#include "grow/judgement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/made_up_rows.hpp"

namespace kore {
namespace {

/// A hundred rows with a target of zero, in five folds; each candidate errs by a given amount everywhere.
struct MadeUpCase {
  explicit MadeUpCase(double constant_error) {
    std::iota(units.begin(), units.end(), std::uint64_t{1});
    for (std::size_t r = 0; r < 100; ++r) folds.push_back(r % 5);
    left_out.assign(candidates().size(), std::vector<double>(100, constant_error));
    competing.assign(candidates().size(), true);
  }
  JudgedRows rows() const { return {&normal_response(), target, weights, units, folds}; }

  std::vector<double> target = std::vector<double>(100);
  std::vector<double> weights = std::vector<double>(100, 1.0);
  std::vector<std::uint64_t> units = std::vector<std::uint64_t>(100);
  std::vector<std::size_t> folds;
  LeftOut left_out;
  std::vector<bool> competing;
};

TEST(Judgement, TakesTheConstantWhereNothingIsBetter) {
  const MadeUpCase equal(1);
  const Judgement judgement = judge(equal.left_out, equal.rows(), equal.competing);
  EXPECT_EQ(judgement.chosen, 0U);
  EXPECT_EQ(judgement.signal, 0);
}

TEST(Judgement, TakesTheSmallestLossOfThoseThatCompete) {
  MadeUpCase made(1);
  made.left_out[2].assign(100, 0.5);
  made.left_out[5].assign(100, 0.3);
  EXPECT_EQ(judge(made.left_out, made.rows(), made.competing).chosen, 5U);
  made.competing[5] = false;
  EXPECT_EQ(judge(made.left_out, made.rows(), made.competing).chosen, 2U);
}

TEST(Judgement, KeepsTheConstantWhereAFewRowsMakeTheDifference) {
  MadeUpCase made(1);
  made.left_out[2].assign(100, 1.001);
  made.left_out[2][7] = 0;  // one row gains more than all others lose
  const Judgement judgement = judge(made.left_out, made.rows(), made.competing);
  EXPECT_LT(judgement.mean_losses[2], judgement.mean_losses[0]);
  EXPECT_EQ(judgement.chosen, 0U);
}

TEST(Judgement, RepeatsTheChoiceWithoutTheFoldThatItPredicts) {
  MadeUpCase made(1);
  // Candidate 2 is by far the best in fold 0, and slightly the worst elsewhere.
  made.left_out[1].assign(100, 0.5);
  for (std::size_t r = 0; r < 100; ++r) made.left_out[2][r] = made.folds[r] == 0 ? 0 : 0.52;
  const Judgement judgement = judge(made.left_out, made.rows(), made.competing);
  EXPECT_EQ(judgement.chosen, 2U) << "over all folds it is the best";
  for (std::size_t r = 0; r < 100; r += 5)  // fold 0
    EXPECT_EQ(judgement.predictions[r], 0.5) << "but the other folds do not choose it";
}

TEST(Judgement, OfASingleUnitIsTheConstant) {
  MadeUpCase made(1);
  made.left_out[2].assign(100, 0.5);
  made.units.assign(100, 7);
  const Judgement judgement = judge(made.left_out, made.rows(), made.competing);
  EXPECT_EQ(judgement.chosen, 0U) << "one unit does not tell how much units differ";
  EXPECT_EQ(judgement.signal, 0);
}

TEST(Judgement, CountsAUnitOnce) {
  // Ten units of ten equal rows: the gain is that of ten, and not of a hundred, independent rows.
  MadeUpCase made(1);
  test::Uniform uniform(911);
  std::vector<double> errors(10);
  for (double& error : errors) error = uniform.between(0.2, 0.6);
  for (std::size_t r = 0; r < 100; ++r) {
    made.units[r] = r / 10;
    made.folds[r] = r / 20;
    made.left_out[2][r] = errors[r / 10];
  }
  const double together = judge(made.left_out, made.rows(), made.competing).signal;
  std::iota(made.units.begin(), made.units.end(), std::uint64_t{0});
  const double apart = judge(made.left_out, made.rows(), made.competing).signal;
  // A standard error between ten units is itself less certain than one between a hundred.
  EXPECT_NEAR(apart / together, std::sqrt(10.0) * (1 + 6.0 / 10) / (1 + 6.0 / 100), 1e-6);
}

}  // namespace
}  // namespace kore

// What PRESS passes add up to: partitions, threads, bytes, the signal score.
#include <gtest/gtest.h>

#include <numeric>

#include "kore/response.hpp"
#include "kore/smoother.hpp"
#include "support/made_up_rows.hpp"
#include "support/mixed_design.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::mixed_design;
using test::PressOracle;
using test::refusal;
using test::Rows;

Smoother fit_to(const Rows& rows, const Design& design, const SmootherOptions& options = {}) {
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()));
  return Smoother(gram, options);
}

Rows weighted_rows(std::size_t count, std::size_t columns, std::uint64_t seed) {
  Rows rows = made_up_rows(count, columns, seed);
  rows.weights = test::uneven_weights(count, seed + 1);
  return rows;
}

Rows weighted_mixed_rows(std::size_t count, std::uint64_t seed) {
  Rows rows = test::mixed_rows(count, seed);
  rows.weights = test::uneven_weights(count, seed + 1);
  return rows;
}

void expect_close(const PressSums& ours, const PressSums& theirs) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
  EXPECT_EQ(ours.rows, theirs.rows);
  EXPECT_EQ(ours.max_leverage, theirs.max_leverage);
  EXPECT_PRED2(near, ours.weight_sum, theirs.weight_sum);
  EXPECT_PRED2(near, ours.left_out_loss, theirs.left_out_loss);
  EXPECT_PRED2(near, ours.loss, theirs.loss);
  EXPECT_PRED2(near, ours.leverage, theirs.leverage);
  EXPECT_PRED2(near, ours.gain_mean, theirs.gain_mean);
  EXPECT_PRED2(near, ours.gain_squares, theirs.gain_squares);
}

/// The score from leave-one-out residuals of the model and of the mean, each found by leaving groups of equal
/// rows out.
double signal_score_by_refitting(const PressOracle& oracle, const Rows& rows,
                                 const std::vector<std::set<std::size_t>>& groups) {
  std::vector<double> gains;
  for (std::size_t r = 0; r < rows.count; ++r) {
    double sum = 0;
    double others = 0;
    for (std::size_t other = 0; other < rows.count; ++other) {
      if (groups[r].contains(other)) continue;
      sum += rows.y[other];
      others += 1;
    }
    const double null = rows.y[r] - sum / others;
    const double model = oracle.residual(r, groups[r]);
    gains.push_back(null * null - model * model);
  }
  const auto n = static_cast<double>(gains.size());
  const double mean = std::accumulate(gains.begin(), gains.end(), 0.0) / n;
  double squares = 0;
  for (const double gain : gains) squares += (gain - mean) * (gain - mean);
  return mean / (1.96 * std::sqrt(squares / (n - 1)) / std::sqrt(n));
}

TEST(PressSums, OfAnyPartitionMergeIntoOnePass) {
  const Rows rows = weighted_mixed_rows(3000, 81);
  const Smoother fit = fit_to(rows, mixed_design(3));
  const PressSums whole = fit.press(rows.block());
  test::Uniform uniform(83);
  for (const std::size_t parts : {2U, 5U, 60U}) {
    std::vector<std::vector<std::size_t>> members(parts + 1);  // the last part stays empty
    for (std::size_t r = 0; r < rows.count; ++r)
      members[static_cast<std::size_t>(uniform() * static_cast<double>(parts))].push_back(r);
    PressSums merged;
    for (const auto& part : members) merged.merge(fit.press(rows.pick(part).block()));
    expect_close(merged, whole);
    EXPECT_NEAR(merged.signal_score() / whole.signal_score(), 1, 1e-11);
  }
}

TEST(PressSums, ComeBackFromBytesToTheBit) {
  const Rows rows = weighted_mixed_rows(200, 84);
  const PressSums sums = fit_to(rows, mixed_design(2)).press(rows.block());
  const PressSums back = PressSums::deserialize(sums.serialize());
  EXPECT_EQ(back.serialize(), sums.serialize());
  EXPECT_EQ(back.rows, rows.count);
  EXPECT_EQ(back.loo(), sums.loo());
  EXPECT_EQ(back.max_leverage, sums.max_leverage);
  EXPECT_EQ(back.signal_score(), sums.signal_score());
}

TEST(PressSums, RefuseBytesThatAreDamaged) {
  auto bytes = PressSums{}.serialize();
  bytes[30] ^= std::byte{1};
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { PressSums::deserialize(bytes); }),
            "The KORE PRESS sum is damaged: its checksum does not match.");
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { PressSums::deserialize({}); }),
            "This is not a KORE PRESS sum.");
}

class PressThreads : public testing::TestWithParam<int> {};

TEST_P(PressThreads, GiveTheSameBits) {
  const Rows rows = weighted_mixed_rows(GetParam() > 3 ? 2500 : 6000, 85);  // more than two pieces
  const Smoother fit = fit_to(rows, mixed_design(GetParam()));
  std::vector<PressSums> sums;
  std::vector<std::vector<double>> residuals;
  std::vector<std::vector<double>> leverages;
  for (const int threads : {1, 2, 4}) {
    residuals.emplace_back(rows.count);
    leverages.emplace_back(rows.count);
    sums.push_back(fit.press(rows.block(), threads, {residuals.back(), leverages.back()}));
  }
  for (std::size_t i : {1U, 2U}) {
    EXPECT_TRUE(sums[i].serialize() == sums[0].serialize());
    EXPECT_TRUE(residuals[i] == residuals[0]);
    EXPECT_TRUE(leverages[i] == leverages[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Degrees, PressThreads, testing::Values(1, 3, 5),
                         [](const auto& test_case) { return "Degree" + std::to_string(test_case.param); });

TEST(PressThreads, GiveTheSameSolution) {
  // More columns than one tile of the factorisation, and than the threshold for threads in the assembly.
  const Rows rows = weighted_rows(4000, 8, 86);
  const Design design = Design::pairwise(rows.features(), all_pairs(8), 1, 3);
  ASSERT_GT(design.columns(), 192U);
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()), 2);
  std::vector<Smoother> fits;
  for (const int threads : {1, 2, 4}) {
    SmootherOptions options;
    options.threads = threads;
    fits.emplace_back(gram, options);
  }
  for (std::size_t i : {1U, 2U}) {
    EXPECT_TRUE(fits[i].solution() == fits[0].solution());
    EXPECT_TRUE(fits[i].coefficients() == fits[0].coefficients());
    EXPECT_TRUE(fits[i].inverse_diagonal() == fits[0].inverse_diagonal());
    EXPECT_TRUE(fits[i].press(rows.block()).serialize() == fits[0].press(rows.block()).serialize());
  }
}

TEST(PressThreads, GiveTheSameBitsByTriangularSolves) {
  Rows rows = weighted_rows(3000, 2, 87);
  rows = rows.with_column(2, rows.column(1));
  const Smoother fit = fit_to(rows, Design::additive(rows.features(), 4, 3));
  ASSERT_FALSE(fit.uses_inverse());
  const auto alone = fit.press(rows.block(), 1).serialize();
  EXPECT_TRUE(fit.press(rows.block(), 2).serialize() == alone);
  EXPECT_TRUE(fit.press(rows.block(), 4).serialize() == alone);
}

TEST(PressRows, DoNotDependOnTheBlockTheyCameIn) {
  const Rows rows = weighted_mixed_rows(1500, 88);
  const Smoother fit = fit_to(rows, mixed_design(3));
  std::vector<double> whole(rows.count);
  std::vector<double> pieces(rows.count);
  fit.press(rows.block(), 1, {whole, {}});
  for (std::size_t first = 0; first < rows.count; first += 300)
    fit.press(rows.slice(first, 300).block(), 1, {std::span(pieces).subspan(first, 300), {}});
  EXPECT_EQ(pieces, whole);
}

TEST(PressWeights, OfZeroCountNothing) {
  Rows rows = weighted_rows(100, 2, 89);
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < rows.count; ++r) {
    if (r % 4 == 0) rows.weights[r] = 0;
    if (rows.weights[r] > 0) kept.push_back(r);
  }
  const Design design = Design::additive(rows.features(), 3, 3);
  const PressSums with = fit_to(rows, design).press(rows.block());
  const Rows fewer = rows.pick(kept);
  const PressSums without = fit_to(fewer, design).press(fewer.block());
  EXPECT_EQ(with.weight_sum, without.weight_sum);
  EXPECT_NEAR(with.loo() / without.loo(), 1, 1e-11);
  EXPECT_NEAR(with.leverage / without.leverage, 1, 1e-11);
  EXPECT_NEAR(with.signal_score() / without.signal_score(), 1, 1e-11);
}

TEST(SignalScore, EqualsItsDefinitionFromFitsThatLeaveRowsOut) {
  const Rows rows = made_up_rows(60, 2, 90, 0.8);
  std::vector<std::set<std::size_t>> alone;
  for (std::size_t r = 0; r < rows.count; ++r) alone.push_back({r});
  const Design design = Design::additive(rows.features(), 2, 3);
  const PressOracle oracle(design, rows.block(), {});
  const PressSums sums = fit_to(rows, design).press(rows.block());
  EXPECT_NEAR(sums.signal_score() / signal_score_by_refitting(oracle, rows, alone), 1, 1e-9);
}

TEST(SignalScore, UnderWeightsEqualsThatOfRowsGivenTwice) {
  Rows rows = made_up_rows(40, 2, 91, 0.8);
  std::vector<std::size_t> repeated;
  std::vector<std::set<std::size_t>> groups;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::size_t copies = 1 + r % 2;
    rows.weights.push_back(static_cast<double>(copies));
    std::set<std::size_t> group;
    for (std::size_t copy = 0; copy < copies; ++copy) group.insert(repeated.size() + copy);
    for (std::size_t copy = 0; copy < copies; ++copy) {
      groups.push_back(group);
      repeated.push_back(r);
    }
  }
  Rows expanded = rows.pick(repeated);
  expanded.weights.clear();
  const Design design = Design::additive(rows.features(), 2, 3);
  const PressOracle oracle(design, expanded.block(), {});
  const PressSums sums = fit_to(rows, design).press(rows.block());
  EXPECT_NEAR(sums.signal_score() / signal_score_by_refitting(oracle, expanded, groups), 1, 1e-9);
}

TEST(SignalScore, DoesNotDependOnTheUnitOfTheTarget) {
  const Rows rows = made_up_rows(80, 2, 92);
  const Design design = Design::additive(rows.features(), 2, 3);
  const double expected = fit_to(rows, design).press(rows.block()).signal_score();
  for (const double unit : {1e-140, 1e-100, 1e-30, 1e30, 1e100, 1e140}) {
    Rows scaled = rows;
    for (double& y : scaled.y) y *= unit;
    EXPECT_NEAR(fit_to(scaled, design).press(scaled.block()).signal_score() / expected, 1, 1e-9)
        << "unit " << unit;
  }
}

}  // namespace
}  // namespace kore

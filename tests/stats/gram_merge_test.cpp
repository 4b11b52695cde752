// Gram accumulators as a monoid: any partition, any number of threads, any place.
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "kore/response.hpp"
#include "kore/statistics.hpp"
#include "support/made_up_rows.hpp"
#include "support/mixed_design.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::mixed_design;
using test::mixed_rows;
using test::refusal;
using test::Rows;

GramAccumulator gram_of(const Rows& rows, GramBlocks blocks = GramBlocks::all) {
  GramAccumulator gram(mixed_design(3), blocks);
  gram.add(working_block(rows.block()));
  return gram;
}

void expect_close(const GramAccumulator& ours, const GramAccumulator& theirs) {
  const double tolerance = 1e-14 * ours.weight_sum();
  EXPECT_EQ(ours.rows(), theirs.rows());
  EXPECT_NEAR(ours.weight_sum(), theirs.weight_sum(), tolerance);
  EXPECT_NEAR(ours.target_sum(), theirs.target_sum(), 10 * tolerance);
  EXPECT_NEAR(ours.target_squares(), theirs.target_squares(), 100 * tolerance);
  const auto compare = [](const std::vector<double>& a, const std::vector<double>& b, double allowed) {
    ASSERT_EQ(a.size(), b.size());
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    EXPECT_LE(worst, allowed);
  };
  compare(ours.sums(), theirs.sums(), tolerance);
  compare(ours.target_products(), theirs.target_products(), 10 * tolerance);
  const std::size_t terms = ours.design().terms().size();
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t u = t; u < terms; ++u) compare(ours.block(t, u), theirs.block(t, u), tolerance);
}

TEST(GramMerge, OfAnyPartitionEqualsOnePass) {
  Rows rows = mixed_rows(1000, 21);
  rows.weights = test::uneven_weights(rows.count, 22);
  const GramAccumulator whole = gram_of(rows);
  test::Uniform uniform(23);
  for (const std::size_t parts : {1U, 2U, 3U, 17U}) {
    std::vector<std::vector<std::size_t>> members(parts + 1);  // the last part stays empty
    for (std::size_t r = 0; r < rows.count; ++r)
      members[static_cast<std::size_t>(uniform() * static_cast<double>(parts))].push_back(r);
    GramAccumulator merged(mixed_design(3));
    for (const auto& part : members) merged.merge(gram_of(rows.pick(part)));
    expect_close(merged, whole);
  }
}

TEST(GramMerge, OfBlocksAddedOneAfterTheOtherEqualsOnePass) {
  const Rows rows = mixed_rows(700, 24);
  GramAccumulator pieces(mixed_design(3));
  for (const auto& [first, length] : {std::pair{0, 1}, {1, 0}, {1, 65}, {66, 434}, {500, 200}})
    pieces.add(
        working_block(rows.slice(static_cast<std::size_t>(first), static_cast<std::size_t>(length)).block()));
  expect_close(pieces, gram_of(rows));
}

TEST(GramMerge, RefusesAnotherDesign) {
  const Rows rows = mixed_rows(20, 25);
  GramAccumulator gram = gram_of(rows);
  const auto merge_with = [&](const GramAccumulator& other) {
    return refusal(ErrorCode::invalid_argument, [&] { gram.merge(other); });
  };
  EXPECT_EQ(merge_with(GramAccumulator(mixed_design(2))),
            "Only Gram accumulators of the same design can be merged.");
  EXPECT_EQ(merge_with(gram_of(rows, GramBlocks::diagonal)),
            "Only Gram accumulators of the same design can be merged.");
}

TEST(GramMerge, RefusesADesignOfTheSameSizeWithOtherKnots) {
  const Design design = mixed_design(3);
  std::vector<Feature> features = design.features();
  features[0].range = {0, 2};
  GramAccumulator gram(design);
  const GramAccumulator other(Design(features, design.terms(), 3, design.parametrisation()));
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { gram.merge(other); }),
            "Only Gram accumulators of the same design can be merged.");
}

TEST(GramBytes, OfTheFirstVersionHaveCountsForWeights) {
  Rows rows = mixed_rows(60, 28);
  rows.weights = test::uneven_weights(rows.count, 29);
  const GramAccumulator gram = gram_of(rows);
  const std::vector<std::byte> bytes = gram.serialize();
  const Opened now = open_sealed(bytes, "KGRM", 2, "Gram accumulator");
  // What was added since comes last.
  const std::vector<std::byte> before = seal("KGRM", 1, now.content.first(now.content.size() - 8));
  const GramAccumulator back = GramAccumulator::deserialize(mixed_design(3), before);
  EXPECT_EQ(back.count_sum(), gram.count_sum());
  EXPECT_EQ(back.serialize(), bytes);
}

TEST(GramBytes, ComeBackAsTheyWereAndMerge) {
  Rows rows = mixed_rows(300, 26);
  rows.weights = test::uneven_weights(rows.count, 27);
  for (const GramBlocks blocks : {GramBlocks::all, GramBlocks::diagonal}) {
    const GramAccumulator first = gram_of(rows.slice(0, 120), blocks);
    const GramAccumulator second = gram_of(rows.slice(120, 180), blocks);
    GramAccumulator back = GramAccumulator::deserialize(mixed_design(3), first.serialize());
    EXPECT_EQ(back.serialize(), first.serialize());
    EXPECT_EQ(back.block(6, 6), first.block(6, 6));
    back.merge(GramAccumulator::deserialize(mixed_design(3), second.serialize()));
    EXPECT_EQ(back.rows(), rows.count);
    if (blocks == GramBlocks::all) expect_close(back, gram_of(rows));
    back.add(working_block(rows.block()));  // a restored accumulator goes on
    EXPECT_EQ(back.rows(), 2 * rows.count);
  }
}

TEST(GramBytes, OfAnotherDesignAreRefused) {
  const auto bytes = gram_of(mixed_rows(20, 28)).serialize();
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { GramAccumulator::deserialize(mixed_design(2), bytes); }),
            "The KORE Gram accumulator belongs to another design.");
}

TEST(GramBytes, OfADesignOfTheSameSizeWithOtherKnotsAreRefused) {
  const Design design = mixed_design(3);
  std::vector<Feature> features = design.features();
  features[0].range = {0, 2};
  const Design other(features, design.terms(), 3, design.parametrisation());
  const auto bytes = gram_of(mixed_rows(20, 29)).serialize();
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { GramAccumulator::deserialize(other, bytes); }),
            "The KORE Gram accumulator belongs to another design.");
}

TEST(GramBytes, ThatAreDamagedAreRefused) {
  auto bytes = gram_of(mixed_rows(20, 30)).serialize();
  const auto read = [&] { GramAccumulator::deserialize(mixed_design(3), bytes); };
  bytes[100] ^= std::byte{1};
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, read),
            "The KORE Gram accumulator is damaged: its checksum does not match.");
  bytes[0] = std::byte{'X'};
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, read), "This is not a KORE Gram accumulator.");
}

GramAccumulator gram_of_terms(const Rows& rows, std::span<const std::size_t> kept, GramBlocks blocks) {
  const Design design = mixed_design(3);
  std::vector<Term> terms;
  for (const std::size_t t : kept) terms.push_back(design.terms()[t]);
  GramAccumulator gram(Design(design.features(), std::move(terms), 3, design.parametrisation()), blocks);
  gram.add(working_block(rows.block()));
  return gram;
}

const std::vector<std::vector<std::size_t>> some_choices_of_terms{
    {0},
    {6},
    {12},
    {0, 1, 2, 3},
    {1, 8, 10},
    {3, 4, 6, 7, 9, 13},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}};

TEST(GramRestriction, HasTheBitsOfAccumulatingTheTermsAlone) {
  // Rows that every design takes in one step, so that interactions are sorted in the same way.
  Rows rows = mixed_rows(250, 38);
  rows.weights = test::uneven_weights(rows.count, 39);
  for (const GramBlocks blocks : {GramBlocks::all, GramBlocks::diagonal, GramBlocks::none}) {
    const GramAccumulator whole = gram_of(rows, blocks);
    for (const auto& kept : some_choices_of_terms)
      EXPECT_TRUE(whole.restricted_to(kept).serialize() == gram_of_terms(rows, kept, blocks).serialize());
  }
}

TEST(GramRestriction, EqualsAccumulatingTheTermsAloneInAnyNumberOfSteps) {
  // How many rows of an interaction are sorted together depends on the design, and with it the rounding.
  const Rows rows = mixed_rows(6000, 40);
  const GramAccumulator whole = gram_of(rows);
  for (const auto& kept : some_choices_of_terms)
    expect_close(whole.restricted_to(kept), gram_of_terms(rows, kept, GramBlocks::all));
}

TEST(GramRestriction, GoesOnAndMergesLikeAnyOther) {
  const Rows rows = mixed_rows(200, 41);
  const std::vector<std::size_t> kept{1, 5, 8};
  GramAccumulator part = gram_of(rows).restricted_to(kept);
  part.merge(part.restricted_to(std::vector<std::size_t>{0, 1, 2}));
  part.add(working_block(rows.block()));
  GramAccumulator expected = gram_of_terms(rows, kept, GramBlocks::all);
  expected.add(working_block(rows.block()));
  expected.add(working_block(rows.block()));
  expect_close(part, expected);
}

TEST(GramRestriction, NeedsTermsInTheirOrder) {
  const GramAccumulator gram = gram_of(mixed_rows(20, 42));
  for (const std::vector<std::size_t>& bad : {std::vector<std::size_t>{1, 0}, {2, 2}, {14}})
    EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { gram.restricted_to(bad); }),
              "The terms to keep must be terms of the design (counted from 0) in ascending order.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { gram.restricted_to({}); }),
            "A design needs at least one term, so there must be at least one feature.");
}

TEST(GramParts, OfABlockOfManyRowsAddUpToTheSumsOfSmallBlocks) {
  Rows rows = mixed_rows(18000, 43);
  rows.weights = test::uneven_weights(rows.count, 44);
  const GramAccumulator parted = gram_of(rows);
  GramAccumulator plain(mixed_design(3));
  for (std::size_t first = 0; first < rows.count; first += 1000)
    plain.add(working_block(rows.slice(first, 1000).block()));
  expect_close(parted, plain);
  expect_close(GramAccumulator::deserialize(mixed_design(3), parted.serialize()), plain);

  const std::vector<std::size_t> kept{1, 5, 8};
  expect_close(parted.restricted_to(kept), plain.restricted_to(kept));

  GramAccumulator twice = gram_of(rows.slice(0, 10));
  twice.merge(parted);
  GramAccumulator expected = gram_of(rows.slice(0, 10));
  expected.merge(plain);
  expect_close(twice, expected);
}

class GramThreads : public testing::TestWithParam<int> {};

TEST_P(GramThreads, GiveTheSameBits) {
  // Millions of multiplications, and several steps of rows: a thread is started for each member.
  const int degree = GetParam();
  Rows rows = mixed_rows(degree > 3 ? 1500 : 9000, 31);
  for (const bool weighted : {false, true}) {
    if (weighted) rows.weights = test::uneven_weights(rows.count, 32);
    std::vector<std::vector<std::byte>> results;
    for (const int threads : {1, 2, 4}) {
      GramAccumulator gram(mixed_design(degree));
      gram.add(working_block(rows.block()), threads);
      results.push_back(gram.serialize());
    }
    EXPECT_TRUE(results[1] == results[0]) << "2 threads";
    EXPECT_TRUE(results[2] == results[0]) << "4 threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Degrees, GramThreads, testing::Values(1, 3, 5),
                         [](const auto& test_case) { return "Degree" + std::to_string(test_case.param); });

TEST(GramThreads, MoreThanPairsOfTermsGiveTheSameBits) {
  const Rows rows = made_up_rows(70000, 1, 33);
  const Design design = Design::additive(rows.features(), 5, 7);
  GramAccumulator alone(design);
  GramAccumulator team(design);
  alone.add(working_block(rows.block()), 1);
  team.add(working_block(rows.block()), 4);
  EXPECT_TRUE(alone.serialize() == team.serialize());
}

TEST(GramWeights, OfZeroCountNothing) {
  Rows rows = mixed_rows(200, 34);
  rows.weights = test::uneven_weights(rows.count, 35);
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < rows.count; ++r) {
    if (r % 3 == 0) rows.weights[r] = 0;
    if (rows.weights[r] > 0) kept.push_back(r);
  }
  const GramAccumulator with = gram_of(rows);
  const GramAccumulator without = gram_of(rows.pick(kept));
  EXPECT_EQ(with.rows(), rows.count);
  EXPECT_EQ(with.weight_sum(), without.weight_sum());
  EXPECT_EQ(with.target_sum(), without.target_sum());
  const std::size_t terms = with.design().terms().size();
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t u = t; u < terms; ++u) {
      const auto a = with.block(t, u);
      const auto b = without.block(t, u);
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-13);
    }
}

TEST(GramWeights, OfZeroCountNothingHoweverFarTheRowLies) {
  Rows rows = mixed_rows(50, 36);
  rows.weights.assign(rows.count, 1.0);
  rows.weights[7] = 0;
  rows.at(7, 0) = 1e200;  // its cube overflows
  const GramAccumulator gram = gram_of(rows);
  for (const double value : gram.block(0, 0)) ASSERT_TRUE(std::isfinite(value));
  for (const double value : gram.sums()) ASSERT_TRUE(std::isfinite(value));
}

TEST(GramWeights, OfTwoEqualARowGivenTwice) {
  Rows rows = mixed_rows(80, 37);
  std::vector<std::size_t> repeated;
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.weights.push_back(static_cast<double>(r % 3));
    for (std::size_t copy = 0; copy < r % 3; ++copy) repeated.push_back(r);
  }
  Rows twice = rows.pick(repeated);
  twice.weights.clear();
  const GramAccumulator weighted = gram_of(rows);
  const GramAccumulator expanded = gram_of(twice);
  EXPECT_EQ(weighted.weight_sum(), expanded.weight_sum());
  EXPECT_NEAR(weighted.target_squares(), expanded.target_squares(), 1e-11);
  const auto a = weighted.block(4, 6);
  const auto b = expanded.block(4, 6);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-13);
}

}  // namespace
}  // namespace kore

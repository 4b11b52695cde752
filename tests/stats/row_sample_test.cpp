// A sample that the rows decide on, not the way they come.
#include "stats/row_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::refusal;
using test::Rows;

/// Features, target and weight of one row.
using Contents = std::vector<double>;

std::vector<Contents> contents_of(const RowSample::Rows& rows, std::size_t columns) {
  std::vector<Contents> all;
  for (std::size_t r = 0; r < rows.y.size(); ++r) {
    Contents row;
    for (std::size_t j = 0; j < columns; ++j) row.push_back(rows.x[j * rows.y.size() + r]);
    row.push_back(rows.y[r]);
    row.push_back(rows.weights.empty() ? 1.0 : rows.weights[r]);
    all.push_back(std::move(row));
  }
  return all;
}

std::vector<Contents> contents_of(const Rows& rows) {
  return contents_of(RowSample::Rows{rows.x, rows.y, rows.weights, {}}, rows.columns);
}

RowSample sample_of(const Rows& rows, std::size_t capacity) {
  RowSample sample(rows.columns, capacity);
  sample.add(rows.block());
  return sample;
}

std::vector<Contents> taken(RowSample sample) {
  const std::size_t columns = sample.columns();
  return contents_of(std::move(sample).take(), columns);
}

std::vector<Contents> sorted(std::vector<Contents> rows) {
  std::ranges::sort(rows);
  return rows;
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  test::Uniform uniform(seed);
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(uniform() * static_cast<double>(i))]);
  return order;
}

Rows weighted_rows(std::size_t count, std::uint64_t seed) {
  Rows rows = made_up_rows(count, 3, seed);
  rows.weights = test::uneven_weights(count, seed + 1);
  return rows;
}

TEST(RowSample, IsAllRowsInTheirOrderWhileTheyFit) {
  const Rows rows = weighted_rows(200, 701);
  for (const std::size_t capacity : {200U, 201U, 1000U}) {
    const RowSample sample = sample_of(rows, capacity);
    EXPECT_TRUE(sample.complete());
    EXPECT_EQ(sample.rows(), 200U);
    EXPECT_EQ(taken(sample), contents_of(rows));
  }
  EXPECT_FALSE(sample_of(rows, 199).complete());
}

TEST(RowSample, HasTheSizeAskedForAndRowsThatWereGiven) {
  const Rows rows = weighted_rows(1000, 703);
  const std::vector<Contents> all = contents_of(rows);
  for (const std::size_t capacity : {1U, 2U, 137U, 499U, 500U, 999U}) {
    const RowSample sample = sample_of(rows, capacity);
    EXPECT_EQ(sample.rows(), capacity);
    EXPECT_EQ(sample.seen(), 1000U);
    const std::vector<Contents> kept = taken(sample);
    ASSERT_EQ(kept.size(), capacity);
    // In the order they were added: each is found behind the one before.
    auto from = all.begin();
    for (const Contents& row : kept) {
      from = std::find(from, all.end(), row);
      ASSERT_NE(from, all.end());
      ++from;
    }
  }
}

TEST(RowSample, IsTheSameSetInWhateverOrderRowsCome) {
  const Rows rows = weighted_rows(2000, 705);
  const std::vector<Contents> expected = sorted(taken(sample_of(rows, 150)));
  for (const std::uint64_t seed : {1U, 2U, 3U})
    EXPECT_EQ(sorted(taken(sample_of(rows.pick(shuffled(rows.count, seed)), 150))), expected);
}

TEST(RowSample, IsTheSameInAnyBlocks) {
  const Rows rows = weighted_rows(1500, 707);
  const std::vector<Contents> expected = taken(sample_of(rows, 90));
  RowSample pieces(3, 90);
  for (std::size_t first = 0, length = 1; first < rows.count; first += length, length = length * 2 % 331)
    pieces.add(rows.slice(first, std::min(length, rows.count - first)).block());
  EXPECT_EQ(taken(std::move(pieces)), expected);
}

TEST(RowSample, IsTheSameOnAnyNumberOfThreads) {
  const Rows rows = weighted_rows(9000, 708);
  const std::vector<Contents> expected = taken(sample_of(rows, 90));
  RowSample shared(3, 90);
  shared.add(rows.block(), 3);
  EXPECT_EQ(taken(std::move(shared)), expected);
}

TEST(RowSample, OfAnyPartitionMergesIntoThatOfAllRows) {
  const Rows rows = weighted_rows(2000, 709);
  const std::vector<Contents> expected = sorted(taken(sample_of(rows, 120)));
  test::Uniform uniform(710);
  for (const std::size_t parts : {1U, 2U, 5U, 40U}) {
    std::vector<std::vector<std::size_t>> members(parts + 1);  // the last part stays empty
    for (std::size_t r = 0; r < rows.count; ++r)
      members[static_cast<std::size_t>(uniform() * static_cast<double>(parts))].push_back(r);
    RowSample merged(3, 120);
    for (const auto& part : members) merged.merge(sample_of(rows.pick(part), 120));
    EXPECT_EQ(merged.seen(), rows.count);
    EXPECT_EQ(merged.rows(), 120U);
    EXPECT_EQ(sorted(taken(std::move(merged))), expected) << parts << " parts";
  }
}

TEST(RowSample, OfConsecutivePartsKeepsTheOrderOfTheRows) {
  const Rows rows = weighted_rows(1000, 711);
  RowSample merged = sample_of(rows.slice(0, 300), 77);
  merged.merge(sample_of(rows.slice(300, 0), 77));
  merged.merge(sample_of(rows.slice(300, 650), 77));
  merged.merge(sample_of(rows.slice(950, 50), 77));
  EXPECT_EQ(taken(std::move(merged)), taken(sample_of(rows, 77)));
}

TEST(RowSample, DoesNotDependOnTheOrderOfEqualRowsOfDifferentWeights) {
  Rows rows = made_up_rows(60, 2, 713);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 0) = rows.at(r, 1) = 0.5;
    rows.y[r] = 1;
    rows.weights.push_back(1.0 + static_cast<double>(r));
  }
  const std::vector<Contents> expected = sorted(taken(sample_of(rows, 20)));
  for (const std::uint64_t seed : {4U, 5U})
    EXPECT_EQ(sorted(taken(sample_of(rows.pick(shuffled(rows.count, seed)), 20))), expected);
}

TEST(RowSample, LeavesOutRowsOfWeightZero) {
  Rows rows = weighted_rows(400, 715);
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < rows.count; ++r) {
    if (r % 3 == 0)
      rows.weights[r] = 0;
    else
      kept.push_back(r);
  }
  for (const std::size_t capacity : {50U, 1000U}) {
    const RowSample sample = sample_of(rows, capacity);
    EXPECT_EQ(sample.seen(), kept.size());
    EXPECT_EQ(taken(sample), taken(sample_of(rows.pick(kept), capacity)));
  }
}

TEST(RowSample, HasNoWeightsWhereEveryRowWeighsOne) {
  Rows rows = made_up_rows(50, 1, 717);
  EXPECT_TRUE(sample_of(rows, 20).take().weights.empty());
  rows.weights.assign(rows.count, 1.0);
  EXPECT_TRUE(sample_of(rows, 20).take().weights.empty());
  rows.weights.assign(rows.count, 2.0);
  EXPECT_EQ(sample_of(rows, 20).take().weights, std::vector<double>(20, 2.0));
}

TEST(RowSample, IsRoughlyUniform) {
  // Of a target that rises with the row, the sample has the mean and a fair share of every tenth.
  Rows rows = made_up_rows(20000, 2, 719);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = static_cast<double>(r) / static_cast<double>(rows.count);
  const RowSample::Rows sample = sample_of(rows, 2000).take();
  std::vector<int> tenths(10);
  double mean = 0;
  for (const double y : sample.y) {
    ++tenths[static_cast<std::size_t>(10 * y)];
    mean += y / 2000;
  }
  EXPECT_NEAR(mean, 0.5, 0.02);                                // three standard errors
  for (const int count : tenths) EXPECT_NEAR(count, 200, 55);  // four of them
}

TEST(RowSample, IsRoughlyUniformOverRowsThatAreAlmostAlike) {
  // One small integer per row, as in a table of counts: hashes must not favour any.
  Rows rows{20000, 1, std::vector<double>(20000), std::vector<double>(20000), {}};
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 0) = static_cast<double>(r);
  const RowSample::Rows sample = sample_of(rows, 4000).take();
  int odd = 0;
  int low = 0;
  for (const double x : sample.x) {
    odd += static_cast<int>(x) % 2;
    low += x < 10000 ? 1 : 0;
  }
  EXPECT_NEAR(odd, 2000, 130);
  EXPECT_NEAR(low, 2000, 130);
}

/// 100 rows, each of which comes 1000 times, in turn.
Rows repeated_rows() {
  const Rows different = weighted_rows(100, 725);
  std::vector<std::size_t> picked;
  for (std::size_t r = 0; r < 100'000; ++r) picked.push_back(r % 100);
  return different.pick(picked);
}

TEST(RowSample, OfRepeatedRowsHasAFairShareOfEach) {
  std::map<Contents, int> copies;
  for (const Contents& row : taken(sample_of(repeated_rows(), 5000))) ++copies[row];
  EXPECT_EQ(copies.size(), 100U);
  for (const auto& [row, count] : copies) EXPECT_NEAR(count, 50, 29);  // four standard errors
}

TEST(RowSample, OfRepeatedRowsDoesNotDependOnHowTheyCome) {
  const Rows rows = repeated_rows();
  const std::vector<Contents> in_order = taken(sample_of(rows, 3000));
  EXPECT_EQ(sorted(taken(sample_of(rows.pick(shuffled(rows.count, 726)), 3000))), sorted(in_order));
  RowSample pieces(3, 3000);
  for (std::size_t first = 0, length = 1; first < rows.count; first += length, length = length * 2 % 9973)
    pieces.add(rows.slice(first, std::min(length, rows.count - first)).block());
  EXPECT_EQ(taken(std::move(pieces)), in_order);
  RowSample merged = sample_of(rows.slice(0, 1234), 3000);
  merged.merge(RowSample::deserialize(sample_of(rows.slice(1234, 50'000), 3000).serialize()));
  merged.merge(sample_of(rows.slice(51'234, rows.count - 51'234), 3000));
  EXPECT_EQ(taken(std::move(merged)), in_order);
}

TEST(RowSample, OfRepeatedRowsKeepsTheirOrderWhileTheyFit) {
  const Rows rows = repeated_rows().slice(0, 730);
  EXPECT_EQ(taken(sample_of(rows, 1000)), contents_of(rows));
}

TEST(RowSampleBytes, ComeBackAsTheyWereAndMerge) {
  const Rows rows = weighted_rows(900, 721);
  const RowSample first = sample_of(rows.slice(0, 400), 64);
  const RowSample second = sample_of(rows.slice(400, 500), 64);
  RowSample back = RowSample::deserialize(first.serialize());
  EXPECT_EQ(back.serialize(), first.serialize());
  EXPECT_EQ(back.seen(), 400U);
  EXPECT_EQ(back.columns(), 3U);
  back.merge(RowSample::deserialize(second.serialize()));
  EXPECT_EQ(taken(std::move(back)), taken(sample_of(rows, 64)));
}

TEST(RowSampleBytes, ThatAreDamagedAreRefused) {
  std::vector<std::byte> bytes = sample_of(weighted_rows(50, 723), 10).serialize();
  bytes[bytes.size() / 2] ^= std::byte{1};
  refusal(ErrorCode::corrupt_file, [&] { RowSample::deserialize(bytes); });
  bytes.resize(10);
  refusal(ErrorCode::corrupt_file, [&] { RowSample::deserialize(bytes); });
}

TEST(RowSample, KeepsTheGroupsOfItsRows) {
  Rows rows = made_up_rows(500, 2, 731);
  for (std::size_t r = 0; r < rows.count; ++r) rows.groups.push_back(rows.at(r, 0) < 0.5 ? 7 : -2.5);
  // Equal rows of different groups are different rows.
  for (std::size_t j = 0; j < 2; ++j) rows.at(1, j) = rows.at(0, j);
  rows.y[1] = rows.y[0];
  rows.groups[1] = 99;
  RowSample whole = sample_of(rows, 100);
  RowSample parts = sample_of(rows.slice(0, 300), 100);
  parts.merge(RowSample::deserialize(sample_of(rows.slice(300, 200), 100).serialize()));
  const RowSample::Rows drawn = std::move(whole).take();
  ASSERT_EQ(drawn.groups.size(), 100U);
  for (std::size_t r = 0; r < 100; ++r)
    if (drawn.groups[r] != 99) {
      EXPECT_EQ(drawn.groups[r], drawn.x[r] < 0.5 ? 7 : -2.5);
    }
  EXPECT_EQ(std::move(parts).take().groups, drawn.groups);
  const RowSample::Rows all = std::move(sample_of(rows, 500)).take();
  EXPECT_EQ(all.groups, rows.groups);
}

}  // namespace
}  // namespace kore

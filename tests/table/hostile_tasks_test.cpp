// Tasks and results of tables whose envelope is whole and whose content lies.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/bytes.hpp"
#include "support/error_of.hpp"
#include "table/median.hpp"
#include "table/table_task.hpp"

namespace kore::table {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<std::byte> sealed_plan(bool medians, std::size_t columns) {
  ByteWriter out;
  out.u8(0);  // a summary
  out.u8(medians ? 1 : 0);
  out.u64(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    out.text("x");
    out.u8(static_cast<std::uint8_t>(ColumnType::number));
    out.u8(0);
    out.u8(medians ? 1 : 0);
    if (!medians) continue;
    MedianSelector().write_place(out);
  }
  return seal("KTBL", 2, out.bytes());
}

Frame two_rows() {
  Frame frame;
  frame.rows = 2;
  frame.columns.push_back(owned_numbers("x", ColumnType::number, {1, 2}));
  return frame;
}

TEST(HostileTableTask, WithoutColumnsLooksAtNone) {
  TableWork work(sealed_plan(false, 0));
  const std::vector<double> y{1, 2};
  work.add({two_rows(), y, {}, {}}, 1);
  TableWork(sealed_plan(false, 0)).merge(work.serialize());
}

TEST(HostileTableTask, WhoseMediansTakeMoreMemoryThanThereIsIsRefused) {
  // A few bytes for each column mean half a megabyte of numbers that are kept.
  const std::vector<std::byte> task = sealed_plan(true, 20);
  ASSERT_LT(task.size(), 3000U);
  EXPECT_NO_THROW(TableWork(task, std::uint64_t{1} << 25));
  EXPECT_EQ(test::error_of([&] { TableWork(task, std::uint64_t{1} << 22); }).reason(), "task_too_large");
}

/// What another process claims to have found of one column.
struct Claim {
  std::uint64_t rows = 3;
  std::uint64_t missing = 1;
  double minimum = 0;
  double maximum = 1;
  std::vector<std::pair<std::string, std::uint64_t>> levels = {};
};

void merge(ColumnType type, const Claim& claim) {
  Frame example = two_rows();
  if (type == ColumnType::text) {
    TextPool texts;
    texts.add("a");
    texts.add("b");
    example.columns[0] = TextPool::finish(std::move(texts), "x");
  }
  ByteWriter out;
  out.f64(0);
  out.f64(0);
  out.u64(0);
  out.u64(1);
  out.u64(claim.rows);
  out.u64(claim.missing);
  out.f64(claim.minimum);
  out.f64(claim.maximum);
  out.u8(0);  // no third value
  out.u8(0);  // no fraction
  out.u64(claim.levels.size());
  for (const auto& [text, rows] : claim.levels) {
    out.text(text);
    out.u64(rows);
  }
  if (type == ColumnType::number) MedianSelector().write_found(out);
  RunningSummary summary(example, {});
  ByteReader in(out.bytes());
  summary.merge_found(in);
}

TEST(HostileTableResult, IsMergedWhereItsCountsAgree) {
  EXPECT_NO_THROW(merge(ColumnType::number, {}));
  EXPECT_NO_THROW(merge(ColumnType::text, {3, 1, 0, 0, {{"a", 1}, {"b", 1}}}));
}

TEST(HostileTableResult, WithNumbersThatCannotBeIsRefused) {
  const Claim claims[]{
      {3, 4}, {3, 1, std::nan(""), 1}, {3, 1, 0, infinite}, {3, 1, 2, 1}, {3, 1, 0, 1, {{"a", 2}}}};
  for (const Claim& claim : claims)
    EXPECT_EQ(test::error_of([&] { merge(ColumnType::number, claim); }).reason(), "summary_of_another_table");
}

TEST(HostileTableResult, WhoseLevelsDoNotAddUpToItsRowsIsRefused) {
  const Claim claims[]{{3, 1, 0, 0, {{"a", 1}}},
                       {3, 1, 0, 0, {{"a", 3}}},
                       {3, 1, 0, 0, {{"a", ~std::uint64_t{0}}, {"b", 3}}},
                       {3, 1, 0, 0, {{"\xC3", 2}}}};
  for (const Claim& claim : claims)
    EXPECT_EQ(test::error_of([&] { merge(ColumnType::text, claim); }).reason(), "summary_of_another_table");
}

}  // namespace
}  // namespace kore::table

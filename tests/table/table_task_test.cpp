// Columns and rows of a table that lies in several places.
#include "table/table_task.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kore/error.hpp"
#include "kore/statistics.hpp"
#include "pass/survey_passes.hpp"
#include "table/encode_frame.hpp"
#include "table/summaries.hpp"
#include "table/summarize_frame.hpp"

namespace kore::table {
namespace {

using testing::expect_same;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t places = 4;

/// A piece of a table with gaps, two values, texts, and texts that are numbers but for one mark.
Frame piece(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> numbers;
  std::vector<double> flags;
  TextPool words;
  TextPool digits;
  for (std::size_t row = 0; row < rows; ++row) {
    numbers.push_back(random() % 5 == 0 ? nan : static_cast<double>(random() % 1000) / 8 - 30);
    flags.push_back(random() % 2 == 0 ? -1.0 : 4.0);
    words.add(random() % 3 == 0 ? "rare" : "often");
    digits.add(random() % 9 == 0 ? "NA" : std::to_string(random() % 7));
  }
  return {{owned_numbers("numbers", table::ColumnType::number, numbers),
           owned_numbers("flags", table::ColumnType::number, flags),
           TextPool::finish(std::move(words), "words"), TextPool::finish(std::move(digits), "digits")},
          rows};
}

/// Pieces of uneven sizes, one of them empty.
std::vector<Frame> pieces() {
  std::vector<Frame> all;
  for (const std::size_t rows : {400, 0, 3, 77}) all.push_back(piece(rows, static_cast<unsigned>(rows)));
  return all;
}

/// The same rows in one frame.
Frame joined(const std::vector<Frame>& parts) {
  std::vector<std::vector<double>> numbers(2);
  std::vector<TextPool> texts(2);
  std::size_t rows = 0;
  for (const Frame& part : parts) {
    rows += part.rows;
    for (std::size_t row = 0; row < part.rows; ++row)
      for (std::size_t c = 0; c < 2; ++c) {
        numbers[c].push_back(part.columns[c].numbers[row]);
        const Column& column = part.columns[c + 2];
        texts[c].add(column.dictionary[static_cast<std::size_t>(column.codes[row])]);
      }
  }
  return {{owned_numbers("numbers", table::ColumnType::number, numbers[0]),
           owned_numbers("flags", table::ColumnType::number, numbers[1]),
           TextPool::finish(std::move(texts[0]), "words"), TextPool::finish(std::move(texts[1]), "digits")},
          rows};
}

using Bytes = std::vector<std::byte>;

/// Does a task on every piece and merges in two steps.
Bytes done(const Bytes& task, const std::vector<Frame>& parts) {
  std::vector<Bytes> halves;
  for (std::size_t first = 0; first < places; first += 2) {
    TableWork half(task);
    for (std::size_t i = first; i < first + 2; ++i) {
      TableWork work(task);
      const std::vector<double> y(parts[i].rows, static_cast<double>(i));
      work.add({parts[i], y, {}}, 1);
      half.merge(work.serialize());
    }
    halves.push_back(half.serialize());
  }
  TableWork whole(task);
  for (const Bytes& half : halves) whole.merge(half);
  return whole.serialize();
}

void run(RunningSummary& summary, const std::vector<Frame>& parts) {
  const Bytes task = summary_task(summary);
  const Bytes result = done(task, parts);
  ByteReader found(open_table_result(task, result).sums);
  summary.merge_found(found);
}

std::vector<table::ColumnSummary> summaries(const std::vector<Frame>& parts, std::vector<bool> categorical) {
  Frame example = piece(0, 1);
  RunningSummary summary(example, std::move(categorical));
  run(summary, parts);
  summary.begin_medians();
  while (summary.wants_medians()) {
    run(summary, parts);
    summary.end_median_pass();
  }
  return summary.finish();
}

TEST(TableTasks, SummariseColumnsAsOneTableWould) {
  const std::vector<Frame> parts = pieces();
  const auto ours = summaries(parts, {});
  const auto theirs = summarize(joined(parts), std::vector<bool>(4), 1);
  ASSERT_EQ(ours.size(), theirs.size());
  EXPECT_EQ(ours[3].type, ColumnType::text) << "digits or not";
  for (std::size_t c = 0; c < ours.size(); ++c) expect_same(ours[c], theirs[c]);
}

TEST(TableTasks, LeaveDeclaredCategoriesCategories) {
  const std::vector<Frame> parts = pieces();
  const std::vector<bool> categorical{true, false, false, true};
  const auto ours = summaries(parts, categorical);
  const auto theirs = summarize(joined(parts), categorical, 1);
  for (std::size_t c = 0; c < ours.size(); ++c) expect_same(ours[c], theirs[c]);
}

TEST(TableTasks, RunPassesOverEncodedRows) {
  const std::vector<Frame> parts = pieces();
  const table::Encoding encoding = table::make_encoding(summaries(parts, {}));
  SurveyPass pass(encoding.features.size(), {});
  const Bytes task = rows_task(encoding, pass);
  EXPECT_EQ(TableWork(task).facts().kind, "survey");
  const Bytes result = done(task, parts);
  const TableResult opened = open_table_result(task, result);
  EXPECT_EQ(opened.rows, 480U);
  pass.merge(opened.sums);
  RangeAccumulator expected(encoding.features.size());
  const Frame whole = joined(parts);
  const EncodedFrame encoded = encode(whole, encoding);
  const std::vector<double> y(whole.rows);
  expected.add({encoded.x, y, {}});
  for (std::size_t j = 0; j < encoding.features.size(); ++j) {
    EXPECT_EQ(pass.ranges().ranges()[j].lowest, expected.ranges()[j].lowest);
    EXPECT_EQ(pass.ranges().ranges()[j].highest, expected.ranges()[j].highest);
  }
}

TEST(TableTasks, RefuseWhatDoesNotBelongTogether) {
  const RunningSummary some(piece(0, 1), {});
  const RunningSummary others(piece(0, 1), {true, false, false, false});
  const Bytes task = summary_task(some);
  const Bytes other = TableWork(summary_task(others)).serialize();
  TableWork work(task);
  EXPECT_THROW(work.merge(other), Error);
  EXPECT_THROW(TableWork(std::span(task).first(20)), Error);
  const Frame table = piece(5, 2);
  const std::vector<double> short_target(4);
  EXPECT_THROW(work.add({table, short_target, {}}, 1), Error);
  EXPECT_THROW(RunningSummary(piece(0, 1), {true}), Error);
}

/// Rows that are named by texts of their own, from a number on.
Frame named_rows(std::size_t first, std::size_t rows) {
  TextPool pool;
  for (std::size_t row = first; row < first + rows; ++row) pool.add("name " + std::to_string(row));
  return {{TextPool::finish(std::move(pool), "name")}, rows};
}

TEST(TableTasks, RefuseMoreTextsThanTravelBeforeAllRowsAreRead) {
  constexpr std::size_t half = std::size_t{1} << 19;
  const Frame first = named_rows(0, half);
  const Frame second = named_rows(half, half);
  const Frame third = named_rows(2 * half, 1);
  const Bytes task = summary_task(RunningSummary(first, {}));
  TableWork work(task);
  const std::vector<double> y(half);
  work.add({first, y, {}}, 1);
  work.add({second, y, {}}, 1);
  TableWork elsewhere(task);
  elsewhere.add({third, std::span(y).first(1), {}}, 1);
  EXPECT_THROW(elsewhere.merge(work.serialize()), Error);
  EXPECT_THROW(work.add({third, std::span(y).first(1), {}}, 1), Error);
}

}  // namespace
}  // namespace kore::table

#include "table/summarize_frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kore/error.hpp"
#include "table/running_summary.hpp"
#include "table/summaries.hpp"

namespace kore::table {
namespace {

using testing::expect_same;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Numbers with gaps, two values, a category.
Frame made_up(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> numbers;
  std::vector<double> flags;
  TextPool pool;
  for (std::size_t row = 0; row < rows; ++row) {
    numbers.push_back(random() % 5 == 0 ? nan : static_cast<double>(random() % 1000) / 8);
    flags.push_back(random() % 2 == 0 ? -1.0 : 4.0);
    pool.add(random() % 3 == 0 ? "rare" : "often");
  }
  return {
      {owned_numbers("numbers", table::ColumnType::number, numbers),
       owned_numbers("flags", table::ColumnType::number, flags), TextPool::finish(std::move(pool), "words")},
      rows};
}

/// A part of a frame, as a frame.
Frame part_of(const Frame& frame, std::size_t first, std::size_t rows) {
  Frame part{frame.columns, rows};
  for (Column& column : part.columns) {
    column.numbers.data += column.is_text() ? 0 : first;
    if (column.is_text()) column.codes = column.codes.subspan(first, rows);
  }
  return part;
}

TEST(Summarize, TellsWhatSortingTells) {
  const Frame frame = made_up(501, 1);
  const auto summaries = summarize(frame, {false, false, false}, 2);
  std::vector<double> sorted;
  for (std::size_t row = 0; row < frame.rows; ++row)
    if (!std::isnan(frame.columns[0].numbers[row])) sorted.push_back(frame.columns[0].numbers[row]);
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  EXPECT_EQ(summaries[0].missing, frame.rows - n);
  EXPECT_EQ(summaries[0].minimum, sorted.front());
  EXPECT_EQ(summaries[0].maximum, sorted.back());
  EXPECT_EQ(summaries[0].median, (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
  EXPECT_EQ(summaries[0].whole,
            std::ranges::all_of(sorted, [](double value) { return std::fmod(value, 1) == 0; }));
  EXPECT_TRUE(summaries[1].whole);
  EXPECT_FALSE(summaries[0].two_values);
  EXPECT_TRUE(summaries[1].two_values);
  EXPECT_EQ(summaries[2].distinct, 2U);
}

TEST(Summarize, InPiecesItTellsTheSameAsOfTheWhole) {
  const Frame frame = made_up(400, 2);
  const std::vector<bool> categorical{false, true, false};
  const auto whole = summarize(frame, categorical, 1);
  for (const std::size_t size : {400UL, 150UL, 7UL}) {
    const auto for_each_part = [&](const auto& visit) {
      for (std::size_t first = 0; first < frame.rows; first += size)
        visit(part_of(frame, first, std::min(size, frame.rows - first)));
    };
    RunningSummary running(categorical);
    for_each_part([&](const Frame& part) { running.add(part); });
    running.begin_medians();
    while (running.wants_medians()) {
      for_each_part([&](const Frame& part) { running.add_to_medians(part); });
      running.end_median_pass();
    }
    const auto pieces = running.finish();
    ASSERT_EQ(pieces.size(), whole.size());
    for (std::size_t c = 0; c < whole.size(); ++c) expect_same(pieces[c], whole[c]);
  }
}

TEST(Summarize, RefusesInfinityByName) {
  const Frame frame{{owned_numbers("speed", table::ColumnType::number, {1, INFINITY})}, 2};
  EXPECT_THROW(
      {
        try {
          summarize(frame, {false}, 1);
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("'speed'"), std::string::npos);
          throw;
        }
      },
      Error);
}

}  // namespace
}  // namespace kore::table

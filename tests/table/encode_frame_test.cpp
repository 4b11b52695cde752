#include "table/encode_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kore/error.hpp"
#include "table/summarize_frame.hpp"

namespace kore::table {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Column texts(const std::string& name, const std::vector<const char*>& values) {
  TextPool pool;
  for (const char* value : values) {
    if (value == nullptr)
      pool.add_missing();
    else
      pool.add(value);
  }
  return TextPool::finish(std::move(pool), name);
}

Column shown(const std::string& name, const std::vector<double>& values, std::ptrdiff_t stride = 1) {
  Column column;
  column.name = name;
  column.numbers = {values.data(), stride};
  return column;
}

table::Encoding encoding_of(const Frame& frame) {
  return table::make_encoding(summarize(frame, std::vector<bool>(frame.columns.size()), 1));
}

TEST(Encode, ShowsNumbersWithoutGapsWhereTheyLie) {
  const std::vector<double> matrix{1, 10, 2, 20, 3, 35};  // two columns, row by row
  Frame frame{{shown("a", matrix, 2), shown("b", matrix, 2)}, 3};
  frame.columns[1].numbers.data = matrix.data() + 1;
  const EncodedFrame encoded = encode(frame, encoding_of(frame));
  ASSERT_EQ(encoded.x.columns(), 2U);
  EXPECT_EQ(encoded.x.column(0).data, matrix.data());
  EXPECT_EQ(encoded.x.column(1).data, matrix.data() + 1);
  EXPECT_EQ(encoded.x.column(1).stride, 2);
  EXPECT_TRUE(encoded.values.empty());
}

TEST(Encode, FillsGapsWithTheMedianAndFlagsThem) {
  const std::vector<double> values{4, nan, 1, 2};
  const Frame frame{{shown("a", values)}, 4};
  const table::Encoding encoding = encoding_of(frame);
  const EncodedFrame encoded = encode(frame, encoding);
  ASSERT_EQ(encoded.x.columns(), 2U);
  for (std::size_t row = 0; row < 4; ++row) {
    EXPECT_EQ(encoded.x(row, 0), row == 1 ? 2 : values[row]);
    EXPECT_EQ(encoded.x(row, 1), row == 1 ? 1 : 0);
  }
  EXPECT_EQ(encoded.counts.missing.at(0), 1U);
}

TEST(Encode, FindsColumnsByNameAndTellsTheNearestOne) {
  const std::vector<double> a{1, 2, 3};
  const std::vector<double> b{5, 7, 6};
  const table::Encoding encoding = encoding_of({{shown("width", a), shown("height", b)}, 3});
  const EncodedFrame turned =
      encode({{shown("height", b), shown("more", b), shown("width", a)}, 3}, encoding);
  EXPECT_EQ(turned.x.column(0).data, a.data());
  EXPECT_EQ(turned.x.column(1).data, b.data());
  try {
    encode({{shown("height", b), shown("widht", a)}, 3}, encoding);
    FAIL() << "a missing column must be noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_data);
    EXPECT_NE(std::string(error.what()).find("nearest name is 'widht'"), std::string::npos) << error.what();
  }
}

TEST(Encode, ReadsTextsAsNumbersWhereTheModelHasNumbers) {
  const std::vector<double> numbers{1.5, 2, 3};
  const table::Encoding encoding = encoding_of({{shown("a", numbers)}, 3});
  EncodedFrame encoded = encode({{texts("a", {"3", " 1.5 ", "?"})}, 3}, encoding);
  EXPECT_EQ(encoded.x(0, 0), 3);
  EXPECT_EQ(encoded.x(1, 0), 1.5);
  EXPECT_EQ(encoded.x(2, 0), 2);  // the median
  EXPECT_THROW(encode({{texts("a", {"3", "many", "1"})}, 3}, encoding), Error);
}

TEST(Convert, NumbersBecomeTheWordsOfTheCommand) {
  const std::vector<double> values{2, 2.5, nan, 1e15, -3, 0.0001};
  const Column words = as_texts(shown("a", values), values.size());
  const auto word = [&](std::size_t row) {
    return std::string(words.dictionary[static_cast<std::size_t>(words.codes[row])]);
  };
  EXPECT_EQ(word(0), "2");
  EXPECT_EQ(word(1), "2.5");
  EXPECT_LT(words.codes[2], 0);
  EXPECT_EQ(word(3), "1000000000000000.0");
  EXPECT_EQ(word(4), "-3");
  EXPECT_EQ(word(5), "0.0001");
}

TEST(TextsOfTimes, AreThoseThatDuckDBWrites) {
  // Beside each, what `SELECT CAST(time AS VARCHAR)` gives in DuckDB 1.4.
  const std::pair<double, const char*> seconds[]{{1262390399.7, "2010-01-01 23:59:59.7"},
                                                 {1262390400, "2010-01-02 00:00:00"},
                                                 {1262347200, "2010-01-01 12:00:00"},
                                                 {1262347200.000001, "2010-01-01 12:00:00.000001"},
                                                 {-0.5, "1969-12-31 23:59:59.5"}};
  for (const auto& [since_1970, text] : seconds) {
    const Column column = as_texts(owned_numbers("t", ColumnType::timestamp, {since_1970 / 86400}), 1);
    EXPECT_EQ(column.dictionary[0], text);
  }
}

TEST(TextColumn, WithBytesThatAreNoTextIsRefused) {
  try {
    texts("town", {"K\xF6ln"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.reason(), "text_not_utf8");
  }
}

}  // namespace
}  // namespace kore::table

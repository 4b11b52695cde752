#include "experiments/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/made_up_study.hpp"
#include "support/refusal.hpp"

namespace kore::experiments {
namespace {

TEST(NumberField, IsWhatPythonWrites) {
  EXPECT_EQ(number_field(0.001), "0.001");
  EXPECT_EQ(number_field(0.0001), "0.0001");
  EXPECT_EQ(number_field(0.00001), "1e-05");
  EXPECT_EQ(number_field(5.30898521441818e-05), "5.30898521441818e-05");
  EXPECT_EQ(number_field(14), "14.0");
  EXPECT_EQ(number_field(1234.5), "1234.5");
  EXPECT_EQ(number_field(-0.36626684105386564), "-0.36626684105386564");
  EXPECT_EQ(number_field(0), "0.0");
  EXPECT_EQ(number_field(1e15), "1000000000000000.0");
  EXPECT_EQ(number_field(1e16), "1e+16");
  EXPECT_EQ(number_field(1.5e-300), "1.5e-300");
  EXPECT_EQ(number_field(std::nan("")), "");
  EXPECT_EQ(number_field(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(NumberField, IsReadBackToTheLastBit) {
  Table table{{"x"}, {}};
  const std::vector<double> values{0.1 + 0.2, 1.0 / 3, 4.9e-324, 1.7976931348623157e308, 123456789.12345679};
  for (const double value : values) table.rows.push_back(row_of({value}));
  const Table again = parse_csv(to_csv(table), "here");
  EXPECT_EQ(numbers(again, "x"), values);
}

TEST(Row, HasWholeNumbersWithoutAPointAndTruthsAsDigits) {
  EXPECT_EQ(row_of({1, std::size_t{2}, 3.0, true, false, "text"}), (Row{"1", "2", "3.0", "1", "0", "text"}));
}

TEST(Csv, KeepsFieldsWithCommasQuotesAndNothingInThem) {
  const Table table{{"a", "b"}, {{"x, y", "he said \"no\""}, {"", "two\nlines"}}};
  const Table again = parse_csv(to_csv(table), "here");
  EXPECT_EQ(again.columns, table.columns);
  EXPECT_EQ(again.rows, table.rows);
}

TEST(Csv, ReadsLinesThatEndAsOnWindows) {
  const Table table = parse_csv("a,b\r\n1,2\r\n", "here");
  EXPECT_EQ(table.columns, (Row{"a", "b"}));
  EXPECT_EQ(table.rows, (std::vector<Row>{{"1", "2"}}));
}

TEST(Csv, RefusesALineOfAnotherLengthWithItsNumber) {
  const std::string sentence =
      test::refusal(ErrorCode::invalid_data, [] { parse_csv("a,b\n1,2\n3\n", "the file"); });
  EXPECT_NE(sentence.find("the file, line 3"), std::string::npos) << sentence;
}

TEST(Table, RefusesAColumnThatIsNotThereAndAFieldThatIsNoNumber) {
  const Table table{{"a"}, {{"12x"}}};
  EXPECT_NE(test::refusal(ErrorCode::invalid_data, [&] { table.number(0, "b"); }).find("'b'"),
            std::string::npos);
  EXPECT_NE(test::refusal(ErrorCode::invalid_data, [&] { table.number(0, "a"); }).find("'12x'"),
            std::string::npos);
}

TEST(Table, HasNotANumberWhereAFieldIsEmpty) {
  EXPECT_TRUE(std::isnan(Table({{"a"}, {{""}}}).number(0, "a")));
}

TEST(Table, IsReplacedAsAWhole) {
  const ScratchFolder folder;
  folder.write("t.csv", "old\n1\n2\n3\n");
  write_table(folder.path() / "t.csv", {{"new"}, {{"4"}}});
  EXPECT_EQ(folder.read("t.csv"), "new\n4\n");
}

TEST(GroupBy, KeepsTheOrderOfFirstAppearance) {
  const Table table{{"k", "v"}, {{"b", "1"}, {"a", "2"}, {"b", "3"}}};
  const std::vector<Group> groups = group_by(table, {"k"});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].key, Row{"b"});
  EXPECT_EQ(numbers(table, "v", groups[0].rows), (std::vector<double>{1, 3}));
  EXPECT_EQ(numbers(table, "v", groups[1].rows), (std::vector<double>{2}));
}

}  // namespace
}  // namespace kore::experiments

#include "duckdb/summarize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "duckdb/database.hpp"
#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"
#include "duckdb/sql.hpp"
#include "table/median.hpp"

namespace kore::duckdb {
namespace {

using testing::Scratch;
using testing::target;

const std::string small =
    "SELECT * FROM (VALUES (1, 'b', true, 10), (NULL, 'a', NULL, 20), (4, NULL, false, 30), (9, 'b', true, "
    "NULL), "
    "('nan'::DOUBLE, 'b', true, 50), (3, 'c', false, 60)) t(x, c, b, y)";

TEST(Summarize, CountsOnlyRowsThatHaveATarget) {
  const table::TableSummary summary = summarize(open_table(small), target("y"));
  EXPECT_EQ(summary.rows, 5U);
  EXPECT_EQ(summary.missing_target, 1U);
  EXPECT_EQ(summary.target_minimum, 10);
  EXPECT_EQ(summary.target_maximum, 60);
  const table::ColumnSummary& x = summary.columns.at(0);
  EXPECT_EQ(x.rows, 5U);
  EXPECT_EQ(x.missing, 2U) << "a NaN is a missing value";
  EXPECT_EQ(x.minimum, 1);
  EXPECT_EQ(x.maximum, 4) << "9 belongs to a row without a target";
  EXPECT_EQ(x.median, 3);
}

TEST(Summarize, ListsLevelsByFrequency) {
  const table::ColumnSummary c = summarize(open_table(small), target("y")).columns.at(1);
  EXPECT_TRUE(c.is_category());
  EXPECT_EQ(c.missing, 1U);
  EXPECT_EQ(c.distinct, 3U);
  EXPECT_EQ(c.levels, (std::vector<table::Level>{{"b", 2}, {"a", 1}, {"c", 1}}));
  SummaryOptions two;
  two.level_limit = 2;
  const table::ColumnSummary limited = summarize(open_table(small), target("y"), two).columns.at(1);
  EXPECT_EQ(limited.distinct, 3U);
  EXPECT_EQ(limited.levels, (std::vector<table::Level>{{"b", 2}, {"a", 1}}));
}

TEST(Summarize, TreatsDeclaredNumbersAsTheSameLevelHoweverTheyAreStored) {
  for (const std::string type : {"INTEGER", "DOUBLE", "DECIMAL(9,2)", "FLOAT"}) {
    table::ColumnChoice choice = target("y");
    choice.categorical = {"x"};
    const auto summary =
        summarize(open_table("SELECT (i % 3)::" + type + " AS x, i AS y FROM range(9) t(i)"), choice);
    EXPECT_EQ(summary.columns[0].levels, (std::vector<table::Level>{{"0", 3}, {"1", 3}, {"2", 3}})) << type;
  }
  table::ColumnChoice choice = target("y");
  choice.categorical = {"x"};
  const auto halves = summarize(open_table("SELECT i / 2 AS x, i AS y FROM range(3) t(i)"), choice);
  EXPECT_EQ(halves.columns[0].levels, (std::vector<table::Level>{{"0", 1}, {"0.5", 1}, {"1", 1}}));
}

TEST(Summarize, CountsTextsThatReadAsNumbers) {
  const Scratch scratch;
  const Table table = open_table(scratch.write("n.csv", "x,y\n1,1\n2.5,2\nold,3\n,4\n\"1,000\",5\n"));
  const table::ColumnSummary x = summarize(table, target("y")).columns.at(0);
  EXPECT_EQ(x.numeric_texts, 2U);
  EXPECT_EQ(x.odd_text, "1,000");
  EXPECT_EQ(x.formatted_texts, 1U);
  EXPECT_EQ(x.formatted_text, "1,000");
}

TEST(Summarize, ReadsTextsAsNumbersWhereTheOthersAreMarkersOfMissingValues) {
  const Scratch scratch;
  for (const std::string marker :
       {"NA", "N/A", "na", "NaN", "null", "NULL", ".", "?", "-", "None", "\" \""}) {
    SCOPED_TRACE(marker);
    const table::TableSummary summary = summarize(
        open_table(scratch.write("n.csv", "x,y\n 1 ,1\n2.5,2\n" + marker + ",3\n,4\n0.5,5\n")), target("y"));
    const table::ColumnSummary& x = summary.columns.at(0);
    EXPECT_EQ(x.type, table::ColumnType::number);
    EXPECT_EQ(x.missing, 2U);
    EXPECT_EQ(x.maximum, 2.5);
    EXPECT_EQ(x.median, 1);
  }
  const auto noted =
      summarize(open_table(scratch.write("n.csv", "x,y\n1,1\nNA,2\nNA,3\n4,4\n")), target("y"));
  EXPECT_EQ(test::sentences(noted.notes),
            std::vector<std::string>{
                "Column 'x' has 'NA' in 2 rows where others have numbers; that counts as missing."});
}

TEST(Summarize, KeepsTextsThatAreNotAllNumbers) {
  for (const std::string other : {"'NA-1'", "'007'", "'1,5'", "'12%'"}) {
    const auto summary = summarize(
        open_table("SELECT * FROM (VALUES ('1', 1), (" + other + ", 2), ('NA', 3)) t(x, y)"), target("y"));
    EXPECT_EQ(summary.columns.at(0).type, table::ColumnType::text) << other;
    EXPECT_EQ(summary.columns.at(0).distinct, 3U) << other;
  }
  const auto markers =
      summarize(open_table("SELECT * FROM (VALUES ('?', 1, 1), ('-', 2, 2)) t(c, x, y)"), target("y"));
  EXPECT_EQ(markers.columns.at(0).type, table::ColumnType::text);
}

TEST(Summarize, LeavesTextsOfDigitsAloneWhereColumnsHaveTypes) {
  const Scratch scratch;
  const std::string parquet = scratch.path("digits.parquet");
  const std::string query =
      "SELECT CAST(i % 3 AS VARCHAR) AS x, CAST(i AS VARCHAR) AS y, '2' AS w FROM range(9) t(i)";
  const Database database({});
  database.run("COPY (" + query + ") TO " + sql_literal(parquet));
  database.run("COPY (" + query + ") TO " + sql_literal(scratch.path("digits.json")));
  table::ColumnChoice choice = target("y");
  choice.weights = "w";
  ReadOptions reading;
  reading.number_columns = {"y", "w"};
  for (const std::string& typed : {parquet, query}) {
    const auto summary = summarize(open_table(typed, reading), choice);
    EXPECT_EQ(summary.columns.at(0).type, table::ColumnType::text) << typed;
    EXPECT_FALSE(summary.columns.at(0).of_text_file);
    EXPECT_EQ(summary.target_maximum, 8) << "the target and the weights must be numbers";
  }
  const auto sniffed = summarize(open_table(scratch.path("digits.json"), reading), choice);
  EXPECT_EQ(sniffed.columns.at(0).type, table::ColumnType::number);
  EXPECT_TRUE(sniffed.columns.at(0).of_text_file);
}

TEST(Summarize, TellsCodesWithLeadingZeros) {
  const Scratch scratch;
  const auto summary =
      summarize(open_table(scratch.write("z.csv", "zip,y\n12,1\n007,2\n9,3\n012,4\n")), target("y"));
  EXPECT_EQ(summary.columns.at(0).type, table::ColumnType::text);
  EXPECT_EQ(summary.columns.at(0).code_text, "007");
  EXPECT_EQ(summary.columns.at(0).numeric_texts, 4U);
}

TEST(Summarize, ReadsYesAndNoInTheTargetAsOneAndZero) {
  for (const std::string pair : {"'no', 'yes'", "'N', 'Y'", "'F', 'T'", "'False', 'TRUE'"}) {
    const auto summary = summarize(
        open_table("SELECT i AS x, [" + pair + ", NULL][1 + i % 3] AS y FROM range(9) t(i)"), target("y"));
    EXPECT_EQ(summary.rows, 6U) << pair;
    EXPECT_EQ(summary.target_minimum, 0) << pair;
    EXPECT_EQ(summary.target_maximum, 1) << pair;
    ASSERT_EQ(summary.notes.size(), 1U) << pair;
    EXPECT_TRUE(test::contains(summary.notes[0].sentence(), "counts as 1 and"))
        << summary.notes[0].sentence();
  }
}

TEST(Summarize, TellsNumbersOfTwoValuesFromOthers) {
  const auto summary = summarize(
      open_table("SELECT i % 2 AS bit, 1 + i % 2 AS grade, i % 3 AS third, 7 AS same, i < 9 AS early, "
                 "CASE WHEN i = 29999 THEN 0.5 ELSE i % 2 END AS late, "
                 "CASE WHEN i % 5 = 0 THEN NULL ELSE i % 2 / 3 END AS gaps, i AS y FROM range(30000) t(i)"),
      target("y"));
  std::map<std::string, bool> two;
  for (const table::ColumnSummary& column : summary.columns) two[column.name] = column.two_values;
  EXPECT_EQ(two, (std::map<std::string, bool>{{"bit", true},
                                              {"grade", true},
                                              {"third", false},
                                              {"same", false},
                                              {"early", true},
                                              {"late", false},
                                              {"gaps", true}}));
}

TEST(Summarize, TellsWholeNumbersFromOthers) {
  const auto summary = summarize(
      open_table("SELECT i % 24 AS hour, i % 7 - 3.0 AS whole, i / 2 AS half, "
                 "CASE WHEN i = 29999 THEN 0.5 ELSE i % 5 END AS late, DATE '2020-01-01' + "
                 "CAST(i % 9 AS INTEGER) AS day, CASE WHEN i % 5 = 0 THEN NULL ELSE i % 3 END AS gaps, "
                 "i AS y FROM range(30000) t(i)"),
      target("y"));
  std::map<std::string, bool> whole;
  for (const table::ColumnSummary& column : summary.columns) whole[column.name] = column.whole;
  EXPECT_EQ(
      whole,
      (std::map<std::string, bool>{
          {"hour", true}, {"whole", true}, {"half", false}, {"late", false}, {"day", true}, {"gaps", true}}));
}

TEST(Summarize, TellsManyTextColumnsApart) {
  std::string query = "SELECT i AS y";
  for (int c = 0; c < 70; ++c)
    query += ", 'v' || (i % " + std::to_string(c + 2) + ") AS c" + std::to_string(c);
  const table::TableSummary summary = summarize(open_table(query + " FROM range(500) t(i)"), target("y"));
  for (std::size_t c = 0; c < 70; ++c) {
    EXPECT_EQ(summary.columns.at(c).distinct, c + 2) << c;
    EXPECT_EQ(summary.columns.at(c).levels.front(), (table::Level{"v0", (500 + c + 1) / (c + 2)})) << c;
  }
}

TEST(Summarize, FindsTheSameMediansWithAndWithoutMemory) {
  const Table table = open_table(
      "SELECT sin(i) AS a, CASE WHEN i % 3 = 0 THEN NULL ELSE (i * 7919 % 1001) - 500 END AS b, -i::HUGEINT "
      "AS c, i AS y "
      "FROM range(10000) t(i)");
  SummaryOptions passes;
  passes.median_bytes = 1;
  const auto by_query = summarize(table, target("y"));
  const auto by_passes = summarize(table, target("y"), passes);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(by_query.columns[c].median, by_passes.columns[c].median) << c;
  EXPECT_EQ(by_query.columns[2].median, -4999.5);
}

}  // namespace
}  // namespace kore::duckdb

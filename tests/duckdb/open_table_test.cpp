#include <gtest/gtest.h>

#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"

namespace kore::duckdb {
namespace {

using testing::all_rows;
using testing::encode_table;
using testing::Scratch;
using testing::target;
using Rows = std::vector<std::vector<double>>;

std::vector<std::string> names_of(const std::string& text) { return open_table(text).column_names(); }

Rows rows_of(const std::string& text, const std::string& y = "y") {
  const auto encoded = encode_table(text, target(y));
  return all_rows(TableSource(encoded.table, encoded.encoding, encoded.summary));
}

const Rows three_rows{{1, 0, 10}, {2, 1, 20}, {3, 0, 30}};  // x, whether c is p or q, y
const std::string three_rows_csv = "x,c,y\n1,p,10\n2,q,20\n3,p,30\n";
const std::string three_rows_sql =
    "SELECT * FROM (VALUES (1, 'p', 10), (2, 'q', 20), (3, 'p', 30)) t(x, c, y)";

TEST(OpenTable, ReadsEveryKindOfFileAlike) {
  const Scratch scratch;
  EXPECT_EQ(rows_of(scratch.write("a.csv", three_rows_csv)), three_rows);
  EXPECT_EQ(rows_of(scratch.write("a.tsv", "x\tc\ty\n1\tp\t10\n2\tq\t20\n3\tp\t30\n")), three_rows);
  EXPECT_EQ(rows_of(scratch.copy(three_rows_sql, "a.csv.gz", "FORMAT csv, COMPRESSION gzip")), three_rows);
  EXPECT_EQ(rows_of(scratch.copy(three_rows_sql, "a.parquet", "FORMAT parquet")), three_rows);
  EXPECT_EQ(rows_of(scratch.copy(three_rows_sql, "a.ndjson", "FORMAT json")), three_rows);
  EXPECT_EQ(rows_of(scratch.copy(three_rows_sql, "a.json", "FORMAT json, ARRAY true")), three_rows);
  EXPECT_EQ(rows_of(three_rows_sql), three_rows);
  EXPECT_EQ(rows_of("FROM '" + scratch.path("a.csv") + "' WHERE x < 10;"), three_rows);
  EXPECT_EQ(rows_of("with t AS (FROM '" + scratch.path("a.parquet") + "') SELECT * FROM t"), three_rows);
}

TEST(OpenTable, ReadsFilesOfAPatternInTheOrderOfTheirNames) {
  const Scratch scratch;
  scratch.write("part2.csv", "x,c,y\n3,p,30\n");
  scratch.write("part1.csv", "x,c,y\n1,p,10\n2,q,20\n");
  EXPECT_EQ(rows_of(scratch.path("part*.csv")), three_rows);
  EXPECT_SAYS(test::error_of([&] { open_table(scratch.path("none*.csv")); }), "No file matches");
  scratch.write("part3.csv", "x,other,y\n1,p,10\n");
  EXPECT_SAYS(test::error_of([&] { open_table(scratch.path("part*.csv")); }), "has no column 'c'");
}

TEST(OpenTable, UnderstandsQuotesDelimitersAndLineEnds) {
  const Scratch scratch;
  const std::string quoted =
      scratch.write("q.csv", "\"x\",\"the, \"\"name\"\"\",y\r\n1,\"a,b\",2\r\n2,\"two\nlines\",4\r\n");
  const Table table = open_table(quoted);
  EXPECT_EQ(table.column_names(), (std::vector<std::string>{"x", "the, \"name\"", "y"}));
  const auto summary = summarize(table, target("y"));
  EXPECT_EQ(table::make_encoding(summary.columns).columns.at(1).levels,
            (std::vector<std::string>{"a,b", "two\nlines"}));
  EXPECT_EQ(rows_of(scratch.write("s.csv", "x;c;y\n1;p;10\n2;q;20\n3;p;30\n")), three_rows);
  EXPECT_EQ(rows_of(scratch.write("bar.csv", "x|c|y\n1|p|10\n2|q|20\n3|p|30")), three_rows);
  EXPECT_EQ(rows_of(scratch.write("bom.csv", "\xEF\xBB\xBF" + three_rows_csv)), three_rows);
}

TEST(OpenTable, ReadsDecimalCommasWhereSomethingElseSeparates) {
  const Scratch scratch;
  const Rows expected{{0.25, 7, -1.5}, {1000, 8, 2}, {0.125, 9, 0.5}};
  const std::string file = scratch.write("c.csv", "x;n;y\n0,25;7;-1,5\n1e3;8;2\n0,125;9;0,5\n");
  EXPECT_EQ(rows_of(file), expected);
  const auto summary = summarize(open_table(file), target("y"));
  ASSERT_EQ(summary.notes.size(), 1U);
  EXPECT_EQ(summary.notes[0].sentence().substr(0, 47), "Numbers have a comma for the decimal point in t");
  ReadOptions once;
  once.keep_rows = false;
  EXPECT_EQ(open_table(file, once).column("x").type, table::ColumnType::number)
      << "predicting reads the same way";
}

TEST(OpenTable, ReadsDecimalCommasBesideMarkersAndPointsBetweenThousands) {
  const Scratch scratch;
  const std::string file =
      scratch.write("c.csv", "x;z;y\n0,25;1.250,5;1\nNA;-2.000.000;2\n7;0,5;3\n1,125;12;4\n");
  const Rows rows = rows_of(file);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].front(), 0.25);
  EXPECT_EQ(rows[1].front(), 1.125) << "the median of the others";
  EXPECT_EQ(rows[3].front(), 1.125);
  const auto encoded = encode_table(file, target("y"));
  EXPECT_EQ(encoded.summary.columns.at(1).minimum, -2e6);
  EXPECT_EQ(encoded.summary.columns.at(1).maximum, 1250.5);
  EXPECT_EQ(encoded.summary.columns.at(0).missing, 1U);
}

TEST(OpenTable, RefusesSpreadsheets) {
  const Scratch scratch;
  EXPECT_SAYS(test::error_of([&] { open_table(scratch.write("book.XLSX", "PK")); }),
              "Save the sheet as CSV.");
}

TEST(OpenTable, DoesNotTakeThousandsForDecimals) {
  const Scratch scratch;
  const std::string file = scratch.write("t.csv", "x;y\n1,234;1\n12,345;2\n999;3\n");
  EXPECT_EQ(open_table(file).column("x").type, table::ColumnType::text);
}

TEST(OpenTable, ReadsQuotedNumbersAsNumbers) {
  const Scratch scratch;
  EXPECT_EQ(rows_of(scratch.write("q.csv", "\"x\",\"y\"\n\"1\",\"2\"\n\"3\",\"4\"\n")),
            (Rows{{1, 2}, {3, 4}}));
}

TEST(OpenTable, FindsAFileWhoseNameLooksLikeAPatternOrAQuery) {
  const Scratch scratch;
  EXPECT_EQ(rows_of(scratch.write("data[1].csv", three_rows_csv)), three_rows);
  EXPECT_EQ(rows_of(scratch.write("it's.csv", three_rows_csv)), three_rows);
}

TEST(OpenTable, AllowsACommentAtTheEndOfAQuery) {
  EXPECT_EQ(rows_of(three_rows_sql + " -- all of them"), three_rows);
}

TEST(OpenTable, DoesNotMistakeTheFieldsOfAStructForColumns) {
  const Scratch scratch;
  const std::string path =
      scratch.copy("SELECT {'x': 1, 'y': {'x': 2}} AS s, 1 AS x, 2 AS y", "s.parquet", "FORMAT parquet");
  EXPECT_EQ(names_of(path), (std::vector<std::string>{"s", "x", "y"}));
}

TEST(OpenTable, KeepsTheNamesOfTheHeader) {
  const Scratch scratch;
  const std::string path =
      scratch.write("n.csv", "Heating Load (Y1),caf\u00e9,total_(BRL),select\n1,2,3,4\n2,3,4,5\n");
  EXPECT_EQ(names_of(path),
            (std::vector<std::string>{"Heating Load (Y1)", "caf\u00e9", "total_(BRL)", "select"}));
  EXPECT_EQ(rows_of(path, "select"), (Rows{{1, 2, 3, 4}, {2, 3, 4, 5}}));
}

TEST(OpenTable, ReadsTheFileOfThatNameThoughItLooksLikeAPattern) {
  const Scratch scratch;
  const std::string decoys[]{scratch.write("x.csv", "a,y\n1,2\n"), scratch.write("acb.csv", "a,y\n1,2\n"),
                             scratch.copy("SELECT 1 AS a", "z.parquet", "FORMAT parquet")};
  for (const std::string name : {"[x].csv", "a*b.csv", "a?b.csv"})
    EXPECT_EQ(open_table(scratch.write(name, "c,y\n3,4\n")).column_names(),
              (std::vector<std::string>{"c", "y"}))
        << name;
  scratch.copy("SELECT 3 AS c", "other.parquet", "FORMAT parquet");
  std::filesystem::rename(scratch.path("other.parquet"), scratch.path("[z].parquet"));
  EXPECT_EQ(open_table(scratch.path("[z].parquet")).column_names(), std::vector<std::string>{"c"});
}

TEST(OpenTable, TakesTheDelimiterThatTheLinesAgreeOn) {
  const Scratch scratch;
  const Table table = open_table(scratch.write("t.csv", "price, net;b, gross;y\n0.5;0.6;1\n0.7;0.8;2\n"));
  EXPECT_EQ(table.column_names(), (std::vector<std::string>{"price, net", "b, gross", "y"}));
}

TEST(OpenTable, TakesOnlyAnEmptyFieldOfACategoryAsMissing) {
  const Scratch scratch;
  const auto encoded =
      encode_table(scratch.write("m.csv", "c,x,y\nNA,1,1\nnull,,2\n,3,3\nNone,4,4\n"), target("y"));
  EXPECT_EQ(encoded.encoding.columns[0].levels, (std::vector<std::string>{"NA", "None", "null"}));
  EXPECT_EQ(encoded.summary.columns[0].missing, 1U);
  EXPECT_EQ(encoded.summary.columns[1].type, table::ColumnType::number);
  EXPECT_EQ(encoded.summary.columns[1].missing, 1U);
}

TEST(OpenTable, TypesDoNotDependOnWhereTheOddValueIs) {
  const Scratch scratch;
  std::string rows = "x,c,y\n";
  for (int i = 0; i < 210'000; ++i) rows += std::to_string(i % 7) + ",1," + std::to_string(i) + "\n";
  rows += "1,not utf-8,3\n";
  const Table table = open_table(scratch.write("late.csv", rows));
  EXPECT_EQ(table.column("x").type, table::ColumnType::number);
  EXPECT_EQ(table.column("c").type, table::ColumnType::text);
  // A table that does not fit is not read when it is opened, and says where the value is when it is met.
  ReadOptions small;
  small.keep_rows = false;
  const Table streamed = open_table(scratch.path("late.csv"), small);
  EXPECT_SAYS(test::error_of([&] { summarize(streamed, target("y")); }),
              "Line 210002 of the file '" + scratch.path("late.csv") + "' has 'not utf-8' in column 'c'");
}

TEST(OpenTable, ReadsDeclaredTextsLetterByLetter) {
  const Scratch scratch;
  const std::string path = scratch.write("t.csv", "zip,flag,y\n007,T,1\n08,F,2\n9,T,3\n");
  EXPECT_EQ(open_table(path).column("flag").type, table::ColumnType::boolean);
  ReadOptions options;
  options.text_columns = {"zip", "flag", "not there"};
  const Table table = open_table(path, options);
  EXPECT_EQ(table.column("zip").type, table::ColumnType::text);
  const auto summary = summarize(table, target("y"));
  EXPECT_EQ(table::make_encoding(summary.columns).columns[0].levels,
            (std::vector<std::string>{"007", "08", "9"}));
}

TEST(OpenTable, KnowsTheTypesOfColumns) {
  const Table table = open_table(
      "SELECT 1::TINYINT a, 1::HUGEINT b, 1.5::DECIMAL(9,2) c, 1::FLOAT d, true e, DATE '1970-01-02' f, "
      "TIMESTAMP '1970-01-01 12:00:00' g, TIMESTAMPTZ '1970-01-01 06:00:00+00' h, TIME '18:00:00' i, 'x' j, "
      "'p'::ENUM('p', 'q') k, [1] l, {'a': 1} m, 'x'::BLOB n, uuid() o, TIMESTAMP_NS '1970-01-03 00:00:00' "
      "p");
  const auto type = [&](const char* name) { return table.column(name).type; };
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(type(name), table::ColumnType::number) << name;
  EXPECT_EQ(type("e"), table::ColumnType::boolean);
  EXPECT_EQ(type("f"), table::ColumnType::date);
  for (const char* name : {"g", "h", "i", "p"}) EXPECT_EQ(type(name), table::ColumnType::timestamp) << name;
  for (const char* name : {"j", "k", "o"}) EXPECT_EQ(type(name), table::ColumnType::text) << name;
  for (const char* name : {"l", "m", "n"}) EXPECT_EQ(type(name), std::nullopt) << name;
}

TEST(OpenTable, CountsDatesAndTimesInDays) {
  EXPECT_EQ(rows_of("SELECT * FROM (VALUES (DATE '1970-01-03', TIMESTAMP '1969-12-31 12:00:00', TIME "
                    "'06:00:00', false, 1), "
                    "(DATE '2000-01-01', TIMESTAMP '1970-01-01 18:00:00', TIME '12:00:00', true, 2)) t(d, "
                    "ts, t, b, y)"),
            (Rows{{2, -0.5, 0.25, 0, 1}, {10957, 0.75, 0.5, 1, 2}}));
}

TEST(OpenTable, GivesARandomQueryTheSameRowsInEveryPass) {
  const auto encoded =
      encode_table("SELECT random() AS x, random() AS y FROM range(5000) USING SAMPLE 50 PERCENT (bernoulli)",
                   target("y"));
  const TableSource source(encoded.table, encoded.encoding, encoded.summary);
  EXPECT_EQ(all_rows(source), all_rows(source));
}

}  // namespace
}  // namespace kore::duckdb

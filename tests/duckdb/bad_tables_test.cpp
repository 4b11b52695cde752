#include <gtest/gtest.h>

#include <filesystem>

#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"

namespace kore::duckdb {
namespace {

using test::error_of;
using testing::Scratch;
using testing::target;

/// Opens and reads a table as the commands do.
Error reading(const std::string& text, const std::string& y = "y") {
  return error_of([&] {
    const Table table = open_table(text);
    summarize(table, target(y));
  });
}

Error reading_csv(const std::string& content, const std::string& y = "y") {
  const Scratch scratch;
  const Error error = reading(scratch.write("bad.csv", content), y);
  EXPECT_EQ(error.code(), ErrorCode::invalid_data);
  return error;
}

TEST(BadTable, MissingFileSuggestsANeighbour) {
  const Scratch scratch;
  scratch.write("cars.csv", "x,y\n1,2\n");
  const Error error = reading(scratch.path("carz.csv"));
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_SAYS(error, "There is no file '" + scratch.path("carz.csv") + "'. Did you mean 'cars.csv'?");
  EXPECT_SAYS(reading("/no/such/folder/x.csv"), "There is no file '/no/such/folder/x.csv'.");
  EXPECT_SAYS(reading(scratch.folder().string()), "is a folder");
  EXPECT_SAYS(reading(""), "No data are given");
}

TEST(BadTable, UnknownEndingSaysWhatIsKnown) {
  const Scratch scratch;
  const Error error = reading(scratch.write("data.xyz", "x,y\n1,2\n"));
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_SAYS(error, "Known are .csv");
}

TEST(BadTable, EmptyFilesAndTablesWithoutRowsAreTold) {
  const Scratch scratch;
  EXPECT_SAYS(reading_csv(""), "is empty");
  EXPECT_SAYS(reading_csv("x,y\n"), "There are no rows in the file");
  EXPECT_SAYS(reading(scratch.copy("SELECT 1 AS x WHERE false", "e.csv.gz",
                                   "FORMAT csv, HEADER false, COMPRESSION gzip")),
              "is empty");
  EXPECT_SAYS(reading(scratch.write("e.parquet", "")), "is empty");
  EXPECT_SAYS(reading("SELECT 1 AS x, 2 AS y WHERE false"), "There are no rows in the query");
}

TEST(BadTable, RaggedLinesAreCounted) {
  EXPECT_SAYS(reading_csv("x,c,y\n1,2,3\n4,5\n6,7,8\n"), "has 2 fields, but the header has 3");
  EXPECT_SAYS(reading_csv("x,c,y\n1,2,3\n4,5\n6,7,8\n"), "Line 3 of the file");
  EXPECT_SAYS(reading_csv("x,c,y\n1,2,3\n4,5,6,7\n"), "has 4 fields, but the header has 3");
  EXPECT_SAYS(reading_csv("x,y\n1,2,3\n4,5,6\n"), "has 3 fields, but the header has 2");
  EXPECT_SAYS(reading_csv("# a comment\nx,y\n1,2\n"), "Line 2 of the file");
  std::string late = "x,c,y\n";
  for (int i = 0; i < 50'000; ++i) late += "1,2," + std::to_string(i) + "\n";
  EXPECT_SAYS(reading_csv(late + "1,2\n"), "Line 50002 of the file");
}

TEST(BadTable, BrokenQuotesAreLocated) {
  EXPECT_SAYS(reading_csv("x,y\n1,2\n\"3,4\n5,6\n"), "Line 3 of the file");
  EXPECT_SAYS(reading_csv("x,y\n1,2\n\"3,4\n5,6\n"), "double quote that is never closed");
}

TEST(BadTable, TextThatIsNotUtf8IsTold) {
  EXPECT_SAYS(reading_csv("c,y\ncaf\xE9,2\nb,3\n"), "is not UTF-8 text");
  EXPECT_SAYS(reading_csv("caf\xE9,y\n1,2\n"), "is not UTF-8 text");
  EXPECT_SAYS(reading_csv(std::string("\xFF\xFEx\0,\0y\0\n\0", 10)), "is not UTF-8 text");
}

TEST(BadTable, HeaderOfNumbersIsNoHeader) {
  EXPECT_SAYS(reading_csv("1,2.5\n3,4\n"), "holds numbers instead of column names");
}

TEST(BadTable, DuplicateNamesAreRefusedInEveryFormat) {
  const Scratch scratch;
  EXPECT_SAYS(reading_csv("a,y,a\n1,2,3\n"), "There are two columns named 'a' in the header of the file");
  EXPECT_SAYS(reading_csv("a,y,A\n1,2,3\n"), "two columns named 'A'");
  EXPECT_SAYS(reading("SELECT 1 AS a, 2 AS a, 3 AS y"), "two columns named 'a' in the result of the query");
  EXPECT_SAYS(reading(scratch.write("d.ndjson", "{\"a\":1,\"a\":2,\"y\":3}\n")), "duplicate key \"a\"");
}

TEST(BadTable, BrokenFilesOfOtherFormatsAreNamed) {
  const Scratch scratch;
  const Error parquet = reading(scratch.write("x.parquet", "this is not a table of any kind"));
  EXPECT_EQ(parquet.code(), ErrorCode::invalid_data);
  EXPECT_SAYS(parquet, "The file '" + scratch.path("x.parquet") + "' cannot be read: No magic bytes");
  EXPECT_SAYS(reading(scratch.write("x.json", "[{\"y\": 1}, {\"y\"")), "Malformed JSON");
  EXPECT_EQ(reading(scratch.write("x.csv.gz", "x,y\n1,2\n")).code(), ErrorCode::invalid_data);
}

TEST(BadTable, UnreadableFileIsAnIoError) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const Scratch scratch;
  std::filesystem::permissions(scratch.write("x.csv", "x,y\n1,2\n"), std::filesystem::perms::none);
  EXPECT_EQ(reading(scratch.path("x.csv")).code(), ErrorCode::io);
}

TEST(BadTable, QueriesThatFailShowTheReasonAndThemselves) {
  const Error syntax = reading("SELECT * FRM x");
  EXPECT_EQ(syntax.code(), ErrorCode::invalid_argument);
  EXPECT_SAYS(syntax, "The query cannot be run: syntax error at or near");
  EXPECT_SAYS(syntax, "The query was: SELECT * FRM x");
  EXPECT_SAYS(reading("FROM 'nosuch.csv'"), "No files found that match the pattern");
  EXPECT_SAYS(reading("SELECT nocol FROM range(3)"), "Referenced column \"nocol\" not found");
  EXPECT_SAYS(reading("SELECT 'abc'::INTEGER AS x, 1 AS y"), "Could not convert string 'abc' to INT32");
  EXPECT_SAYS(reading("SELECT 1 AS y; SELECT 2"), "The query cannot be run");
  EXPECT_SAYS(reading("WITH t AS (SELECT 1) DELETE FROM t"), "The query cannot be run");
  EXPECT_SAYS(reading("from nosuch_table"), "nosuch_table does not exist");
}

TEST(BadTable, QueriesCannotWrite) {
  const Scratch scratch;
  EXPECT_ANY_THROW(open_table("WITH t AS (SELECT 1 AS y) COPY t TO '" + scratch.path("out.csv") + "'"));
  EXPECT_EQ(scratch.files(), 0U);
}

TEST(BadTable, UnusableTypesAreRefusedOnlyWhereTheyAreUsed) {
  const std::string query = "SELECT * FROM (VALUES ([1], 1, 1), ([2], 2, 2)) t(tags, x, y)";
  EXPECT_SAYS(reading(query), "Column 'tags' of the query holds values of type INTEGER[]");
  EXPECT_EQ(reading(query).reason(), "unusable_type");
  EXPECT_SAYS(reading(query, "tags"), "The target 'tags' must be a number");
  const Table table = open_table(query);
  table::ColumnChoice choice = target("y");
  choice.drop = {"tags"};
  EXPECT_EQ(summarize(table, choice).columns.size(), 1U);
}

TEST(BadTable, TargetsThatCannotBePredictedAreRefused) {
  EXPECT_SAYS(reading_csv("x,y\n1,2\n2,unknown\n3,4\n"),
              "The target 'y' must be a number, but 1 of its 3 values in the file");
  EXPECT_SAYS(reading_csv("x,y\n1,2\n2,unknown\n3,4\n"), "for example 'unknown'");
  EXPECT_SAYS(reading_csv("x,y\n1,5\n2,5\n"), "is 5 in every row");
  EXPECT_SAYS(reading_csv("x,y\n1,5\n2,\n"), "There is one row with a target in the file");
  EXPECT_SAYS(reading_csv("x,y\n1,5\n2,inf\n3,4\n"), "The target 'y' is infinite in row 2 of the file");
  EXPECT_SAYS(reading_csv("x,y\n1,5\n-inf,3\n3,4\n"), "Column 'x' is infinite in row 2 of the file");
  EXPECT_SAYS(reading_csv("x,y\n1,red\n2,blue\n3,green\n"), "must be a number");
  EXPECT_SAYS(reading_csv("x,y\n1,\n2,\n"), "The target 'y' has no value in any row");
  EXPECT_EQ(error_of([] { summarize(open_table("SELECT 1 AS x, 2 AS price"), target("prise")); }).code(),
            ErrorCode::invalid_argument);
}

TEST(BadTable, WeightsMustBeThereAndNotNegative) {
  const auto weighted = [](const std::string& values) {
    table::ColumnChoice choice = target("y");
    choice.weights = "w";
    return error_of(
        [&] { summarize(open_table("SELECT * FROM (VALUES " + values + ") t(x, y, w)"), choice); });
  };
  EXPECT_SAYS(weighted("(1, 1, 1), (2, 2, NULL)"), "have no value in 1 rows");
  EXPECT_SAYS(weighted("(1, 1, 1), (2, 2, -3)"), "go down to -3");
  EXPECT_SAYS(weighted("(1, 1, 0), (2, 2, 0)"), "are 0 in every row");
  EXPECT_SAYS(weighted("(1, 1, 0), (2, 2, 7)"), "are 0 in all rows of the query but one");
  EXPECT_SAYS(weighted("(1, 1, 'a'), (2, 2, 'b')"), "The weights column 'w' must be a number");
}

}  // namespace
}  // namespace kore::duckdb

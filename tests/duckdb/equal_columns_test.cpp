// Columns that repeat others are told, and no others.
#include "table/equal_columns.hpp"

#include <gtest/gtest.h>

#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"

namespace kore::duckdb {
namespace {

using testing::Scratch;
using testing::target;
using Notes = std::vector<std::string>;

Notes notes_of(const std::string& query, const table::EncodingOptions& options = {}) {
  const Table table = open_table(query);
  const table::TableSummary summary = summarize(table, target("y"));
  const table::Encoding encoding = table::make_encoding(summary.columns, options);
  return test::sentences(
      table::equal_column_notes(summary.columns, encoding, TableSource(table, encoding, summary)));
}

std::string note(const std::string& copy, const std::string& of) {
  return "Column '" + copy + "' has the same values as column '" + of +
         "' in every row, so that their effects cannot be told apart.";
}

TEST(EqualColumns, AreToldForNumbersAndCategoriesInBothEncodings) {
  const std::string query =
      "SELECT sin(i) AS a, cos(i) AS b, sin(i) AS c, 'l' || (97 + i % 3) AS d, 'l' || (97 + i % 3) AS e, "
      "sin(i) AS "
      "f, "
      "i AS y FROM range(50) t(i)";
  const Notes expected{note("c", "a"), note("e", "d"), note("f", "a")};
  EXPECT_EQ(notes_of(query), expected);
  EXPECT_EQ(notes_of(query, table::EncodingOptions::paper()), expected);
}

TEST(EqualColumns, AreNotThoseThatOnlyLookAlike) {
  // The same values in another order, the same texts for other rows, and gaps elsewhere.
  EXPECT_EQ(notes_of("SELECT i AS a, 49 - i AS b, i % 2 AS c, 1 - i % 2 AS d, 'l' || (97 + i % 2) AS e, "
                     "'l' || (98 - i % 2) AS f, nullif(i, 3) AS g, nullif(49 - i, 3) AS h, i * i AS y FROM "
                     "range(50) t(i)"),
            Notes{});
}

TEST(EqualColumns, MayHaveGapsInTheSameRows) {
  EXPECT_EQ(notes_of("SELECT nullif(i, 3) AS a, nullif(i, 3) AS b, i * i AS y FROM range(50) t(i)"),
            Notes{note("b", "a")});
}

TEST(EqualColumns, AreCountedWhereTheyAreMany) {
  std::string query = "SELECT i AS a0";
  for (int c = 1; c <= 9; ++c) query += ", i AS a" + std::to_string(c);
  const Notes notes = notes_of(query + ", i * i AS y FROM range(50) t(i)");
  ASSERT_EQ(notes.size(), 6U);
  EXPECT_EQ(notes.back(), "Of the other columns, 4 repeat another one too.");
}

}  // namespace
}  // namespace kore::duckdb

// The rule for texts stands twice, as functions and as SQL: whatever the text, both must say the same.
#include "table/text_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/sql.hpp"
#include "duckdb/text_numbers.hpp"

namespace kore::duckdb {
namespace {

const std::vector<std::string>& odd_texts() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all{"1",
                                 "-1",
                                 "+1",
                                 "+-1",
                                 "-+1",
                                 "--1",
                                 "1.",
                                 ".5",
                                 "-.5",
                                 "1,5",
                                 "1e5",
                                 "1E+5",
                                 "1e",
                                 "e5",
                                 "0x10",
                                 "1d",
                                 "1f",
                                 "1_000",
                                 "1_0.5",
                                 "1__0",
                                 "_1",
                                 "1_",
                                 "1_.5",
                                 "0_1",
                                 "1e1_0",
                                 "007",
                                 "+007",
                                 "-0",
                                 "0",
                                 "0.5",
                                 "00",
                                 "inf",
                                 "-inf",
                                 "+inf",
                                 "Infinity",
                                 "infinit",
                                 "1e400",
                                 "-1e400",
                                 "1e-400",
                                 "4e-324",
                                 "nan",
                                 "-nan",
                                 "NaN",
                                 "nan(1)",
                                 "na",
                                 "N/A",
                                 "Null",
                                 "NONE",
                                 ".",
                                 "?",
                                 "-",
                                 "+",
                                 "",
                                 " ",
                                 " NA ",
                                 " 1 ",
                                 "1 2",
                                 "\t1",
                                 "1\n",
                                 "\tNA",
                                 "\t007",
                                 "\v1\f",
                                 "\xC2\xA0"
                                 "1",
                                 "\xC2\xA0NA\xE2\x80\x89",
                                 "\xE3\x80\x80"
                                 "007",
                                 "true",
                                 "T",
                                 "yes",
                                 " Y",
                                 "FALSE",
                                 "f",
                                 "No",
                                 "n",
                                 "\tyes",
                                 "on",
                                 "12%",
                                 "$9.50",
                                 "1 000",
                                 "- 1",
                                 "one",
                                 "café",
                                 "1\xC2\xA0"
                                 "000"};
    return all;
  }();
  return texts;
}

/// What SQL makes of one text.
std::optional<double> by_sql(const Database& database, const std::string& text, table::ColumnType wanted) {
  const Chunk row = database.first_rows("SELECT " + try_number_expression("c", wanted) + ", " +
                                        unmarked_text("c") + " FROM (SELECT " + sql_literal(text) + " AS c)");
  if (row.is_null(0, 0)) return std::nullopt;
  return row.number(0, 0);
}

void expect_same(std::optional<double> functions, std::optional<double> sql, const std::string& text) {
  ASSERT_EQ(functions.has_value(), sql.has_value()) << '\'' << text << '\'';
  if (!functions || (std::isnan(*functions) && std::isnan(*sql))) return;
  EXPECT_EQ(*functions, *sql) << '\'' << text << '\'';
}

TEST(TextValues, AreTheSameInMemoryAndInSql) {
  const Database database({});
  for (const std::string& text : odd_texts()) {
    const bool missing = table::marks_missing(text);
    const Chunk row = database.first_rows("SELECT " + unmarked_text("c") + " IS NULL, 1 FROM (SELECT " +
                                          sql_literal(text) + " AS c)");
    EXPECT_EQ(*static_cast<const bool*>(duckdb_vector_get_data(row.vector(0))), missing)
        << '\'' << text << '\'';
    const auto unless_missing = [&](std::optional<double> value) { return missing ? std::nullopt : value; };
    expect_same(unless_missing(table::read_number(text)), by_sql(database, text, table::ColumnType::number),
                text);
    expect_same(unless_missing(table::parse_boolean(text)),
                by_sql(database, text, table::ColumnType::boolean), text);
  }
}

TEST(TextValues, DecideTheSameColumnsToBeNumbers) {
  const Database database({});
  for (const std::string& text : odd_texts()) {
    const std::string relation = "(SELECT unnest(['3', 'NA', " + sql_literal(text) + "]) AS c)";
    const std::vector<TableColumn> column{{"c", table::ColumnType::text, "VARCHAR", 0, {}}};
    const bool number = table::marks_missing(text) || table::read_number(text).has_value();
    EXPECT_EQ(!find_text_numbers(database, relation, column, {0}, LeadingZeros::codes).empty(),
              number && !table::is_code(text))
        << '\'' << text << '\'';
    EXPECT_EQ(!find_text_numbers(database, relation, column, {0}, LeadingZeros::numbers).empty(), number)
        << '\'' << text << '\'';
  }
}

}  // namespace
}  // namespace kore::duckdb

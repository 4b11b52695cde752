#include "duckdb/sql.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "table/text_values.hpp"

namespace kore::duckdb {
namespace {

constexpr std::array<std::string_view, 11> whole_number_types{"TINYINT", "SMALLINT", "INTEGER",   "BIGINT",
                                                              "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
                                                              "UBIGINT", "UHUGEINT", "\"NULL\""};

bool is_whole_number(std::string_view sql_type) {
  return std::find(whole_number_types.begin(), whole_number_types.end(), sql_type) !=
         whole_number_types.end();
}

bool is_floating(std::string_view sql_type) { return sql_type == "DOUBLE" || sql_type == "FLOAT"; }

bool is_decimal(std::string_view sql_type) {
  return sql_type.starts_with("DECIMAL(") && sql_type.ends_with(")");
}

bool is_text(std::string_view sql_type) {
  return sql_type == "VARCHAR" || sql_type == "UUID" ||
         (sql_type.starts_with("ENUM(") && sql_type.ends_with(")"));
}

constexpr std::string_view seconds_per_day = "86400.0";

/// The value of a text, by CAST or TRY_CAST; NULL for a marker.
std::string text_as_number(std::string_view name, table::ColumnType wanted, std::string_view cast) {
  const std::string text = unmarked_text(name);
  switch (wanted) {
    case table::ColumnType::boolean:
      return fmt::format(
          "CASE WHEN lower({0}) IN ({1}) THEN 1.0::DOUBLE WHEN lower({0}) IN ({2}) THEN 0.0::DOUBLE END",
          text, sql_list(table::yes_words), sql_list(table::no_words));
    case table::ColumnType::date:
    case table::ColumnType::timestamp:
      return fmt::format("(epoch({}({} AS TIMESTAMP)) / {})", cast, text, seconds_per_day);
    case table::ColumnType::number:
    case table::ColumnType::text:
      break;
  }
  return fmt::format("{}({} AS DOUBLE)", cast, text);
}

}  // namespace

std::string sql_literal(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + '\'';
}

std::string sql_list(std::span<const std::string_view> texts) {
  std::string list;
  for (const std::string_view text : texts) list += (list.empty() ? "" : ", ") + sql_literal(text);
  return list;
}

std::string sql_list(const std::vector<std::string>& texts) {
  return sql_list(std::vector<std::string_view>(texts.begin(), texts.end()));
}

std::string as_sql(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string without_commas(std::string_view column) {
  return fmt::format("CAST(replace(replace({}, '.', ''), ',', '.') AS DOUBLE)", as_sql(column));
}

std::string without_signs(std::string_view column) {
  return fmt::format("CAST(regexp_replace({}, '[^0-9.-]', '', 'g') AS DOUBLE)", as_sql(column));
}

std::string sql_file(std::string_view path) {
  if (path.find("://") != std::string_view::npos) return sql_literal(path);  // '?' begins a query there
  std::string literal;
  for (const char c : path)
    literal += c == '*' || c == '?' || c == '[' ? std::string("[") + c + "]" : std::string(1, c);
  return sql_literal(literal);
}

std::string sql_files(const std::vector<std::string>& paths) {
  std::string list = "[";
  for (const std::string& path : paths) list += (list.size() > 1 ? ", " : "") + sql_file(path);
  return list + "]";
}

std::optional<table::ColumnType> column_type(std::string_view sql_type) {
  if (sql_type == "BOOLEAN") return table::ColumnType::boolean;
  if (sql_type == "DATE") return table::ColumnType::date;
  // An array of any type ends in brackets; the exact names below exclude those.
  constexpr std::array<std::string_view, 6> times{"TIMESTAMP",    "TIMESTAMP_S", "TIMESTAMP_MS",
                                                  "TIMESTAMP_NS", "TIME",        "TIMESTAMP WITH TIME ZONE"};
  if (std::find(times.begin(), times.end(), sql_type) != times.end()) return table::ColumnType::timestamp;
  if (is_whole_number(sql_type) || is_floating(sql_type) || is_decimal(sql_type))
    return table::ColumnType::number;
  if (is_text(sql_type)) return table::ColumnType::text;
  return std::nullopt;
}

std::string number_or_nan_expression(std::string_view name, std::string_view sql_type,
                                     table::ColumnType wanted) {
  const std::string column = as_sql(name);
  const auto type = column_type(sql_type);
  if (type == table::ColumnType::date || type == table::ColumnType::timestamp)
    return fmt::format("(epoch({}) / {})", column, seconds_per_day);
  if (type == table::ColumnType::text) return text_as_number(name, wanted, "CAST");
  return sql_type == "DOUBLE" ? column : fmt::format("CAST({} AS DOUBLE)", column);
}

std::string number_expression(std::string_view name, std::string_view sql_type, table::ColumnType wanted) {
  const std::string value = number_or_nan_expression(name, sql_type, wanted);
  const bool may_be_nan = is_floating(sql_type) || column_type(sql_type) == table::ColumnType::text;
  return may_be_nan ? fmt::format("CASE WHEN isnan({0}) THEN NULL ELSE {0} END", value) : value;
}

std::string try_number_expression(std::string_view name, table::ColumnType wanted) {
  return text_as_number(name, wanted, "TRY_CAST");
}

std::string unmarked_text(std::string_view name) {
  const std::string text = fmt::format("trim(CAST({} AS VARCHAR))", as_sql(name));
  return fmt::format("(CASE WHEN lower({0}) IN ({1}) THEN NULL ELSE {0} END)", text,
                     sql_list(table::missing_markers));
}

std::string text_expression(std::string_view name, std::string_view sql_type) {
  const std::string column = as_sql(name);
  if (sql_type == "VARCHAR") return column;
  if (!is_floating(sql_type) && !is_decimal(sql_type)) return fmt::format("CAST({} AS VARCHAR)", column);
  const std::string value = fmt::format("CAST({} AS DOUBLE)", column);
  // A number that fits an integer without loss is written as one; NaN is a missing value.
  return fmt::format(
      "CASE WHEN isnan({0}) THEN NULL WHEN {0} = trunc({0}) AND abs({0}) < 1e15 THEN CAST(CAST({0} AS "
      "BIGINT) AS VARCHAR) "
      "ELSE CAST({0} AS VARCHAR) END",
      value);
}

}  // namespace kore::duckdb

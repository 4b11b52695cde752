#include "export/sql_dialect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "kore/error.hpp"

namespace kore::portable {
namespace {

std::string quoted(std::string_view text, char quote) {
  std::string all(1, quote);
  for (const char c : text) {
    if (c == quote) all += quote;
    all += c;
  }
  return all + quote;
}

std::string hexadecimal(std::string_view text) {
  std::string all;
  for (const char c : text) all += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return all;
}

std::string joined_span(std::span<const std::string> parts, std::string_view with) {
  if (parts.size() == 1) return parts.front();
  const std::size_t half = parts.size() / 2;
  return fmt::format("({} {} {})", joined_span(parts.first(half), with), with,
                     joined_span(parts.subspan(half), with));
}

bool is_control(char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; }

/// For DuckDB, which has no escapes in texts.
std::string with_numbered_controls(std::string_view text) {
  std::string all;
  for (;;) {
    const auto control = std::ranges::find_if(text, is_control);
    const auto before = static_cast<std::size_t>(control - text.begin());
    all += quoted(text.substr(0, before), '\'');
    if (control == text.end()) return "(" + all + ")";
    all += fmt::format(" || chr({}) || ", static_cast<int>(*control));
    text.remove_prefix(before + 1);
  }
}

/// For PostgreSQL.
std::string escaped(std::string_view text) {
  std::string all = "E";
  for (const char c : quoted(text, '\''))
    all += c == '\\'       ? "\\\\"
           : is_control(c) ? fmt::format("\\{:03o}", static_cast<int>(c))
                           : std::string(1, c);
  return all;
}

}  // namespace

std::string_view word_for(SqlDialect dialect) {
  constexpr std::array<std::string_view, 4> words{"duckdb", "postgres", "sqlite", "spark"};
  return words.at(static_cast<std::size_t>(dialect));
}

SqlDialect dialect_named(std::string_view word) {
  for (const SqlDialect dialect :
       {SqlDialect::duckdb, SqlDialect::postgres, SqlDialect::sqlite, SqlDialect::spark})
    if (word_for(dialect) == word) return dialect;
  throw Error(ErrorCode::invalid_argument, "unknown_dialect",
              "'{dialect}' is not a dialect of SQL that KORE writes; it must be duckdb, postgres, sqlite or "
              "spark.",
              {{"dialect", word}});
}

std::string Dialect::number(double value) const {
  std::string digits = fmt::format("{}", value);
  if (of_ == SqlDialect::postgres) return "float8 '" + digits + "'";
  if (of_ == SqlDialect::spark)
    digits += "D";
  else if (digits.find('e') == std::string::npos)
    digits += "e0";  // without an exponent it would be a decimal
  return digits.front() == '-' ? "(" + digits + ")" : digits;
}

std::string Dialect::name(std::string_view text) const {
  if (text.empty() || text.find('\0') != std::string_view::npos)
    throw Error(ErrorCode::invalid_argument, "unusable_sql_name",
                "The name '{name}' cannot be written in SQL: it is empty or has a zero byte.",
                {{"name", text.substr(0, text.find('\0'))}});
  return quoted(text, of_ == SqlDialect::spark ? '`' : '"');
}

// A backslash means itself or an escape, as the settings of a database say; Spark puts variables in the place
// of "${...}"; and whoever reads or keeps the file may change the ends of lines. So such texts are written in
// a form that has one meaning everywhere.
std::string Dialect::text(std::string_view text) const {
  const bool controls = std::ranges::any_of(text, is_control);
  const bool backslash = text.find('\\') != std::string_view::npos;
  switch (of_) {
    case SqlDialect::duckdb:
      return controls ? with_numbered_controls(text) : quoted(text, '\'');
    case SqlDialect::sqlite:
      return controls ? "CAST(x'" + hexadecimal(text) + "' AS TEXT)" : quoted(text, '\'');
    case SqlDialect::spark:
      return controls || backslash || text.find_first_of("'$") != std::string_view::npos
                 ? "CAST(X'" + hexadecimal(text) + "' AS STRING)"
                 : quoted(text, '\'');
    case SqlDialect::postgres:
      break;
  }
  if (text.find('\0') != std::string_view::npos) return {};
  return controls || backslash ? escaped(text) : quoted(text, '\'');
}

std::string Dialect::as_double(const std::string& value) const {
  constexpr std::array<std::string_view, 4> types{"DOUBLE", "DOUBLE PRECISION", "REAL", "DOUBLE"};
  return fmt::format("CAST({} AS {})", value, types.at(static_cast<std::size_t>(of_)));
}

std::string Dialect::as_text(const std::string& value) const {
  constexpr std::array<std::string_view, 4> types{"VARCHAR", "TEXT", "TEXT", "STRING"};
  const std::string cast = fmt::format("CAST({} AS {})", value, types.at(static_cast<std::size_t>(of_)));
  return of_ == SqlDialect::sqlite ? cast + " COLLATE BINARY" : cast;
}

std::string Dialect::greatest(const std::vector<std::string>& values) const {
  return fmt::format("{}({})", of_ == SqlDialect::sqlite ? "max" : "greatest", fmt::join(values, ", "));
}

std::string Dialect::floor(const std::string& value) const {
  return of_ == SqlDialect::sqlite ? fmt::format("CAST(CAST({} AS INTEGER) AS REAL)", value)
                                   : as_double(fmt::format("floor({})", value));
}

std::string Dialect::floor_of_any(const std::string& value) const {
  if (of_ != SqlDialect::sqlite) return floor(value);
  const std::string whole = floor(value);  // towards zero
  return fmt::format("({} - ({} < {}))", whole, value, whole);
}

std::string Dialect::days(const std::string& column, InputKind kind) const {
  switch (of_) {
    case SqlDialect::duckdb:
      return fmt::format("(epoch({}) / 86400e0)", column);
    case SqlDialect::postgres:
      return fmt::format("(CAST(EXTRACT(EPOCH FROM {}) AS DOUBLE PRECISION) / float8 '86400')", column);
    case SqlDialect::sqlite:
      return fmt::format(
          "((CAST(strftime('%s', {0}) AS REAL) + (CAST(strftime('%f', {0}) AS REAL) - "
          "CAST(strftime('%S', {0}) AS REAL))) / 86400.0)",
          column);
    case SqlDialect::spark:
      break;
  }
  return kind == InputKind::date
             ? as_double(fmt::format("unix_date(CAST({} AS DATE))", column))
             : fmt::format("(CAST(unix_micros(CAST({} AS TIMESTAMP)) AS DOUBLE) / 1000000D / 86400D)",
                           column);
}

std::string Dialect::read_number(const std::string& column, InputKind kind) const {
  if (kind == InputKind::boolean)
    return fmt::format("CASE WHEN {0} THEN {1} WHEN NOT {0} THEN {2} END", column, number(1), number(0));
  if (kind == InputKind::date || kind == InputKind::timestamp) return days(column, kind);
  const std::string value = as_double(column);
  if (of_ == SqlDialect::sqlite) return value;  // it has no NaN
  return of_ == SqlDialect::postgres ? fmt::format("NULLIF({}, float8 'NaN')", value)
                                     : fmt::format("CASE WHEN isnan({0}) THEN NULL ELSE {0} END", value);
}

std::string joined(const std::vector<std::string>& parts, std::string_view with) {
  return joined_span(parts, with);
}

}  // namespace kore::portable

#pragma once

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kore::experiments {

/// A number with the fewest digits that still name it, written as Python writes a float: `0.001`, `5.3e-05`,
/// `14.0`. NaN is an empty text, as in the published files.
std::string number_field(double value);

/// One field of a row, as text, made from whatever a row is written with. Whole numbers have no decimal
/// point, truths are 0 and 1.
struct Field {
  Field(double value) : text(number_field(value)) {}
  Field(std::integral auto value) : text(std::to_string(value)) {}
  Field(bool value) : text(value ? "1" : "0") {}
  Field(std::string value) : text(std::move(value)) {}
  Field(const char* value) : text(value) {}

  std::string text;
};

using Row = std::vector<std::string>;
Row row_of(std::initializer_list<Field> fields);

/// A table of results. Fields are kept as the text of the file: a number read back has all its digits, and a
/// row that is already in a file stays as it is.
struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;

  bool has(std::string_view column) const;
  /// Position of a column. Throws `invalid_data` where there is none.
  std::size_t position(std::string_view column) const;
  const std::string& text(std::size_t row, std::string_view column) const;
  /// NaN where the field is empty. Throws `invalid_data` where it is not a number.
  double number(std::size_t row, std::string_view column) const;
};

std::string to_csv(const Table& table);
/// Throws `invalid_data`, naming `origin` and the line, where a line has another number of fields than the
/// first.
Table parse_csv(std::string_view text, const std::string& origin);

Table read_table(const std::filesystem::path& path);
/// Replaces the file as a whole or not at all.
void write_table(const std::filesystem::path& path, const Table& table);
void write_text(const std::filesystem::path& path, std::string_view text);

/// Rows of a table that belong together, and what they have in common.
struct Group {
  Row key;
  std::vector<std::size_t> rows;
};

/// Rows with equal fields in the given columns, in the order of their first appearance.
std::vector<Group> group_by(const Table& table, std::span<const std::string> columns);
std::vector<Group> group_by(const Table& table, std::initializer_list<std::string> columns);

/// The numbers of a column in the given rows, or in all.
std::vector<double> numbers(const Table& table, std::string_view column, std::span<const std::size_t> rows);
std::vector<double> numbers(const Table& table, std::string_view column);

}  // namespace kore::experiments

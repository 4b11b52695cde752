#include "experiments/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "base/atomic_file.hpp"
#include "kore/error.hpp"

namespace kore::experiments {
namespace {

bool needs_quotes(const std::string& field) { return field.find_first_of(",\"\n\r") != std::string::npos; }

std::string quoted(const std::string& field) {
  std::string result = "\"";
  for (const char c : field) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

void append_line(std::string& text, const Row& fields) {
  for (std::size_t c = 0; c < fields.size(); ++c) {
    if (c > 0) text += ',';
    text += needs_quotes(fields[c]) ? quoted(fields[c]) : fields[c];
  }
  text += '\n';
}

/// Takes the fields of one line from the front of `text`.
Row take_line(std::string_view& text) {
  Row fields(1);
  bool in_quotes = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (in_quotes) {
      if (c != '"')
        fields.back() += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        fields.back() += text[++i];
      else
        in_quotes = false;
    } else if (c == '"') {
      in_quotes = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      break;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  return fields;
}

}  // namespace

std::string number_field(double value) {
  if (std::isnan(value)) return "";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // Shortest digits as d.ddde+xx; Python places the point itself while the exponent lies in [-4, 16).
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string text(buffer.data(), end);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  if (exponent < -4 || exponent >= 16) return text;
  const bool negative = text[0] == '-';
  std::string digits;
  for (const char c : text.substr(0, e))
    if (c != '-' && c != '.') digits += c;
  if (exponent < 0) {
    digits = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() < whole) digits.append(whole - digits.size(), '0');
    digits = digits.substr(0, whole) + "." + (digits.size() > whole ? digits.substr(whole) : "0");
  }
  return negative ? "-" + digits : digits;
}

Row row_of(std::initializer_list<Field> fields) {
  Row row;
  for (const Field& field : fields) row.push_back(field.text);
  return row;
}

bool Table::has(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::size_t Table::position(std::string_view column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end())
    throw Error(ErrorCode::invalid_data, "A table of results has no column '" + std::string(column) + "'.");
  return static_cast<std::size_t>(found - columns.begin());
}

const std::string& Table::text(std::size_t row, std::string_view column) const {
  return rows[row][position(column)];
}

double Table::number(std::size_t row, std::string_view column) const {
  const std::string& field = text(row, column);
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, failure] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (failure != std::errc() || end != field.data() + field.size())
    throw Error(ErrorCode::invalid_data, "In the column '" + std::string(column) + "', row " +
                                             std::to_string(row) + " (counted from 0): '" + field +
                                             "' is not a number.");
  return value;
}

std::string to_csv(const Table& table) {
  std::string text;
  append_line(text, table.columns);
  for (const Row& row : table.rows) append_line(text, row);
  return text;
}

Table parse_csv(std::string_view text, const std::string& origin) {
  Table table;
  table.columns = take_line(text);
  for (std::size_t line = 2; !text.empty(); ++line) {
    table.rows.push_back(take_line(text));
    if (table.rows.back().size() != table.columns.size())
      throw Error(ErrorCode::invalid_data, "In " + origin + ", line " + std::to_string(line) + " has " +
                                               std::to_string(table.rows.back().size()) +
                                               " fields where the first line names " +
                                               std::to_string(table.columns.size()) + ".");
  }
  return table;
}

Table read_table(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return parse_csv({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "'" + path.string() + "'");
}

void write_table(const std::filesystem::path& path, const Table& table) { write_text(path, to_csv(table)); }

void write_text(const std::filesystem::path& path, std::string_view text) {
  write_atomically(path, std::as_bytes(std::span(text.data(), text.size())));
}

std::vector<Group> group_by(const Table& table, std::span<const std::string> columns) {
  std::vector<std::size_t> positions;
  for (const std::string& column : columns) positions.push_back(table.position(column));
  std::vector<Group> groups;
  std::map<Row, std::size_t> known;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Row key;
    for (const std::size_t position : positions) key.push_back(table.rows[r][position]);
    const auto [entry, is_new] = known.emplace(key, groups.size());
    if (is_new) groups.push_back({std::move(key), {}});
    groups[entry->second].rows.push_back(r);
  }
  return groups;
}

std::vector<Group> group_by(const Table& table, std::initializer_list<std::string> columns) {
  return group_by(table, std::span(columns.begin(), columns.size()));
}

std::vector<double> numbers(const Table& table, std::string_view column, std::span<const std::size_t> rows) {
  std::vector<double> values;
  for (const std::size_t row : rows) values.push_back(table.number(row, column));
  return values;
}

std::vector<double> numbers(const Table& table, std::string_view column) {
  std::vector<std::size_t> rows(table.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return numbers(table, column, rows);
}

}  // namespace kore::experiments

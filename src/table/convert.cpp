#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "kore/error.hpp"
#include "table/frame.hpp"
#include "table/text_values.hpp"

namespace kore::table {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double seconds_per_day = 86400;
constexpr double microseconds_per_second = 1e6;
constexpr double most_days = 2'900'000;  // the year 9909
/// Whole numbers below this are written without a fraction or an exponent.
constexpr double largest_plain = 1e15;

std::string number_text(double value) {
  if (value == std::trunc(value) && std::abs(value) < largest_plain)
    return fmt::format("{}", static_cast<std::int64_t>(value));
  const std::string text = fmt::format("{}", value);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

/// As DuckDB writes a time: microseconds without the zeros at their end. The days of our time resolve them.
std::string time_text(double days, bool with_time) {
  using std::chrono::microseconds;
  // Beyond these there are no years of four digits, and microseconds do not fit into 64 bits.
  if (!(std::abs(days) < most_days)) return number_text(days);
  const std::chrono::sys_time<microseconds> time{
      microseconds{std::llround(days * seconds_per_day * microseconds_per_second)}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()));
  if (!with_time) return text;
  const std::chrono::hh_mm_ss clock{time - day};
  std::string fraction = fmt::format(".{:06}", clock.subseconds().count());
  fraction.resize(fraction.find_last_not_of("0") + 1);
  return fmt::format("{} {:02}:{:02}:{:02}{}", text, clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count(), fraction == "." ? "" : fraction);
}

std::string text_of(double value, ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return value != 0 ? "true" : "false";
    case ColumnType::date:
      return time_text(value, false);
    case ColumnType::timestamp:
      return time_text(value, true);
    default:
      return number_text(value);
  }
}

/// Which texts of the dictionary occur in a row.
std::vector<bool> occurring(const Column& column) {
  std::vector<bool> found(column.dictionary.size());
  for (const std::int32_t code : column.codes)
    if (code >= 0) found[static_cast<std::size_t>(code)] = true;
  return found;
}

}  // namespace

Column as_texts(const Column& column, std::size_t rows) {
  if (column.is_text()) return column;
  TextPool pool;
  pool.reserve(rows);
  // Values repeat, so the text of a number is made only once.
  std::unordered_map<double, std::int32_t> places;
  for (std::size_t row = 0; row < rows; ++row) {
    const double value = column.numbers[row];
    if (std::isnan(value)) {
      pool.add_missing();
      continue;
    }
    const auto known = places.find(value);
    const std::int32_t place =
        known != places.end() ? known->second : pool.place_of(text_of(value, column.type));
    if (known == places.end()) places.emplace(value, place);
    pool.add_place(place);
  }
  return TextPool::finish(std::move(pool), column.name);
}

Column as_numbers(const Column& column, ColumnType wanted, std::size_t rows) {
  if (!column.is_text()) return column;
  const std::vector<bool> occurs = occurring(column);
  std::vector<double> meaning(column.dictionary.size(), missing);
  for (std::size_t d = 0; d < meaning.size(); ++d) {
    const std::string_view text = column.dictionary[d];
    if (!occurs[d] || marks_missing(text)) continue;
    const auto value = wanted == ColumnType::boolean  ? parse_boolean(text)
                       : wanted == ColumnType::number ? read_number(text)
                                                      : std::nullopt;
    if (!value)
      throw Error(ErrorCode::invalid_data, "unexpected_text",
                  "Column '{column}' holds the text '{text}', but the model needs {kind} there.",
                  {{"column", column.name},
                   {"text", text},
                   {"kind", wanted == ColumnType::number    ? "numbers"
                            : wanted == ColumnType::boolean ? "true or false"
                                                            : "dates or times"}});
    meaning[d] = *value;
  }
  std::vector<double> values(rows, missing);
  for (std::size_t row = 0; row < rows; ++row)
    if (column.codes[row] >= 0) values[row] = meaning[static_cast<std::size_t>(column.codes[row])];
  return owned_numbers(column.name, wanted, std::move(values));
}

}  // namespace kore::table

#include "story/column_text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "story/text.hpp"

namespace kore::story {
namespace {

constexpr double milliseconds_per_day = 86'400'000;

}  // namespace

std::string column_text(const table::EncodedColumn& column, double value) {
  switch (column.type) {
    case table::ColumnType::boolean:
      return value > 0.5 ? "true" : "false";
    case table::ColumnType::date:
    case table::ColumnType::timestamp:
      break;
    default:
      // Four digits may be a year, which has no comma.
      return std::abs(value) < 1e4 ? fmt::format("{:.4g}", value) : short_number(value);
  }
  if (!(std::abs(value) <= 1e6)) return short_number(value) + " days";
  // A minute is rarely a short fraction of a day, so cutting off would often print the one before.
  // Rounding to more than the error of such a fraction would print the one after, in a minute's last second.
  using std::chrono::milliseconds;
  const std::chrono::sys_time<milliseconds> time{milliseconds{std::llround(value * milliseconds_per_day)}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::string text =
      fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()));
  if (column.type == table::ColumnType::date) return text;
  const auto minutes = std::chrono::floor<std::chrono::minutes>(time - day).count();
  return text + fmt::format(" {:02}:{:02}", minutes / 60, minutes % 60);
}

std::string column_text(const table::TableModel& fitted, const table::EncodedColumn& column, double value) {
  if (column.type != table::ColumnType::boolean) return column_text(column, value);
  const table::BooleanWords words = fitted.facts.words_of(column.name);
  return value > 0.5 ? words.yes : words.no;
}

}  // namespace kore::story

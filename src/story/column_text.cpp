#include "story/column_text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "story/text.hpp"

namespace kore::story {

std::string column_text(const table::EncodedColumn& column, double value) {
  switch (column.type) {
    case table::ColumnType::boolean:
      return value > 0.5 ? "true" : "false";
    case table::ColumnType::date:
    case table::ColumnType::timestamp:
      break;
    default:
      return short_number(value);
  }
  const double day = std::floor(value);
  if (std::abs(day) > 1e6) return short_number(value) + " days";
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{static_cast<int>(day)}}};
  const std::string text =
      fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()));
  if (column.type == table::ColumnType::date) return text;
  const int minutes = static_cast<int>((value - day) * 24 * 60);
  return text + fmt::format(" {:02}:{:02}", minutes / 60, minutes % 60);
}

}  // namespace kore::story

#pragma once

#include <utility>

#include "kore/encoding.hpp"
#include "table/text_values.hpp"

namespace kore::table {

/// Adds a level of a category and what its text looks like to a summary.
inline void count_level(ColumnSummary& summary, Level level) {
  ++summary.distinct;
  if (parse_number(level.value))
    summary.numeric_texts += level.rows;
  else if (summary.odd_text.empty() || level.value < summary.odd_text)
    summary.odd_text = level.value;
  if (is_formatted_number(level.value)) {
    summary.formatted_texts += level.rows;
    if (summary.formatted_text.empty() || level.value < summary.formatted_text)
      summary.formatted_text = level.value;
  }
  summary.levels.push_back(std::move(level));
}

}  // namespace kore::table

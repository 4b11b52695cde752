#pragma once

#include <utility>

#include "kore/encoding.hpp"
#include "table/text_values.hpp"

namespace kore::table {

/// Adds a level of a category and what its text looks like to a summary.
inline void count_level(ColumnSummary& summary, Level level) {
  // The first in the order of texts, so that the order of the levels does not matter.
  const auto keep_example = [&level](std::string& example) {
    if (example.empty() || level.value < example) example = level.value;
  };
  ++summary.distinct;
  if (parse_number(level.value)) {
    summary.numeric_texts += level.rows;
    if (is_code(level.value)) keep_example(summary.code_text);
  } else {
    keep_example(summary.odd_text);
  }
  if (is_formatted_number(level.value)) {
    summary.formatted_texts += level.rows;
    keep_example(summary.formatted_text);
  }
  summary.levels.push_back(std::move(level));
}

}  // namespace kore::table

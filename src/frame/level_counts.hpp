#pragma once

#include <utility>

#include "data/encoding/numbers.hpp"
#include "kore/encoding.hpp"

namespace kore::frame {

/// Adds a level of a category and what its text looks like to a summary.
inline void count_level(data::ColumnSummary& summary, data::Level level) {
  ++summary.distinct;
  if (data::parse_number(level.value))
    summary.numeric_texts += level.rows;
  else if (summary.odd_text.empty() || level.value < summary.odd_text)
    summary.odd_text = level.value;
  if (data::is_formatted_number(level.value)) {
    summary.formatted_texts += level.rows;
    if (summary.formatted_text.empty() || level.value < summary.formatted_text)
      summary.formatted_text = level.value;
  }
  summary.levels.push_back(std::move(level));
}

}  // namespace kore::frame

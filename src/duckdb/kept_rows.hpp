#pragma once

#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/scoring.hpp"

namespace kore::duckdb {

/// Chunks as they came from the input; the columns to keep stand at the end of each.
class KeptRows {
 public:
  std::vector<Chunk> chunks;
  std::size_t first_column = 0;  ///< Of the columns to keep.
};

}  // namespace kore::duckdb

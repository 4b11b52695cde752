#pragma once

#include <vector>

#include "data/duck/database.hpp"
#include "data/scoring.hpp"

namespace kore::data {

/// Chunks as they came from the input; the columns to keep stand at the end of each.
class KeptRows {
 public:
  std::vector<Chunk> chunks;
  std::size_t first_column = 0;  ///< Of the columns to keep.
};

}  // namespace kore::data

#pragma once

#include <cstddef>
#include <span>

namespace kore {

// A block of many rows is cut into parts that add to sums of their own, so that threads need not wait for
// each other. How many parts there are depends on the rows and on the size of the sums, never on the threads:
// so the sums have the same bits on any number of threads.

inline constexpr std::size_t most_parts = 4;  // of a block

/// 1, or 2, or 4: doubled while `worth_it(count)` says that so many parts pay.
template <class WorthIt>
std::size_t count_parts(const WorthIt& worth_it) {
  std::size_t count = 1;
  while (2 * count <= most_parts && worth_it(2 * count)) count *= 2;
  return count;
}

struct PartOfRows {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The rows of the given part when `rows` rows are cut into `parts` parts of nearly equal size.
inline PartOfRows part_of_rows(std::size_t rows, std::size_t part, std::size_t parts) {
  const std::size_t first = rows * part / parts;
  return {first, rows * (part + 1) / parts - first};
}

/// `sum += more`, entry by entry.
inline void add_to(std::span<double> sum, std::span<const double> more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace kore

#include "kore/criteria.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace kore {
namespace {

/// A number in `[0, highest]` as NumPy's legacy generator draws it: 32-bit outputs cut to the bits of
/// `highest`, rejected while they exceed it. Nothing is drawn for `highest = 0`.
std::uint32_t draw_up_to(std::uint32_t highest, std::mt19937& generator) {
  if (highest == 0) return 0;
  const std::uint32_t mask = std::numeric_limits<std::uint32_t>::max() >> std::countl_zero(highest);
  for (;;) {
    const auto value = static_cast<std::uint32_t>(generator()) & mask;
    if (value <= highest) return value;
  }
}

}  // namespace

std::vector<std::vector<std::size_t>> shuffled_folds(std::size_t rows, int folds, std::uint32_t seed) {
  if (folds < 2 || static_cast<std::size_t>(folds) > rows) {
    throw Error(ErrorCode::invalid_argument, "bad_fold_count",
                "{rows} rows cannot be cut into {folds} folds; give at least 2 folds, none empty.",
                {{"rows", rows}, {"folds", folds}});
  }
  if (rows - 1 > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::invalid_argument, "too_many_rows",
                "Shuffled folds number the rows in 32 bits; use at most 2^32 rows for cross-validation.");
  }
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 generator(seed);
  for (std::size_t last = rows - 1; last > 0; --last) {
    std::swap(order[last], order[draw_up_to(static_cast<std::uint32_t>(last), generator)]);
  }
  std::vector<std::vector<std::size_t>> tests;
  const auto count = static_cast<std::size_t>(folds);
  auto begin = order.begin();
  for (std::size_t fold = 0; fold < count; ++fold) {
    const auto length = rows / count + (fold < rows % count ? 1 : 0);
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    std::sort(begin, end);
    tests.emplace_back(begin, end);
    begin = end;
  }
  return tests;
}

}  // namespace kore

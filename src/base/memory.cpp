#include "base/memory.hpp"

#include <cmath>

#include "base/system.hpp"

namespace kore {

std::uint64_t available_memory() {
  constexpr std::uint64_t where_unknown = std::uint64_t{8} << 30;
  return system::physical_memory().value_or(where_unknown);
}

std::uint64_t default_memory_limit() { return available_memory() / 2; }

std::size_t columns_in_memory(std::uint64_t bytes) {
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(bytes) / fit_bytes_per_squared_column));
}

}  // namespace kore

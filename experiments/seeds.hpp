#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace kore::experiments {

/// The seed all randomness of the paper comes from.
inline constexpr std::uint64_t kMasterSeed = 2026;

/// The data seed of one cell of an experiment: the numbers that name the cell, folded into the master seed
/// (paper, appendix "Exact experimental protocol"). Below 2^31.
std::uint64_t cell_seed(std::span<const std::uint64_t> parts);
inline std::uint64_t cell_seed(std::initializer_list<std::uint64_t> parts) {
  return cell_seed(std::span(parts.begin(), parts.size()));
}

/// The number that stands for a benchmark in its cells' seeds, computed from its name. Below 2^31.
std::uint64_t benchmark_id(std::string_view name);

}  // namespace kore::experiments

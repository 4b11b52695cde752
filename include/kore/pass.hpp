#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kore/rows.hpp"

namespace kore {

/// What a cluster must know about a pass to provide memory for it.
struct PassFacts {
  std::string kind;                  ///< "gram", "press", ...
  std::size_t features = 0;          ///< Columns of the rows it reads.
  std::vector<std::size_t> columns;  ///< Columns of each fit that it is part of.
  std::size_t result_bytes = 0;      ///< An approximate upper bound of the size of `serialize()`.
};

/// A sum over rows that can be computed anywhere. A pass describes itself as bytes (its task); another
/// process makes an empty pass from the task, adds its own rows, and sends back the sums, which are merged.
/// So a fit does not depend on whether its rows are in memory, in a file or on other machines.
class Pass {
 public:
  Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  virtual ~Pass() = default;

  virtual void add(const RowBlock& block, int threads) = 0;
  /// The sums so far, as bytes.
  virtual std::vector<std::byte> serialize() const = 0;
  /// Adds the sums that another pass with the same task has serialised. Throws `corrupt_file` for other
  /// bytes.
  virtual void merge(std::span<const std::byte> result) = 0;
  /// Bytes from which `pass_from_task` makes an empty pass like this one.
  virtual std::vector<std::byte> task() const = 0;
  virtual PassFacts facts() const = 0;
};

/// Throws `corrupt_file` or `unsupported_version` for bytes that are not a task, and `corrupt_file` for one
/// whose sums take more than `most_bytes`. A few bytes can ask for any amount of memory; without a number it
/// is all that this machine, or the container that the process runs in, has.
std::unique_ptr<Pass> pass_from_task(std::span<const std::byte> task,
                                     std::optional<std::uint64_t> most_bytes = {});

}  // namespace kore

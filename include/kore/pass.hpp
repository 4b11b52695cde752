#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kore/rows.hpp"

namespace kore {

/// What somebody who has to make room for a pass wants to know of it.
struct PassFacts {
  std::string kind;                  ///< "gram", "press", ...
  std::size_t features = 0;          ///< Columns of the rows it reads.
  std::vector<std::size_t> columns;  ///< Of each of the fits it works for.
  std::size_t result_bytes = 0;      ///< About as many as `serialize` gives, at most.
};

/// A sum over rows that can be added up anywhere: described as bytes, made again from them where rows are,
/// and merged. Between a model and its rows stand passes alone, so that rows may be in memory, in a file or
/// on other machines.
class Pass {
 public:
  Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  virtual ~Pass() = default;

  virtual void add(const RowBlock& block, int threads) = 0;
  /// What was added up so far.
  virtual std::vector<std::byte> serialize() const = 0;
  /// Adds what a pass with the same task has added up. Throws `corrupt_file` for anything else.
  virtual void merge(std::span<const std::byte> result) = 0;
  /// Bytes from which `pass_from_task` makes a pass like this one that has seen no rows.
  virtual std::vector<std::byte> task() const = 0;
  virtual PassFacts facts() const = 0;
};

/// Throws `corrupt_file` or `unsupported_version` for bytes that are not a task.
std::unique_ptr<Pass> pass_from_task(std::span<const std::byte> task);

}  // namespace kore

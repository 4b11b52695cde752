#pragma once

#include <string>
#include <string_view>

#include "base/unfinished_files.hpp"

namespace kore::duckdb {

/// "-" and /dev/stdin: the standard input in place of a file.
bool is_standard_input(std::string_view text);

/// The standard input as a file that can be read more than once. The file is removed with the object, and on
/// a signal.
class SpooledInput {
 public:
  /// Reads it to its end. Throws `io` where it cannot be read or kept.
  SpooledInput();
  ~SpooledInput();
  SpooledInput(const SpooledInput&) = delete;
  SpooledInput& operator=(const SpooledInput&) = delete;

  const std::string& path() const { return path_; }

 private:
  void copy();

  std::string path_;
  UnfinishedFile unfinished_;
};

}  // namespace kore::duckdb

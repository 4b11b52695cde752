#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/system.hpp"
#include "base/unfinished_files.hpp"

namespace kore::duckdb {

/// "-" and /dev/stdin: the standard input in place of a file.
bool is_standard_input(std::string_view text);

/// A pipe that is open already, such as the shell's <(command): /dev/fd/63.
bool is_open_pipe(std::string_view text);

/// The standard input, or a pipe, as a file that can be read more than once. The file has no name where the
/// system has such files, so that nothing is left however the process ends; otherwise it is removed with the
/// object, and on a signal.
class SpooledInput {
 public:
  /// Reads it to its end. Throws `io` where it cannot be read or kept.
  SpooledInput();
  explicit SpooledInput(const std::string& pipe);
  ~SpooledInput();
  SpooledInput(const SpooledInput&) = delete;
  SpooledInput& operator=(const SpooledInput&) = delete;

  const std::string& path() const { return path_; }

 private:
  void copy(int from);

  system::Descriptor unnamed_;
  std::string path_;
  std::optional<UnfinishedFile> named_;
};

}  // namespace kore::duckdb

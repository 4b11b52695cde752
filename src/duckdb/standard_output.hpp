#pragma once

#include <string>
#include <thread>

#include "base/system.hpp"

namespace kore::duckdb {

/// The standard output under a name that can be opened like a file. Opening /dev/stdout itself would
/// overwrite a file that it is redirected to from the beginning.
class StandardOutput {
 public:
  StandardOutput();
  ~StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  /// Where to write.
  std::string path() const;
  /// Waits until everything has been passed on. Throws `io` where that failed.
  void finish();

 private:
  void pass_on();

  system::Pipe pipe_;
  int failure_ = 0;  ///< The error of the system, once the thread has ended.
  std::thread thread_;
};

}  // namespace kore::duckdb

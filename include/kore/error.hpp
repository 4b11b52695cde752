#pragma once

#include <stdexcept>
#include <string>

namespace kore {

/// Why an operation was refused. Fronts map these to exit codes and Python exceptions.
enum class ErrorCode {
  invalid_argument,       ///< An option is out of range or options contradict each other.
  invalid_data,           ///< The data hold something no model can use (NaN, mismatched lengths, ...).
  too_few_rows,           ///< Fewer rows than the smallest model needs.
  out_of_range,           ///< A prediction outside the training range where that was forbidden.
  not_positive_definite,  ///< The normal equations have no unique solution.
  corrupt_file,           ///< Bytes that are not, or no longer, what we wrote.
  unsupported_version,    ///< Written by a newer version that this one cannot read.
  io,                     ///< The operating system refused to read or write.
};

/// The one exception of the library. `what()` is a sentence for people: what is wrong, where, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace kore

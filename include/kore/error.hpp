#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kore/message.hpp"

namespace kore {

/// Why an operation was refused. Fronts map these to exit statuses and Python exceptions.
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

/// The one exception of the library: a code, and a message with a reason and named arguments. `what()` is its
/// sentence in words that fit every front; a front may word the message itself (see `Message::fill`).
class Error : public std::exception {
 public:
  Error(ErrorCode code, Message message) : code_(code), message_(std::move(message)) {}
  Error(ErrorCode code, std::string_view reason, std::string_view pattern,
        std::vector<Argument> arguments = {})
      : Error(code, Message(reason, pattern, std::move(arguments))) {}
  /// A sentence that no front words differently.
  Error(ErrorCode code, std::string_view sentence) : Error(code, Message("", sentence)) {}

  ErrorCode code() const noexcept { return code_; }
  const Message& message() const noexcept { return message_; }
  const std::string& reason() const noexcept { return message_.reason(); }
  const char* what() const noexcept override { return message_.sentence().c_str(); }

 private:
  ErrorCode code_;
  Message message_;
};

}  // namespace kore

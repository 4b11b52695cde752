#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "kore/error.hpp"

/// What tables are refused for, as exceptions.
namespace kore::table {

/// Throws `invalid_data` with a message of this reason (see `Message`).
[[noreturn]] inline void refuse_data(std::string_view reason, std::string_view pattern,
                                     std::vector<Argument> arguments = {}) {
  throw Error(ErrorCode::invalid_data, reason, pattern, std::move(arguments));
}

[[noreturn]] inline void refuse_infinity(std::string_view column) {
  refuse_data("infinite_value", "Column '{column}' contains infinity. Correct it, or make the value missing.",
              {{"column", column}});
}

}  // namespace kore::table

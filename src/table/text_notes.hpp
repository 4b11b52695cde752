#pragma once

#include <cstdint>
#include <string>

#include "kore/message.hpp"

namespace kore::table {

/// A column of texts is read as numbers, and `marked` of its rows, with texts such as `marker`, as missing.
Message texts_as_numbers_note(const std::string& column, const std::string& marker = {},
                              std::uint64_t marked = 0);

}  // namespace kore::table

#pragma once

#include <string>
#include <string_view>

/// Names as they appear in sentences for people.
namespace kore::table {

inline std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace kore::table

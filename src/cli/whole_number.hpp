#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace kore::cli {

/// For an option that takes a whole number of this range. What is refused is named, with what it may be.
inline CLI::Validator whole_number(std::int64_t lowest, std::int64_t highest) {
  const auto fault = [lowest, highest](std::string& text) -> std::string {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && value >= lowest && value <= highest) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, lowest, highest);
  };
  return {fault, fmt::format("INT in [{} - {}]", lowest, highest)};
}

}  // namespace kore::cli

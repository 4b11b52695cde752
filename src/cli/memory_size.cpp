#include "cli/memory_size.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "kore/error.hpp"

namespace kore::cli {
namespace {

constexpr double least_memory =
    32e6;  // a quarter of it is just enough for the smallest buffers of a text file

constexpr double most_memory = 1e15;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Bytes in one "MB", "GiB" and so on. CLI11 knows the units, but multiplies whole numbers by them only, and
/// people write 1.5GB: so it is asked for one of each unit.
std::optional<double> bytes_in(const std::string& unit) {
  if (!std::ranges::all_of(unit, is_letter)) return std::nullopt;
  constexpr bool kb_is_1000 = true;
  std::string one = "1" + unit;
  try {
    if (!CLI::AsSizeValue(kb_is_1000)(one).empty()) return std::nullopt;
  } catch (const CLI::ValidationError&) {  // an unknown unit
    return std::nullopt;
  }
  return std::stod(one);
}

}  // namespace

std::uint64_t parse_memory_size(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::optional<double> unit = bytes_in(CLI::detail::trim_copy(end));
  const double bytes = number * unit.value_or(0);
  if (end != text.c_str() && bytes > most_memory)
    throw Error(ErrorCode::invalid_argument, "bad_memory_limit",
                "The memory limit is '{size}'; it must be at most 1000TB, such as 800MB or 2GB.",
                {{"size", text}});
  if (end == text.c_str() || !(bytes >= least_memory))
    throw Error(ErrorCode::invalid_argument, "bad_memory_limit",
                "The memory limit is '{size}'; it must be a size of at least 32MB, such as 800MB or 2GB.",
                {{"size", text}});
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace kore::cli

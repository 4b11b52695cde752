#include "base/control_group.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace kore::system {
namespace {

namespace fs = std::filesystem;

/// Version 1 writes a number near 2^63 where there is no limit, version 2 the word "max".
constexpr std::uint64_t no_limit = std::uint64_t{1} << 60;

std::optional<std::uint64_t> limit_in(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  if (!(in >> text)) return std::nullopt;
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc() || end != text.data() + text.size() || bytes >= no_limit) return std::nullopt;
  return bytes;
}

/// The smallest limit from a group up to the root. Inside a container the path of the group may not be
/// visible; its own files then stand at the root.
std::optional<std::uint64_t> smallest_limit(const fs::path& root, fs::path group, const char* file) {
  std::optional<std::uint64_t> smallest;
  for (;;) {
    if (const auto limit = limit_in(root / group / file))
      smallest = std::min(smallest.value_or(*limit), *limit);
    if (group.empty()) return smallest;
    group = group.parent_path();
  }
}

}  // namespace

std::optional<std::uint64_t> control_group_limit(const fs::path& membership, const fs::path& root) {
  // Lines such as "4:memory:/docker/1234" in version 1 and "0::/user.slice" in version 2.
  std::ifstream in(membership);
  std::optional<std::uint64_t> smallest;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    std::optional<std::uint64_t> limit;
    if (controllers == ",,") limit = smallest_limit(root, group, "memory.max");
    if (controllers.find(",memory,") != std::string::npos)
      limit = smallest_limit(root / "memory", group, "memory.limit_in_bytes");
    if (limit) smallest = std::min(smallest.value_or(*limit), *limit);
  }
  return smallest;
}

}  // namespace kore::system

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace kore::system {

/// The least memory, in bytes, that the control groups of this process allow (Linux, versions 1 and 2):
/// containers and services are limited so. A group is limited by those around it too. `membership` says which
/// groups the process is in (`/proc/self/cgroup`), and `root` is where groups are mounted. Nothing where
/// there is no limit.
std::optional<std::uint64_t> control_group_limit(const std::filesystem::path& membership,
                                                 const std::filesystem::path& root);

}  // namespace kore::system

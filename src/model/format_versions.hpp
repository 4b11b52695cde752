#pragma once

#include <cstdint>

namespace kore {

// The content of a model file is a list of named sections. A reader skips names it does not know, so that a
// later version can add sections and this one still reads the file. A change to the meaning of an existing
// section raises the version.
inline constexpr std::uint32_t format_version = 5;
inline constexpr std::uint32_t version_of_cyclic = 5;
inline constexpr std::uint32_t version_of_families = 4;
inline constexpr std::uint32_t version_of_scales = 3;
inline constexpr std::uint32_t version_of_identity = 2;  // since 2 features may be categories and have warps

}  // namespace kore

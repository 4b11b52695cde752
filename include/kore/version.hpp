#pragma once

namespace kore {

/// The version of the library; the build checks that it is the project's.
inline constexpr const char* version = "0.2.0";

}  // namespace kore

#pragma once

#include <string>
#include <string_view>

namespace kore::cli {

/// What `--help` says of one of the engine's options: its sentence, its range and its defaults.
std::string option_help(std::string_view option);

}  // namespace kore::cli

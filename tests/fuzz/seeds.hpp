#pragma once

#include <map>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace kore::fuzz {

/// What each target starts from, by its name: small real fits of both profiles and of every family, what
/// passes send of every kind, options and tables.
std::map<std::string, std::vector<Bytes>> make_seeds();

}  // namespace kore::fuzz

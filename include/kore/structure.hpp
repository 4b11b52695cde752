#pragma once

namespace kore {

/// Main effects alone, with interactions of two features, or also of three.
enum class Structure { additive, pairwise, threeway };
const char* to_string(Structure structure);

}  // namespace kore

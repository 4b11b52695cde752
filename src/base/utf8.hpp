#pragma once

#include <string_view>

namespace kore {

/// Whether a text is UTF-8: no stray or missing bytes, no longer forms than needed, no surrogates, nothing
/// beyond U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace kore

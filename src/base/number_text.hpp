#pragma once

#include <array>
#include <charconv>
#include <string>

namespace kore {

/// A number for a sentence, with the fewest digits that still name it: 0.1, 1e-300. (std::to_string would say
/// 0.000000 for the latter.)
inline std::string number_text(double value) {
  std::array<char, 32> buffer{};  // the longest takes 24
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace kore

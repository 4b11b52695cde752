#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace kore {
namespace {

/// How many bytes follow the first one of a character, and the smallest character that needs so many; -1 for
/// a byte that begins none.
struct Lead {
  int following = -1;
  std::uint32_t smallest = 0;
  std::uint32_t bits = 0;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {0, 0, byte};
  if (byte >= 0xC0 && byte < 0xE0) return {1, 0x80, byte & 0x1FU};
  if (byte >= 0xE0 && byte < 0xF0) return {2, 0x800, byte & 0x0FU};
  if (byte >= 0xF0 && byte < 0xF8) return {3, 0x10000, byte & 0x07U};
  return {};
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[at++]));
    std::uint32_t character = lead.bits;
    if (lead.following < 0 || text.size() - at < static_cast<std::size_t>(lead.following)) return false;
    for (int i = 0; i < lead.following; ++i) {
      const auto byte = static_cast<unsigned char>(text[at++]);
      if ((byte & 0xC0U) != 0x80) return false;
      character = (character << 6U) | (byte & 0x3FU);
    }
    const bool surrogate = character >= 0xD800 && character < 0xE000;
    if (character < lead.smallest || character > 0x10FFFF || surrogate) return false;
  }
  return true;
}

}  // namespace kore

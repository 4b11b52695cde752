#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kore {
namespace {

/// A character by the rule of the standard, written out.
std::string encoded(std::uint32_t c) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 63))};
  if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)),
          byte(0x80 | (c & 63))};
}

TEST(Utf8, IsEveryCharacterButSurrogates) {
  for (std::uint32_t c = 0; c <= 0x110000; c += c < 0x3000 ? 1 : 61)
    EXPECT_EQ(is_utf8("a" + encoded(c) + "z"), c <= 0x10FFFF && (c < 0xD800 || c >= 0xE000)) << c;
}

TEST(Utf8, IsNothingElse) {
  for (const std::string text : {"\x80", "\xC3", "\xC3(", "\xC0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80",
                                 "\xFF", "\xE2\x82", "gr\xF6\xDF e"})
    EXPECT_FALSE(is_utf8(text)) << text;
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("größe 価格 🙂"));
}

}  // namespace
}  // namespace kore

#pragma once

#include <cstddef>
#include <vector>

#include "base/bytes.hpp"
#include "kore/design.hpp"
#include "kore/error.hpp"

namespace kore {

/// A design as bytes; two designs are the same if their bytes are. Reading throws `corrupt_file` for what
/// cannot be a design.
void write(ByteWriter& out, const Design& design);
Design read_design(ByteReader& in);
std::vector<std::byte> design_bytes(const Design& design);
/// The same of a design of parts (`Design::of_parts`), whose features and degree are those of another one.
void write_parts(ByteWriter& out, const Design& parts);
Design read_parts(ByteReader& in, const Design& of);

/// A choice written as a byte. Throws `corrupt_file` beyond `last`.
template <class Enum>
Enum enum_of(std::uint8_t value, Enum last) {
  if (value > static_cast<std::uint8_t>(last))
    throw Error(ErrorCode::corrupt_file, "unknown_choice",
                "The KORE model holds a choice that does not exist.");
  return static_cast<Enum>(value);
}
template <class Enum>
Enum read_enum(ByteReader& in, Enum last) {
  return enum_of(in.u8(), last);
}

}  // namespace kore

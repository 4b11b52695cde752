#pragma once

#include "base/bytes.hpp"
#include "kore/encoding.hpp"

namespace kore::table {

/// Appends an encoding, with its format version first, for a section of a model file.
void write(ByteWriter& out, const Encoding& encoding);

/// Throws `corrupt_file` for anything that `write` cannot have written, `unsupported_version` for a newer
/// format.
Encoding read_encoding(ByteReader& in);

}  // namespace kore::table

#pragma once

#include "base/bytes.hpp"
#include "kore/decomposition.hpp"

namespace kore {

/// A section of its own, for models were written before there was one, and those without interactions have
/// none: the purified effects.
void write_purified(ByteWriter& out, const Decomposition& purified);
/// Throws `corrupt_file` where the numbers do not belong to each other or to the design of the model.
Decomposition read_purified(ByteReader& in, const Design& fitted);

}  // namespace kore

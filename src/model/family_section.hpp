#pragma once

#include "base/bytes.hpp"
#include "kore/model.hpp"

namespace kore {

/// The family of a model other than the normal one, and how well its distribution fits left-out rows. A
/// reader that does not know this section would predict on the scale of the link, so files with it are of a
/// newer version.
void write_family(ByteWriter& out, const Model& model);
void read_family(ByteReader& in, Model& model);

}  // namespace kore

#pragma once

#include "base/bytes.hpp"
#include "kore/model.hpp"

namespace kore {

/// The section of a model on another scale than the identity: the scale, and what carries means back.
void write_scale(ByteWriter& out, const Model& model);
void read_scale(ByteReader& in, Model& model);

}  // namespace kore

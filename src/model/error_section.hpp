#pragma once

#include "base/bytes.hpp"
#include "kore/model.hpp"

namespace kore {

/// The section of a model file about errors on new rows: accuracy, equal rows, the spread of residuals, and
/// what unseen rows say of every stage. Optional, because older files lack it.
void write_errors(ByteWriter& out, const Model& model);
/// Throws `corrupt_file` where it does not belong to the model's stages or cannot be.
void read_errors(ByteReader& in, Model& model);

}  // namespace kore

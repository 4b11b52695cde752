#pragma once

#include "base/bytes.hpp"
#include "kore/model.hpp"

namespace kore {

/// A section of its own, for models were written before there was one: how intervals widen outside the
/// training range, rows with a leverage near one, and errors of stages on all rows.
void write_outside(ByteWriter& out, const Model& model);
/// Throws `corrupt_file` where the numbers do not belong to the model's features and stages.
void read_outside(ByteReader& in, Model& model);

/// The limits of predictions.
void read_limits(ByteReader& in, Range& limits);

}  // namespace kore

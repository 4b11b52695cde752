#pragma once

#include "base/bytes.hpp"
#include "kore/model.hpp"

namespace kore {

/// The section of a model file about what left-out rows say in detail: errors by groups of neighbouring
/// predictions, standard errors of the losses of stages, what was asked of the choice, and
/// whether terms stayed in the folds. Optional, because
/// older files lack it.
void write_unseen(ByteWriter& out, const FitSummary& summary);
/// After accuracy and stages were read. Throws `corrupt_file` for what cannot be.
void read_unseen(ByteReader& in, FitSummary& summary);

}  // namespace kore

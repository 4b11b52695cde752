#pragma once

#include "base/bytes.hpp"
#include "kore/model.hpp"

namespace kore {

/// The section of a model file about errors on new rows: accuracy, equal rows, the spread of residuals, and
/// what unseen rows say of every stage. Optional, because older files lack it.
void write_errors(ByteWriter& out, const Model& model);
/// Throws `corrupt_file` where it does not belong to the model's stages or cannot be.
void read_errors(ByteReader& in, Model& model);

/// The section about gross errors in the target: how many the accuracy tells of, and what the robust loss
/// found. Only files that have something to tell have it.
bool needs_robust_section(const FitSummary& summary);
void write_robust(ByteWriter& out, const FitSummary& summary);
/// After the accuracy was read. Throws `corrupt_file` for what cannot be.
void read_robust(ByteReader& in, FitSummary& summary);

}  // namespace kore

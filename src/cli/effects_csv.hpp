#pragma once

#include <filesystem>
#include <string>

#include "story/effect_grid.hpp"

namespace kore::cli {

/// All effects as one table: a row per point, with the term it belongs to, and the constant first.
/// `factors` are what terms multiply by, where they are those of logarithms.
std::string effects_csv(const table::TableModel& fitted, const Decomposition& shown,
                        const story::GridSize& size, bool factors = false);

// A folder holds the effects of one model, in one format: files of an earlier run are removed, all others
// stay. Both throw `io` where the folder cannot be made, and `invalid_argument` where it has an `effects.csv`
// or `effects.json` that KORE did not write.

/// A file per term, and `effects.csv`, which lists them.
void write_effects_folder(const table::TableModel& fitted, const Decomposition& shown,
                          const story::GridSize& size, const std::filesystem::path& folder,
                          bool factors = false);
/// The text of all effects as `effects.json`.
void write_effects_json(const std::string& text, const std::filesystem::path& folder);

}  // namespace kore::cli

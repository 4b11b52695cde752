#pragma once

#include <filesystem>
#include <string>

#include "story/effect_grid.hpp"

namespace kore::cli {

/// All effects as one table: a row per point, with the term it belongs to, and the constant first.
std::string effects_csv(const data::TableModel& fitted, const story::GridSize& size);

/// A file per term, and `effects.csv`, which lists them. Files that an earlier list names go; others stay.
/// Throws `io` where the folder cannot be made, and `invalid_argument` where its `effects.csv` is not ours.
void write_effects_folder(const data::TableModel& fitted, const story::GridSize& size,
                          const std::filesystem::path& folder);

/// Throws `io` where it cannot be made.
void make_folder(const std::filesystem::path& folder);

}  // namespace kore::cli

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kore/column_choice.hpp"
#include "kore/encoding.hpp"
#include "kore/model.hpp"
#include "kore/phases.hpp"

namespace kore::table {

/// What the command or Python knows about a fit beside the model itself.
struct FitFacts {
  std::string profile = "default";
  std::string origin;                ///< Where the rows came from, as it appears in a sentence.
  std::uint64_t missing_target = 0;  ///< Rows left out because they had no target.
  double seconds = 0;                ///< From the first byte read to the finished model.
  std::vector<std::string> notes;    ///< Sentences: what a person should know about how the table was read.
  /// All columns that were offered as features, in their order, also those left out; empty if not known.
  std::vector<std::string> columns;
  /// The structure that was asked for: "auto", "additive" or "pairwise"; empty if not known.
  std::string structure;
  /// Of a target of two values: what stands for 0 and for 1, in this order. Empty for other targets.
  std::vector<std::string> target_levels = {};
  /// The column of exposures, where the target was divided by it: predictions are then rates, per unit of it.
  std::string exposure = {};
  /// The column of offsets, which new rows need, too; and how their share of the target was taken out. Where
  /// it was an exposure, `exposure` has the same name.
  std::string offset = {};
  OffsetUse offset_use = OffsetUse::subtracted;
  /// How the dates of its text file were written, such as "%d/%m/%Y", where day or month come first; empty
  /// otherwise. New rows are read in the same way.
  std::string date_format = {};
  std::vector<Phase> phases = {};  ///< What took these seconds; empty where an older file does not have them.
  /// Of columns of booleans, the target's too: how its text file wrote them, where that is not "false" and
  /// "true". For readers; rows are matched by what the texts mean.
  std::vector<BooleanWords> words = {};

  /// The words for false and true in a column.
  BooleanWords words_of(const std::string& column) const;
};

/// A model of a table: the engine's model together with how columns become features. Every front saves and
/// loads this, so that a model fitted in one can be used in any other.
struct TableModel {
  Model model;
  Encoding encoding;
  FitFacts facts;
};

/// The bytes of a model file, for whoever keeps models elsewhere than in files.
std::vector<std::byte> to_bytes(const TableModel& model);
/// Throws as `load_table_model` does.
TableModel table_model_from_bytes(std::span<const std::byte> bytes);

void save(const TableModel& model, const std::filesystem::path& path);
/// Throws as `load_model` does, and `corrupt_file` for a model without an encoding.
TableModel load_table_model(const std::filesystem::path& path);

}  // namespace kore::table

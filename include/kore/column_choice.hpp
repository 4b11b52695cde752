#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kore::table {

/// How an offset, a known part of the linear predictor, is taken out of a target before a fit and put back
/// into predictions. A family allows one of them where it then fits exactly the model with the offset: the
/// normal one differences, the gamma one ratios, whose dispersion is the same, and the Poisson one rates,
/// which count as much as their exposures, `exp(offset)`.
enum class OffsetUse : std::uint8_t { subtracted, divided, exposure };

/// Which columns of a table are target, weights, group and features, by name.
struct ColumnChoice {
  std::string target;
  std::string weights;         ///< Empty: every row weighs one.
  std::string precision = {};  ///< In place of weights: numbers of which only the ratios matter.
  /// Numbers that counts grow with, such as time or people: rates, counts over exposures, are modelled.
  std::string exposure = {};
  /// Numbers that are known to be part of the linear predictor, with a coefficient of one.
  std::string offset = {};
  OffsetUse offset_use = OffsetUse::subtracted;  ///< How the family takes it out of the target.
  std::string positive = {};  ///< The value of the target that counts as yes; empty: the later of two.
  bool classes = false;       ///< Every value of the target is a class, also where it is a number.
  std::string group = {};     ///< Rows with the same value leave together; empty: none do.
  std::vector<std::string> features;     ///< Empty: every column that is nothing else.
  std::vector<std::string> drop;         ///< Columns that are not features.
  std::vector<std::string> categorical;  ///< Features to treat as categories though they are no texts.
};

/// The same as positions in the table. The features are in the table's order, whatever the order they were
/// named in.
struct ChosenColumns {
  std::size_t target = 0;
  std::optional<std::size_t> weights;  ///< Or precisions, or exposures.
  std::optional<std::size_t> offset;
  std::optional<std::size_t> group;
  std::vector<std::size_t> features;
  std::vector<bool> categorical;  ///< Per feature.
};

/// Throws `invalid_argument` where a name is not in the table (with the nearest one that is) or has two
/// parts. `table` names the table in sentences ("the file 'cars.csv'").
ChosenColumns choose_columns(std::span<const std::string> names, const ColumnChoice& choice,
                             const std::string& table);

/// The position of a column. Throws `invalid_argument` with the nearest name if there is none.
std::size_t find_column(std::span<const std::string> names, std::string_view name, const std::string& table);

/// The candidate that a mistyped name was most likely meant to be; empty if none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace kore::table

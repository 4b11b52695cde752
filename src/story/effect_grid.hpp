#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kore/table_model.hpp"

namespace kore::story {

/// A term on a grid: one column of coordinates per feature, and the values.
struct EffectGrid {
  std::vector<std::vector<double>> coordinates;
  std::vector<std::vector<std::string>> levels;  ///< Per feature: what positions of a category are called.
  std::vector<double> values;

  /// A coordinate as the table writes it: a number, or the name of a level.
  std::string text(std::size_t feature, std::size_t row) const;
};

struct GridSize {
  std::size_t points = 101;
  std::size_t surface_points = 41;
};

EffectGrid effect_grid(const data::TableModel& fitted, std::size_t term, const GridSize& size);

/// The features of a term.
std::vector<std::string> feature_names(const Model& model, std::size_t term);
/// "curve", "step" for a straight line between two values, "levels" for a category, or "surface".
const char* effect_kind(const Model& model, std::size_t term);
/// The terms by falling share of the variance.
std::vector<std::size_t> ranked_terms(const Model& model);

}  // namespace kore::story

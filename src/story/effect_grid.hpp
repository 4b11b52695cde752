#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kore/table_model.hpp"

namespace kore::story {

/// A term on a grid in the units of the table: one column of coordinates per feature, and the values.
struct EffectGrid {
  std::vector<std::vector<double>> coordinates;
  std::vector<std::vector<std::string>> levels;  ///< Per feature: the names of the levels of a category.
  std::vector<double> values;
  std::vector<double> errors;  ///< Standard errors of the values; empty where the model has none.

  bool factors = false;  ///< Values are factors, and errors those of their logarithms.

  /// The ends of the pointwise 95 % band.
  double lower(std::size_t row) const { return end(row, -band_width); }
  double upper(std::size_t row) const { return end(row, band_width); }

  /// A coordinate as the table writes it: a number, or the name of a level.
  std::string text(std::size_t feature, std::size_t row) const;

 private:
  static constexpr double band_width = 1.959963984540054;
  double end(std::size_t row, double errors_away) const;
};

struct GridSize {
  std::size_t points = 101;
  std::size_t surface_points = 41;
  std::size_t slices = 3;  ///< Of a triple: surfaces at this many values of its last feature.
};

EffectGrid effect_grid(const table::TableModel& fitted, const Decomposition& shown, std::size_t term,
                       const GridSize& size);

/// The same where values are logarithms: what they multiply by.
EffectGrid as_factors(EffectGrid grid);

/// The features of a term.
std::vector<std::string> feature_names(const Decomposition& shown, std::size_t term);
/// The same in one string: "a × b", or "a by value × b" where single values of a number have an effect.
std::string term_name(const Decomposition& shown, std::size_t term);
/// "curve", "linear" for a straight line (also for a feature of two values), "levels" for a category,
/// "values" for the effects of single values of a number, "surface" for a pair, or "slices" for a triple.
const char* effect_kind(const Decomposition& shown, std::size_t term);
/// The terms, the one with the largest share (of either sign) first.
std::vector<std::size_t> ranked_terms(const Decomposition& shown);

}  // namespace kore::story

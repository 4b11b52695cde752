#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiments/honesty/outcome.hpp"
#include "experiments/honesty/settings.hpp"

namespace kore::experiments::honesty {

inline constexpr std::array<std::size_t, 3> table_sizes{100, 300, 800};
inline constexpr std::size_t draws_per_cell = 5;
/// Its errors are those of single rows; it is left out where single cells are counted.
inline constexpr const char* set_apart = "forest_fires";

/// One real table, cut to so many rows.
struct TableCell {
  std::string set;
  std::size_t rows = 0;
  std::size_t draw = 0;
  std::size_t features = 0;
  Outcome kore = {};
  Outcome ridge = {};

  double over_ridge() const { return kore.truth.rmse / ridge.truth.rmse; }
};

struct TableCells {
  std::vector<TableCell> cells;
  std::string skipped;  ///< A sentence about tables with too few rows left to judge; empty if there are none.
};
/// The tables of the settings, at every size, several cells at a time.
TableCells run_tables(const Settings& settings);

/// Rows of one draw: the first `rows` of a seeded permutation, and what judges them.
StudySplit draw_rows(const StudyRows& all, std::size_t rows, std::size_t draw);
/// The names of the thirteen tables that the settings ask for.
std::vector<std::string> asked_sets(const Settings& settings);
/// A whole table, texts as indicators.
StudyRows load_set(const Settings& settings, const std::string& set);

std::string first_word(const std::string& text);

}  // namespace kore::experiments::honesty

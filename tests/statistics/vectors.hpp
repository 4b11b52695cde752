#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

#include "experiments/statistics/grid.hpp"

namespace kore::experiments {

/// What SciPy says; made by scripts/make_statistics_vectors.py.
inline nlohmann::json scipy_vectors() {
  std::ifstream file(KORE_TEST_DATA "/statistics_scipy.json");
  return nlohmann::json::parse(file);
}

inline Grid to_grid(const std::vector<std::vector<double>>& rows) {
  Grid grid(rows.size(), rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c) grid.at(r, c) = rows[r][c];
  return grid;
}

}  // namespace kore::experiments

#pragma once

#include <cstddef>
#include <vector>

#include "kore/kore.hpp"

namespace kore::bench {

/// Uniform features and a target of sines with a tenth of noise; the same for every run.
struct Rows {
  Rows(std::size_t n, std::size_t d);

  RowBlock block() const { return {MatrixView::column_major(x, count, columns), y, {}}; }
  std::vector<Feature> features() const;
  /// Main effects at one resolution, and with `pairs` the products of neighbours (0,1), (2,3), ...
  Design design(int resolution, std::size_t pairs) const;

  std::size_t count, columns;
  std::vector<double> x, y;
};

}  // namespace kore::bench

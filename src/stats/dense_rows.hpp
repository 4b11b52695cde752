#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "design/transform.hpp"
#include "stats/local_block.hpp"

namespace kore {

/// Whole rows of the solved layout, for matrix products by BLAS. They are faster than local products where
/// many coarse interactions overlap on few rows, and much slower where terms are few or fine.
class DenseRows {
 public:
  DenseRows(const Design& design, const std::vector<TermMap>& maps);

  std::size_t columns() const { return design_.columns(); }
  /// Writes the given rows of an evaluated block, one after the other, `columns()` apart.
  void write(const LocalBlock& local, std::span<const std::size_t> rows, double* out) const;

 private:
  const Design& design_;
  std::vector<std::size_t> offsets_;              // of the marginals' columns in a row of scratch
  std::vector<std::vector<double>> means_;        // per marginal; zero where it is not centred
  std::vector<std::vector<std::size_t>> widths_;  // per term and coordinate
};

}  // namespace kore

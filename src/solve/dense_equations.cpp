#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "solve/blas.hpp"
#include "solve/normal_equations.hpp"
#include "stats/dense_rows.hpp"

namespace kore {
namespace {

constexpr std::size_t panel_rows = 512;
constexpr std::size_t tile = 192;
// A multiplication inside a matrix product costs about this share of one inside the local kernels.
constexpr double product_advantage = 4;

/// A panel of rows at a time: every row scaled by the root of its weight, so that one product of the panel
/// with itself adds up all sums. Threads share the rows of a panel while it is filled and tiles of the matrix
/// while it is multiplied, so that every sum runs in the order of the rows.
class DenseSums {
 public:
  DenseSums(const Design& design, NormalEquations& equations, int threads)
      : design_(design),
        rows_(design, equations.maps),
        equations_(equations),
        threads_(design.columns() < 128 ? 1 : threads),
        panel_(panel_rows * design.columns()) {
    for (std::size_t first = 0; first < design.columns(); first += tile)
      for (std::size_t other = first; other < design.columns(); other += tile)
        tiles_.emplace_back(other, first);
  }

  void add(const RowBlock& block) {
    for (std::size_t first = 0; first < block.rows(); first += panel_rows) {
      const std::size_t count = std::min(panel_rows, block.rows() - first);
      fill(block, first, count);
      multiply(count);
    }
  }

 private:
  void fill(const RowBlock& block, std::size_t first, std::size_t count) {
    constexpr std::size_t piece = 64;
    const std::size_t p = design_.columns();
    targets_.resize(count);
    parallel_for((count + piece - 1) / piece, threads_, [&](std::size_t i) {
      const std::size_t from = i * piece;
      const std::size_t rows = std::min(piece, count - from);
      LocalBlock local(design_, rows, false);
      for (std::size_t j = 0; j < design_.features().size(); ++j)
        local.evaluate(j, block.x, first + from, rows, Extrapolation::continue_polynomial);
      std::vector<std::size_t> all(rows);
      std::iota(all.begin(), all.end(), std::size_t{0});
      rows_.write(local, all, panel_.data() + from * p);
      for (std::size_t r = from; r < from + rows; ++r) {
        const double root = std::sqrt(block.weight(first + r));
        // A row of weight zero may lie where the functions are as large as they like.
        targets_[r] = root > 0 ? root * block.y[first + r] : 0;
        if (root == 1) continue;
        double* row = panel_.data() + r * p;
        std::transform(row, row + p, row, [root](double value) { return root > 0 ? root * value : 0; });
      }
    });
  }

  void multiply(std::size_t count) {
    const std::size_t p = design_.columns();
    parallel_for(tiles_.size(), threads_, [&](std::size_t i) {
      const auto [row, column] = tiles_[i];
      add_outer(panel_.data() + row, std::min(tile, p - row), p, panel_.data() + column,
                std::min(tile, p - column), p, count, equations_.matrix.data() + column * p + row, p);
    });
    add_outer(panel_.data(), p, p, targets_.data(), 1, 1, count, equations_.right.data(), p);
  }

  const Design& design_;
  DenseRows rows_;
  NormalEquations& equations_;
  int threads_;
  std::vector<double> panel_;
  std::vector<double> targets_;
  std::vector<std::pair<std::size_t, std::size_t>> tiles_;
};

}  // namespace

NormalEquations dense_normal_equations(const Design& design, const RowSource& source, int threads) {
  GramAccumulator sums(design, GramBlocks::none);
  source.for_each_block([&](const RowBlock& block) { sums.add(block, threads); });
  const std::size_t p = design.columns();
  NormalEquations equations{term_maps(design, sums.sums(), sums.weight()),
                            std::vector<double>(p * p),
                            std::vector<double>(p),
                            sums.weight(),
                            sums.target_sum(),
                            sums.target_squares()};
  DenseSums dense(design, equations, threads);
  source.for_each_block([&](const RowBlock& block) { dense.add(block); });
  return equations;
}

bool dense_is_cheaper(const Design& design) {
  double local = 1;
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    double own = 1;
    for (std::size_t c = 0; c < design.terms()[t].order(); ++c) own *= design.basis(t, c).degree() + 1;
    local += own;
  }
  const auto p = static_cast<double>(design.columns());
  return p * p < product_advantage * local * local;
}

NormalEquations restrict_to(const Design& design, const NormalEquations& equations,
                            std::span<const std::size_t> terms) {
  const std::size_t p = design.columns();
  std::vector<std::size_t> columns(design.has_intercept() ? 1 : 0, 0);
  NormalEquations part;
  for (const std::size_t t : terms) {
    part.maps.push_back(equations.maps[t]);
    for (std::size_t i = 0; i < design.term_columns(t); ++i) columns.push_back(design.offset(t) + i);
  }
  part.matrix.resize(columns.size() * columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    part.right.push_back(equations.right[columns[j]]);
    for (std::size_t i = j; i < columns.size(); ++i)
      part.matrix[j * columns.size() + i] = equations.matrix[columns[j] * p + columns[i]];
  }
  part.weight = equations.weight;
  part.target_sum = equations.target_sum;
  part.target_squares = equations.target_squares;
  return part;
}

}  // namespace kore

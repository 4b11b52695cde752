#include "pass/dense_pass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "design/design_bytes.hpp"
#include "pass/format.hpp"
#include "pass/gram_passes.hpp"
#include "solve/blas.hpp"
#include "solve/equation_bytes.hpp"

namespace kore {
namespace {

constexpr std::size_t panel_rows = 512;
constexpr std::size_t tile = 192;

}  // namespace

DensePass::DensePass(Design design, std::vector<TermMap> maps)
    : design_(std::move(design)),
      equations_{std::move(maps),
                 std::vector<double>(design_.columns() * design_.columns()),
                 std::vector<double>(design_.columns()),
                 0,
                 0,
                 0},
      rows_(design_, equations_.maps) {
  for (std::size_t first = 0; first < design_.columns(); first += tile)
    for (std::size_t other = first; other < design_.columns(); other += tile)
      tiles_.emplace_back(other, first);
}

std::unique_ptr<Pass> DensePass::read(ByteReader& task) {
  Design design = read_design(task);
  std::vector<TermMap> maps = read_term_maps(task, design);
  return std::make_unique<DensePass>(std::move(design), std::move(maps));
}

void DensePass::add(const RowBlock& block, int threads) {
  panel_.resize(panel_rows * design_.columns());
  const int members = design_.columns() < 128 ? 1 : threads;
  for (std::size_t first = 0; first < block.rows(); first += panel_rows) {
    const std::size_t count = std::min(panel_rows, block.rows() - first);
    fill(block, first, count, members);
    multiply(count, members);
  }
}

void DensePass::fill(const RowBlock& block, std::size_t first, std::size_t count, int threads) {
  constexpr std::size_t piece = 64;
  const std::size_t p = design_.columns();
  targets_.resize(count);
  parallel_for((count + piece - 1) / piece, threads, [&](std::size_t i) {
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

void DensePass::multiply(std::size_t count, int threads) {
  const std::size_t p = design_.columns();
  parallel_for(tiles_.size(), threads, [&](std::size_t i) {
    const auto [row, column] = tiles_[i];
    add_outer(panel_.data() + row, std::min(tile, p - row), p, panel_.data() + column,
              std::min(tile, p - column), p, count, equations_.matrix.data() + column * p + row, p);
  });
  add_outer(panel_.data(), p, p, targets_.data(), 1, 1, count, equations_.right.data(), p);
}

std::vector<std::byte> DensePass::serialize() const {
  ByteWriter out;
  write_triangle(out, equations_.matrix, design_.columns());
  out.f64s(equations_.right);
  return seal_result(PassKind::dense_products, out.bytes());
}

void DensePass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::dense_products, result);
  add_triangle(in, equations_.matrix, design_.columns());
  const std::vector<double> right = in.f64s();
  if (right.size() != equations_.right.size()) refuse_result();
  for (std::size_t i = 0; i < right.size(); ++i) equations_.right[i] += right[i];
}

std::vector<std::byte> DensePass::task() const {
  ByteWriter out;
  write(out, design_);
  write(out, equations_.maps);
  return seal_task(PassKind::dense_products, out.bytes());
}

PassFacts DensePass::facts() const {
  const std::size_t p = design_.columns();
  return {"dense products", design_.features().size(), {p}, (p * (p + 1) / 2 + 2 * p) * sizeof(double) + 128};
}

NormalEquations dense_normal_equations(const Design& design, const RowSource& source, int threads) {
  const GramAccumulator sums = gram_of(source, design, GramBlocks::none, threads);
  DensePass products(design, term_maps(design, sums.sums(), sums.weight()));
  source.run(products, threads);
  NormalEquations equations = std::move(products).take();
  equations.weight = sums.weight();
  equations.target_sum = sums.target_sum();
  equations.target_squares = sums.target_squares();
  return equations;
}

}  // namespace kore

#include "pass/dense_pass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/parts.hpp"
#include "design/design_bytes.hpp"
#include "pass/format.hpp"
#include "pass/gram_passes.hpp"
#include "solve/blas.hpp"
#include "solve/equation_bytes.hpp"

namespace kore {
namespace {

constexpr std::size_t panel_rows = 256;
constexpr std::size_t tile = 96;            // columns: BLAS is fastest at tall and narrow products
constexpr std::size_t worth_a_part = 1024;  // rows
constexpr std::size_t memory_of_parts = std::size_t{1} << 24;  // doubles, of all parts together

std::vector<TermMap> maps_of(const GramAccumulator& sums) {
  return term_maps(sums.design(), sums.sums(), sums.weight_sum());
}

NormalEquations with_scalars(NormalEquations equations, const GramAccumulator& sums) {
  equations.weight_sum = sums.weight_sum();
  equations.count_sum = sums.count_sum();
  equations.target_sum = sums.target_sum();
  equations.target_squares = sums.target_squares();
  return equations;
}

}  // namespace

DensePass::DensePass(Design design, std::vector<TermMap> maps, const Response& response)
    : design_(std::move(design)), maps_(std::move(maps)), response_(response), rows_(design_, maps_) {}

std::unique_ptr<Pass> DensePass::read(ByteReader& task, std::uint64_t most_bytes) {
  const Response& response = read_response(task);
  Design design = read_design(task);
  require_memory(sizeof(double) * design.columns() * design.columns(), most_bytes);
  std::vector<TermMap> maps = read_term_maps(task, design);
  return std::make_unique<DensePass>(std::move(design), std::move(maps), response);
}

std::size_t DensePass::parts_of(std::size_t rows) const {
  const std::size_t own = design_.columns() * design_.columns();
  return count_parts(
      [&](std::size_t count) { return rows >= count * worth_a_part && count * own <= memory_of_parts; });
}

void DensePass::add(const RowBlock& block, int threads) {
  WorkingMemory memory;
  add(working_block(block, response_, memory), threads);
}

void DensePass::add(const WorkingBlock& block, int threads) {
  const std::size_t p = design_.columns();
  const std::size_t parts = parts_of(block.rows());
  while (parts_.size() < parts) parts_.push_back({std::vector<double>(p * p), std::vector<double>(p)});
  parallel_for(parts, threads, [&](std::size_t k) {
    const auto [first, count] = part_of_rows(block.rows(), k, parts);
    add_rows(block, first, count, parts_[k]);
  });
}

void DensePass::add_rows(const WorkingBlock& block, std::size_t first, std::size_t count, Sums& part) const {
  LocalBlock local(design_, panel_rows, false);
  std::vector<std::size_t> all(panel_rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  Panel panel{std::vector<double>(panel_rows * design_.columns()), {}};
  for (std::size_t done = 0; done < count; done += panel_rows) {
    const std::size_t rows = std::min(panel_rows, count - done);
    for (std::size_t j = 0; j < design_.features().size(); ++j)
      local.evaluate(j, block.x, first + done, rows, Extrapolation::continue_polynomial);
    rows_.write(local, std::span(all).first(rows), panel.rows.data());
    panel.targets.resize(rows);
    weigh(block, first + done, panel);
    multiply(panel, part);
  }
}

void DensePass::weigh(const WorkingBlock& block, std::size_t first, Panel& panel) const {
  const std::size_t p = design_.columns();
  for (std::size_t r = 0; r < panel.targets.size(); ++r) {
    const double root = std::sqrt(block.weights[first + r]);
    // A row of weight zero may lie far outside the knots, where functions overflow.
    panel.targets[r] = root > 0 ? root * block.target[first + r] : 0;
    if (root == 1) continue;
    double* row = panel.rows.data() + r * p;
    std::transform(row, row + p, row, [root](double value) { return root > 0 ? root * value : 0; });
  }
}

void DensePass::multiply(const Panel& panel, Sums& part) const {
  const std::size_t p = design_.columns();
  const std::size_t count = panel.targets.size();
  for (std::size_t column = 0; column < p; column += tile)
    add_outer(panel.rows.data() + column, p - column, p, panel.rows.data() + column,
              std::min(tile, p - column), p, count, part.matrix.data() + column * p + column, p);
  add_outer(panel.rows.data(), p, p, panel.targets.data(), 1, 1, count, part.right.data(), p);
}

DensePass::Sums DensePass::sum_of_parts() const {
  const std::size_t p = design_.columns();
  Sums sums{std::vector<double>(p * p), std::vector<double>(p)};
  for (const Sums& part : parts_) {
    add_to(sums.matrix, part.matrix);
    add_to(sums.right, part.right);
  }
  return sums;
}

NormalEquations DensePass::take() && {
  Sums sums = parts_.size() == 1 ? std::move(parts_.front()) : sum_of_parts();
  return {std::move(maps_), std::move(sums.matrix), std::move(sums.right), 0, 0, 0, 0};
}

std::vector<std::byte> DensePass::serialize() const {
  const Sums sums = sum_of_parts();
  ByteWriter out;
  write_triangle(out, sums.matrix, design_.columns());
  out.f64s(sums.right);
  return seal_result(PassKind::dense_products, out.bytes());
}

void DensePass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::dense_products, result);
  const std::size_t p = design_.columns();
  if (parts_.empty()) parts_.push_back({std::vector<double>(p * p), std::vector<double>(p)});
  add_triangle(in, parts_.front().matrix, p);
  const std::vector<double> right = in.f64s();
  if (right.size() != p) refuse_result();
  add_to(parts_.front().right, right);
}

std::vector<std::byte> DensePass::task() const {
  ByteWriter out;
  out.text(response_.name());
  write(out, design_);
  write(out, maps_);
  return seal_task(PassKind::dense_products, out.bytes());
}

PassFacts DensePass::facts() const {
  const std::size_t p = design_.columns();
  return {"dense products", design_.features().size(), {p}, (p * (p + 1) / 2 + 2 * p) * sizeof(double) + 128};
}

NormalEquations dense_normal_equations(const Design& design, const RowSource& source, int threads,
                                       const Response& response) {
  const GramAccumulator sums = gram_of(source, design, GramBlocks::none, threads, response);
  DensePass products(design, maps_of(sums), response);
  source.run(products, threads);
  return with_scalars(std::move(products).take(), sums);
}

NormalEquations dense_normal_equations(const Design& design, const WorkingBlock& rows, int threads) {
  GramAccumulator sums(design, GramBlocks::none);
  sums.add(rows, threads);
  DensePass products(design, maps_of(sums));
  products.add(rows, threads);
  return with_scalars(std::move(products).take(), sums);
}

}  // namespace kore

#include "pass/gram_passes.hpp"

#include <utility>

#include "base/checked.hpp"
#include "design/design_bytes.hpp"
#include "pass/format.hpp"
#include "stats/linear_form.hpp"
#include "stats/strips.hpp"

namespace kore {
namespace {

/// Sums over other blocks of the same design belong to another task.
void merge_result(GramAccumulator& gram, std::span<const std::byte> bytes) {
  const GramAccumulator other = GramAccumulator::deserialize(gram.design(), bytes);
  if (other.kept() != gram.kept()) refuse_result();
  gram.merge(other);
}

/// The size of the serialised sums of a design.
std::size_t gram_bytes(const Design& design, GramBlocks blocks) {
  const std::size_t terms = design.terms().size();
  const std::size_t lengths = blocks == GramBlocks::all ? terms * (terms + 1) / 2 + terms : 2 * terms;
  return (numbers_in(design, blocks) + 2 * design.raw_columns() + lengths) * sizeof(double) +
         design_bytes(design).size() + 128;
}

/// Refuses a design whose sums take more memory than is left, before any of it is taken. Returns what they
/// take.
std::uint64_t require_memory_for(const Design& design, GramBlocks blocks, std::uint64_t left) {
  const std::size_t terms = design.terms().size();
  const std::uint64_t layout =
      blocks == GramBlocks::all ? terms * (terms + 1) / 2 * sizeof(StripLayout::Block) : 0;
  require_memory(checked_sum(gram_bytes(design, blocks), layout), left);
  // Local functions are padded to whole vectors while rows are added.
  const std::uint64_t bytes = checked_product(StripLayout(design, blocks).size(), sizeof(double));
  require_memory(bytes, left);
  return bytes;
}

void require_features(const Design& design, std::size_t features) {
  if (design.features().size() != features) refuse_task();
}

}  // namespace

GramPass::GramPass(std::vector<Design> designs, GramBlocks blocks, const Response& response)
    : blocks_(blocks), response_(response) {
  for (Design& design : designs) grams_.emplace_back(std::move(design), blocks);
}

std::unique_ptr<Pass> GramPass::read(ByteReader& task, std::uint64_t most_bytes) {
  const Response& response = read_response(task);
  const auto blocks = read_enum(task, GramBlocks::none);
  std::vector<Design> designs;
  const std::size_t count = task.count(21);
  for (std::size_t i = 0; i < count; ++i) {
    designs.push_back(read_design(task));
    require_features(designs.back(), designs.front().features().size());
    most_bytes -= require_memory_for(designs.back(), blocks, most_bytes);
  }
  if (designs.empty()) refuse_task();
  return std::make_unique<GramPass>(std::move(designs), blocks, response);
}

void GramPass::add(const RowBlock& block, int threads) {
  WorkingMemory memory;
  const WorkingBlock working = working_block(block, response_, memory);
  for (GramAccumulator& gram : grams_) gram.add(working, threads);
}

std::vector<std::byte> GramPass::serialize() const {
  ByteWriter out;
  out.u64(grams_.size());
  for (const GramAccumulator& gram : grams_) out.section(gram.serialize());
  return seal_result(PassKind::gram, out.bytes());
}

void GramPass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::gram, result);
  if (in.count(8) != grams_.size()) refuse_result();
  for (GramAccumulator& gram : grams_) merge_result(gram, in.section());
}

std::vector<std::byte> GramPass::task() const {
  ByteWriter out;
  out.text(response_.name());
  out.u8(static_cast<std::uint8_t>(blocks_));
  out.u64(grams_.size());
  for (const GramAccumulator& gram : grams_) write(out, gram.design());
  return seal_task(PassKind::gram, out.bytes());
}

PassFacts GramPass::facts() const {
  PassFacts facts{"gram", grams_.front().design().features().size(), {}, 0};
  for (const GramAccumulator& gram : grams_) {
    facts.columns.push_back(gram.design().columns());
    facts.result_bytes += gram_bytes(gram.design(), blocks_);
  }
  return facts;
}

GramAccumulator gram_of(const RowSource& source, Design design, GramBlocks blocks, int threads,
                        const Response& response) {
  std::vector<Design> designs;
  designs.push_back(std::move(design));
  GramPass pass(std::move(designs), blocks, response);
  source.run(pass, threads);
  return std::move(std::move(pass).take().front());
}

void ResidualGramPass::include(const Smoother& fit, Design design, GramBlocks blocks) {
  GramAccumulator gram(std::move(design), blocks);
  parts_.push_back(
      {{fit.design(), fit.intercept(), fit.coefficients(), &fit.response()}, blocks, std::move(gram)});
}

std::unique_ptr<Pass> ResidualGramPass::read(ByteReader& task, std::uint64_t most_bytes) {
  auto pass = std::make_unique<ResidualGramPass>();
  const std::size_t count = task.count(50);
  for (std::size_t i = 0; i < count; ++i) {
    const Response& response = read_response(task);
    Design fitted = read_design(task);
    const double intercept = task.f64();
    FittedFunction fit{std::move(fitted), intercept, task.f64s(), &response};
    if (fit.coefficients.size() != fit.design.raw_columns()) refuse_task();
    const auto blocks = read_enum(task, GramBlocks::none);
    Design design = read_design(task);
    require_features(design, fit.design.features().size());
    if (!pass->empty()) require_features(design, pass->parts_.front().fit.design.features().size());
    most_bytes -= require_memory_for(design, blocks, most_bytes);
    GramAccumulator gram(std::move(design), blocks);
    pass->parts_.push_back({std::move(fit), blocks, std::move(gram)});
  }
  if (pass->empty()) refuse_task();
  return pass;
}

std::vector<GramAccumulator> ResidualGramPass::take() && {
  std::vector<GramAccumulator> grams;
  for (Part& part : parts_) grams.push_back(std::move(part.gram));
  return grams;
}

void ResidualGramPass::add(const RowBlock& block, int threads) {
  for (Part& part : parts_) {
    const FittedFunction& fit = part.fit;
    std::vector<double> left(block.rows());
    evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::continue_polynomial, block.x,
                  left, threads);
    WorkingMemory memory;
    const WorkingRows working = fit.response->working_rows(block.y, block.weights, left, memory);
    // A row that counts zero times may lie far outside the knots, where the fit overflows.
    for (std::size_t r = 0; r < left.size(); ++r)
      left[r] = block.weights[r] > 0 ? working.target[r] - left[r] : 0.0;
    part.gram.add({block.x, left, working.weights, block.weights}, threads);
  }
}

std::vector<std::byte> ResidualGramPass::serialize() const {
  ByteWriter out;
  out.u64(parts_.size());
  for (const Part& part : parts_) out.section(part.gram.serialize());
  return seal_result(PassKind::residual_gram, out.bytes());
}

void ResidualGramPass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::residual_gram, result);
  if (in.count(8) != parts_.size()) refuse_result();
  for (Part& part : parts_) merge_result(part.gram, in.section());
}

std::vector<std::byte> ResidualGramPass::task() const {
  ByteWriter out;
  out.u64(parts_.size());
  for (const Part& part : parts_) {
    out.text(part.fit.response->name());
    write(out, part.fit.design);
    out.f64(part.fit.intercept);
    out.f64s(part.fit.coefficients);
    out.u8(static_cast<std::uint8_t>(part.blocks));
    write(out, part.gram.design());
  }
  return seal_task(PassKind::residual_gram, out.bytes());
}

PassFacts ResidualGramPass::facts() const {
  PassFacts facts{"residual products", parts_.front().fit.design.features().size(), {}, 0};
  for (const Part& part : parts_) {
    facts.columns.push_back(part.gram.design().columns());
    facts.result_bytes += gram_bytes(part.gram.design(), part.blocks);
  }
  return facts;
}

}  // namespace kore

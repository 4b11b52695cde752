#include <algorithm>
#include <array>
#include <functional>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/parts.hpp"
#include "design/design_bytes.hpp"
#include "kore/error.hpp"
#include "kore/statistics.hpp"
#include "stats/cell_kernels.hpp"
#include "stats/strips.hpp"

namespace kore {
namespace {

constexpr std::uint32_t format_version = 2;  // since 2 counts are summed beside the working weights
constexpr std::size_t moment_columns = 2;    // one, and the target
constexpr double worth_a_thread =
    2e6;  // multiplications below which starting a thread costs more than it saves
constexpr std::size_t worth_a_part = 4096;  // rows
constexpr double worth_an_entry = 100;      // multiplications of a part, per number it holds
constexpr std::size_t memory_of_parts = std::size_t{1} << 22;  // doubles, of all parts together

// One and the target are treated as a term with two functions, (1, y). So the sums of the functions and their
// products with the target are blocks like any other.
struct MomentBlock {
  MomentBlock(std::size_t capacity, std::size_t width)
      : width_(width), values_(capacity * width), cells_(capacity) {}

  void load(std::span<const double> y) {
    for (std::size_t r = 0; r < y.size(); ++r) {
      values_.data()[r * width_] = 1;
      values_.data()[r * width_ + 1] = y[r];
    }
  }
  TermRows rows() const {
    TermRows rows;
    rows.values[0] = values_.data();
    rows.cells[0] = cells_.data();
    rows.functions[0] = moment_columns;
    rows.locals[0] = moment_columns;
    rows.products = rows.values[0];
    rows.first = rows.cells[0];
    return rows;
  }

 private:
  std::size_t width_;
  AlignedBuffer values_;
  std::vector<std::int32_t> cells_;
};

/// A block of rows, evaluated, with views of its terms and the interactions sorted by cell.
struct Buffer {
  Buffer(const Design& design, std::size_t capacity)
      : local(design, capacity, true), moments(capacity, local.width()) {
    orders.reserve(design.terms().size());
    for (std::size_t t = 0; t < design.terms().size(); ++t) {
      terms.push_back(term_rows(design, t, local));
      orders.emplace_back(terms.back(), local.width(), terms.back().order > 1 ? capacity : 0);
    }
  }
  LocalBlock local;
  MomentBlock moments;
  std::vector<TermRows> terms;
  std::vector<CellOrder> orders;
};

}  // namespace

struct GramAccumulator::State {
  /// The sums over one part of the rows. See base/parts.hpp.
  struct Part {
    AlignedBuffer strips;
    AlignedBuffer moments;
  };

  State(Design d, GramBlocks which) : design(std::move(d)), blocks(which), layout(design, which) {
    for (std::size_t t = 0; t < design.terms().size(); ++t) {
      moment_offsets.push_back(moment_size);
      moment_size += (layout.beside_size(t, moment_columns) + 7) / 8 * 8;
    }
    need_parts(1);
  }

  void need_parts(std::size_t count) {
    while (parts.size() < count) parts.push_back({AlignedBuffer(layout.size()), AlignedBuffer(moment_size)});
  }
  /// Another part needs enough rows in this block, and enough in all blocks so far to be worth its memory.
  std::size_t parts_of(std::size_t block_rows) const {
    return count_parts([&](std::size_t count) {
      const double own_rows = static_cast<double>(rows + block_rows) / static_cast<double>(count);
      return block_rows >= count * worth_a_part && count * layout.size() <= memory_of_parts &&
             own_rows * layout.cost() >= worth_an_entry * static_cast<double>(layout.size());
    });
  }

  std::span<double> strip(Part& part, const StripLayout::Block& b) const {
    return part.strips.span().subspan(b.offset, b.size);
  }
  std::span<const double> strip(const Part& part, const StripLayout::Block& b) const {
    return part.strips.span().subspan(b.offset, b.size);
  }
  std::span<double> moment_strip(Part& part, std::size_t t) const {
    return part.moments.span().subspan(moment_offsets[t], layout.beside_size(t, moment_columns));
  }
  std::span<const double> moment_strip(const Part& part, std::size_t t) const {
    return part.moments.span().subspan(moment_offsets[t], layout.beside_size(t, moment_columns));
  }
  /// `[one, target][functions of the term]`
  std::vector<double> folded_moments(std::size_t t) const {
    return sum_of_parts(
        [&](const Part& part) { return layout.fold_beside(t, moment_columns, moment_strip(part, t)); });
  }
  std::vector<double> folded(const StripLayout::Block& b) const {
    return sum_of_parts([&](const Part& part) { return layout.fold(b, strip(part, b)); });
  }
  template <class Fold>
  std::vector<double> sum_of_parts(Fold&& fold) const {
    std::vector<double> sum = fold(parts[0]);
    for (std::size_t k = 1; k < parts.size(); ++k) add_to(sum, fold(parts[k]));
    return sum;
  }

  void evaluate_share(Buffer& buffer, const WorkingBlock& block, std::size_t first, std::size_t count,
                      int member, int members) const {
    for (std::size_t j = static_cast<std::size_t>(member); j < design.features().size();
         j += static_cast<std::size_t>(members)) {
      buffer.local.evaluate(j, block.x, first, count, Extrapolation::continue_polynomial);
      // A row that counts zero times may lie far outside the knots, where functions overflow.
      for (std::size_t r = 0; r < count && !block.counts.empty(); ++r)
        if (block.counts[first + r] == 0) buffer.local.clear(j, r);
    }
    if (member == 0) buffer.moments.load(block.target.subspan(first, count));
  }
  void multiply_share(Buffer& buffer, const double* weights, std::size_t count, int member,
                      int members) const {
    for (std::size_t t = static_cast<std::size_t>(member); t < design.terms().size();
         t += static_cast<std::size_t>(members)) {
      buffer.local.multiply(t, count);
      if (layout.interaction(t)) buffer.orders[t].sort(buffer.terms[t], weights, count);
    }
  }
  void add_cells(const Buffer& buffer, const TermRows& left, std::size_t right, AlignedBuffer& scratch,
                 double* to) const {
    const CellOrder& order = buffer.orders[right];
    if (scratch.size() < scratch_size(left, order)) scratch = AlignedBuffer(scratch_size(left, order));
    accumulate_cells(left, buffer.terms[right], order, layout.width(), scratch.data(), to);
  }
  void add_share(Part& part, const Buffer& buffer, const double* weights, std::size_t count,
                 std::span<const std::size_t> shares, int member) const {
    AlignedBuffer scratch;
    for (std::size_t b = shares[static_cast<std::size_t>(member)];
         b < shares[static_cast<std::size_t>(member) + 1]; ++b) {
      const StripLayout::Block& pair = layout.blocks()[b];
      if (pair.by_cells)
        add_cells(buffer, buffer.terms[pair.other], pair.sorted, scratch, strip(part, pair).data());
      else
        accumulate_strip(buffer.terms[pair.left], buffer.terms[pair.right], weights, count, layout.width(),
                         strip(part, pair).data());
    }
    const int members = static_cast<int>(shares.size()) - 1;
    const TermRows moment_rows = buffer.moments.rows();
    for (std::size_t t = static_cast<std::size_t>(member); t < design.terms().size();
         t += static_cast<std::size_t>(members)) {
      if (layout.interaction(t))
        add_cells(buffer, moment_rows, t, scratch, moment_strip(part, t).data());
      else
        accumulate_strip(buffer.terms[t], moment_rows, weights, count, layout.width(),
                         moment_strip(part, t).data());
    }
  }
  void add_rows(Part& part, const WorkingBlock& block, std::size_t from, std::size_t count,
                int members) const;
  void add_scalars(const WorkingBlock& block) {
    rows += block.rows();
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const double w = block.weights[r];
      weight_sum += w;
      count_sum += block.counts[r];
      target_sum += w * block.target[r];
      target_squares += w * block.target[r] * block.target[r];
    }
  }

  Design design;
  GramBlocks blocks;
  StripLayout layout;
  std::vector<std::size_t> moment_offsets;
  std::size_t moment_size = 0;
  std::vector<Part> parts;
  std::size_t rows = 0;
  double weight_sum = 0;
  double count_sum = 0;
  double target_sum = 0;
  double target_squares = 0;
};

GramAccumulator::GramAccumulator(Design design, GramBlocks blocks)
    : state_(std::make_unique<State>(std::move(design), blocks)) {}
GramAccumulator::~GramAccumulator() = default;
GramAccumulator::GramAccumulator(GramAccumulator&&) noexcept = default;
GramAccumulator& GramAccumulator::operator=(GramAccumulator&&) noexcept = default;

// Adds rows `from .. from + count` of a block. The threads share the pairs of terms, not the rows.
void GramAccumulator::State::add_rows(Part& part, const WorkingBlock& block, std::size_t from,
                                      std::size_t count, int members) const {
  const std::size_t step =
      std::min(LocalBlock::comfortable_rows(design, true), std::max<std::size_t>(count, 1));
  const std::size_t steps = (count + step - 1) / step;
  const std::vector<std::size_t> shares = layout.shares(members);
  std::vector<Buffer> buffers;
  buffers.reserve(2);
  for (int b = 0; b < std::min(members, 2); ++b) buffers.emplace_back(design, step);
  const auto buffer_of = [&](std::size_t s) -> Buffer& { return buffers[s % buffers.size()]; };
  const auto first_of = [&](std::size_t s) { return from + s * step; };
  const auto rows_of = [&](std::size_t s) { return std::min(step, count - s * step); };
  // While some members still add step s, others may already evaluate step s + 1 into the other buffer.
  // Products wait for all values.
  parallel_region(members, [&](int member, std::barrier<>& barrier) {
    const auto weights_of = [&](std::size_t s) { return block.weights.from(first_of(s)); };
    const auto prepare = [&](std::size_t s) {
      evaluate_share(buffer_of(s), block, first_of(s), rows_of(s), member, members);
      barrier.arrive_and_wait();
      multiply_share(buffer_of(s), weights_of(s), rows_of(s), member, members);
      barrier.arrive_and_wait();
    };
    if (steps > 0) prepare(0);
    for (std::size_t s = 0; s < steps; ++s) {
      add_share(part, buffer_of(s), weights_of(s), rows_of(s), shares, member);
      if (s + 1 < steps) prepare(s + 1);
    }
  });
}

void GramAccumulator::add(const WorkingBlock& block, int threads) {
  State& state = *state_;
  const double work = state.layout.cost() * static_cast<double>(block.rows());
  const int members = work < worth_a_thread ? 1 : resolve_threads(threads);
  const std::size_t parts = state.parts_of(block.rows());
  state.need_parts(parts);
  const int team = std::max(1, members / static_cast<int>(parts));
  parallel_for(parts, members, [&](std::size_t k) {
    const auto [first, count] = part_of_rows(block.rows(), k, parts);
    state.add_rows(state.parts[k], block, first, count, team);
  });
  state.add_scalars(block);
}

void GramAccumulator::merge(const GramAccumulator& other) {
  State& mine = *state_;
  const State& theirs = *other.state_;
  if (mine.blocks != theirs.blocks || design_bytes(mine.design) != design_bytes(theirs.design))
    throw Error(ErrorCode::invalid_argument, "sums_of_different_designs",
                "Only Gram accumulators of the same design can be merged.");
  mine.need_parts(theirs.parts.size());
  for (std::size_t k = 0; k < theirs.parts.size(); ++k) {
    add_to(mine.parts[k].strips.span(), theirs.parts[k].strips.span());
    add_to(mine.parts[k].moments.span(), theirs.parts[k].moments.span());
  }
  mine.rows += theirs.rows;
  mine.weight_sum += theirs.weight_sum;
  mine.count_sum += theirs.count_sum;
  mine.target_sum += theirs.target_sum;
  mine.target_squares += theirs.target_squares;
}

GramAccumulator GramAccumulator::restricted_to(std::span<const std::size_t> terms) const {
  const State& from = *state_;
  std::vector<Term> kept;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i] >= from.design.terms().size() || (i > 0 && terms[i] <= terms[i - 1]))
      throw Error(ErrorCode::invalid_argument, "bad_terms_to_keep",
                  "The terms to keep must be terms of the design (counted from 0) in ascending order.");
    kept.push_back(from.design.terms()[terms[i]]);
  }
  GramAccumulator result(
      Design(from.design.features(), std::move(kept), from.design.degree(), from.design.parametrisation()),
      from.blocks);
  State& to = *result.state_;
  // The layout of a block depends on its two terms and the degree alone, so it is copied without change.
  to.need_parts(from.parts.size());
  for (std::size_t k = 0; k < from.parts.size(); ++k) {
    for (const StripLayout::Block& b : to.layout.blocks())
      std::ranges::copy(from.strip(from.parts[k], *from.layout.find(terms[b.left], terms[b.right])),
                        to.strip(to.parts[k], b).begin());
    for (std::size_t t = 0; t < terms.size(); ++t)
      std::ranges::copy(from.moment_strip(from.parts[k], terms[t]), to.moment_strip(to.parts[k], t).begin());
  }
  to.rows = from.rows;
  to.weight_sum = from.weight_sum;
  to.count_sum = from.count_sum;
  to.target_sum = from.target_sum;
  to.target_squares = from.target_squares;
  return result;
}

std::vector<std::byte> GramAccumulator::serialize() const {
  const State& state = *state_;
  ByteWriter out;
  out.section(design_bytes(state.design));
  out.u8(static_cast<std::uint8_t>(state.blocks));
  out.u64(state.rows);
  for (const double value : {state.weight_sum, state.target_sum, state.target_squares}) out.f64(value);
  for (std::size_t t = 0; t < state.design.terms().size(); ++t) out.f64s(state.folded_moments(t));
  for (const StripLayout::Block& b : state.layout.blocks()) out.f64s(block(b.left, b.right));
  out.f64(state.count_sum);
  return seal("KGRM", format_version, out.bytes());
}

namespace {

[[noreturn]] void sums_of_another_design() {
  throw Error(ErrorCode::corrupt_file, "sums_of_another_design",
              "The KORE Gram accumulator belongs to another design.");
}

}  // namespace

GramAccumulator GramAccumulator::deserialize(Design design, std::span<const std::byte> bytes) {
  const Opened opened = open_sealed(bytes, "KGRM", format_version, "Gram accumulator");
  ByteReader in(opened.content);
  const std::vector<std::byte> expected_design = design_bytes(design);
  if (!std::ranges::equal(in.section(), expected_design)) sums_of_another_design();
  const auto blocks = read_enum(in, GramBlocks::none);
  // The sums of a design take as much memory as its bytes, but for a few: shorter bytes are not its sums.
  if (numbers_in(design, blocks) > in.remaining() / sizeof(double)) sums_of_another_design();
  GramAccumulator gram(std::move(design), blocks);
  State& state = *gram.state_;
  state.rows = in.u64();
  for (double* value : {&state.weight_sum, &state.target_sum, &state.target_squares}) *value = in.f64();
  if (!(state.weight_sum >= 0)) sums_of_another_design();
  const auto read = [&in](std::size_t expected) {
    std::vector<double> dense = in.f64s();
    if (dense.size() != expected) sums_of_another_design();
    return dense;
  };
  for (std::size_t t = 0; t < state.design.terms().size(); ++t)
    state.layout.deposit_beside(t, moment_columns, read(state.design.raw_term_columns(t) * moment_columns),
                                state.moment_strip(state.parts[0], t));
  for (const StripLayout::Block& b : state.layout.blocks())
    state.layout.deposit(b,
                         read(state.design.raw_term_columns(b.left) * state.design.raw_term_columns(b.right)),
                         state.strip(state.parts[0], b));
  state.count_sum = opened.version < 2 ? state.weight_sum : in.f64();
  if (!(state.count_sum >= 0)) sums_of_another_design();
  return gram;
}

const Design& GramAccumulator::design() const { return state_->design; }
GramBlocks GramAccumulator::kept() const { return state_->blocks; }
std::size_t GramAccumulator::rows() const { return state_->rows; }
double GramAccumulator::weight_sum() const { return state_->weight_sum; }
double GramAccumulator::count_sum() const { return state_->count_sum; }
double GramAccumulator::target_sum() const { return state_->target_sum; }
double GramAccumulator::target_squares() const { return state_->target_squares; }

std::vector<double> GramAccumulator::block(std::size_t left, std::size_t right) const {
  const StripLayout::Block* found = state_->layout.find(left, right);
  if (found == nullptr)
    throw Error(ErrorCode::invalid_argument, "product_not_accumulated",
                "This product of terms was not accumulated.");
  return state_->folded(*found);
}

namespace {

/// One of the moments of all functions.
std::vector<double> moment(const Design& design, std::size_t which,
                           const std::function<std::vector<double>(std::size_t)>& folded) {
  std::vector<double> all;
  all.reserve(design.raw_columns());
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    const std::vector<double> moments = folded(t);
    const auto own = moments.begin() + static_cast<std::ptrdiff_t>(which * moments.size() / moment_columns);
    all.insert(all.end(), own, own + static_cast<std::ptrdiff_t>(moments.size() / moment_columns));
  }
  return all;
}

}  // namespace

std::vector<double> GramAccumulator::sums() const {
  return moment(state_->design, 0, [this](std::size_t t) { return state_->folded_moments(t); });
}

std::vector<double> GramAccumulator::target_products() const {
  return moment(state_->design, 1, [this](std::size_t t) { return state_->folded_moments(t); });
}

}  // namespace kore

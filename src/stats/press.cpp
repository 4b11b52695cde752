#include "stats/press.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "stats/cell_kernels.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

constexpr std::uint32_t format_version = 1;
// Below this distance from one, a leverage from the inverse has lost the digits that 1 - h needs.
constexpr double nearly_one = 1e-3;

class Piece {
 public:
  Piece(const PressInput& input, std::size_t capacity)
      : input_(input),
        local_(*input.design, capacity, input.inverse != nullptr),
        sums_(capacity * local_.width()),
        fitted_(capacity),
        leverages_(capacity),
        residuals_(capacity),
        losses_(capacity),
        gains_(capacity),
        ones_(capacity * local_.width()),
        zero_cells_(capacity) {
    for (std::size_t r = 0; r < capacity; ++r) ones_.data()[r * local_.width()] = 1;
    if (input.inverse == nullptr) return;
    cell_sums_ = AlignedBuffer(capacity * cell_sum_lanes);
    orders_.reserve(input.design->terms().size());
    for (std::size_t t = 0; t < input.design->terms().size(); ++t) {
      terms_.push_back(term_rows(*input.design, t, local_));
      orders_.emplace_back(terms_.back(), local_.width(), terms_.back().order > 1 ? capacity : 0);
    }
  }

  PressSums run(const RowBlock& block, std::size_t first, std::size_t rows, const PressRows& output) {
    const std::size_t features = input_.design->features().size();
    for (std::size_t j = 0; j < features; ++j)
      local_.evaluate(j, block.x, first, rows, Extrapolation::continue_polynomial);
    linear_form(*input_.design, input_.intercept, input_.coefficients, local_, rows, fitted_.data());
    const RowCounts counts = block.weights.part(first, rows);
    // A row that counts zero times may lie far outside the knots, where functions overflow.
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t j = 0; j < features && counts[r] == 0; ++j) local_.clear(j, r);
    const std::span<const double> target = block.y.subspan(first, rows);
    const std::span<const double> predictor = std::span(fitted_).first(rows);
    find_leverages(input_.response->working_rows(target, counts, predictor, memory_).weights, counts, rows);
    const PressSums sums = sum_losses(
        *input_.response, {target, predictor, std::span(leverages_).first(rows), counts}, input_.constant,
        {std::span(residuals_).first(rows), std::span(losses_).first(rows), std::span(gains_).first(rows)});
    write(output, first, rows);
    return sums;
  }

 private:
  /// Of the working rows: their weights times those of the functions.
  void find_leverages(const WorkingWeights& weights, const RowCounts& counts, std::size_t rows) {
    std::fill_n(leverages_.begin(), rows, 0.0);
    if (input_.exact == nullptr) return;
    std::vector<std::size_t> redo;
    if (input_.inverse == nullptr) {
      for (std::size_t r = 0; r < rows; ++r) redo.push_back(r);
    } else {
      contract_inverse(rows);
      for (std::size_t r = 0; r < rows; ++r)
        if (!(1 - weights[r] * leverages_[r] > nearly_one)) redo.push_back(r);
    }
    std::vector<double> exact(redo.size());
    if (!redo.empty()) input_.exact->compute(local_, redo, exact);
    for (std::size_t i = 0; i < redo.size(); ++i) leverages_[redo[i]] = exact[i];
    for (std::size_t r = 0; r < rows; ++r) leverages_[r] = counts[r] == 0 ? 0.0 : weights[r] * leverages_[r];
  }

  void contract_inverse(std::size_t rows) {
    const InverseStrips& inverse = *input_.inverse;
    const std::size_t width = local_.width();
    std::fill_n(sums_.data(), rows * width, 0.0);
    std::fill_n(cell_sums_.data(), rows * cell_sum_lanes, 0.0);
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      local_.multiply(t, rows);
      if (inverse.layout.interaction(t)) orders_[t].sort(terms_[t], nullptr, rows);
    }
    for (const StripLayout::Block& b : inverse.layout.blocks()) {
      if (b.by_cells)
        contract_with(terms_[b.other], b.sorted, inverse.strips.data() + b.offset);
      else if (b.plain)
        contract_dense(terms_[b.left], terms_[b.right], rows, width, inverse.strips.data() + b.offset,
                       sums_.data());
      else
        contract_strip(terms_[b.left], terms_[b.right], rows, width, inverse.strips.data() + b.offset,
                       sums_.data());
    }
    const TermRows one = constant_term();
    for (std::size_t t = 0; t < inverse.linear.size(); ++t) {
      if (inverse.layout.interaction(t))
        contract_with(one, t, inverse.linear[t].data());
      else
        contract_strip(terms_[t], one, rows, width, inverse.linear[t].data(), sums_.data());
    }
    for (std::size_t r = 0; r < rows; ++r) {
      leverages_[r] = inverse.constant;
      for (std::size_t v = 0; v < width; ++v) leverages_[r] += sums_.data()[r * width + v];
      for (std::size_t v = 0; v < cell_sum_lanes; ++v)
        leverages_[r] += cell_sums_.data()[r * cell_sum_lanes + v];
    }
  }

  void contract_with(const TermRows& left, std::size_t right, const double* block) {
    const std::size_t needed = scratch_size(left, orders_[right]);
    if (scratch_.size() < needed) scratch_ = AlignedBuffer(needed);
    contract_cells(left, terms_[right], orders_[right], local_.width(), block, scratch_.data(),
                   cell_sums_.data());
  }

  TermRows constant_term() const {
    TermRows one;
    one.values[0] = ones_.data();
    one.cells[0] = zero_cells_.data();
    one.functions[0] = 1;
    one.locals[0] = 1;
    one.products = one.values[0];
    one.first = one.cells[0];
    return one;
  }

  void write(const PressRows& output, std::size_t first, std::size_t rows) const {
    const auto copy = [&](const std::vector<double>& from, std::span<double> to) {
      if (!to.empty()) std::copy_n(from.begin(), rows, to.begin() + static_cast<std::ptrdiff_t>(first));
    };
    copy(residuals_, output.loo_residuals);
    copy(leverages_, output.leverages);
    copy(losses_, output.left_out_losses);
  }

  const PressInput& input_;
  LocalBlock local_;
  AlignedBuffer sums_;
  std::vector<double> fitted_;
  std::vector<double> leverages_;
  std::vector<double> residuals_;
  std::vector<double> losses_;
  std::vector<double> gains_;
  WorkingMemory memory_;
  AlignedBuffer ones_;
  std::vector<std::int32_t> zero_cells_;
  std::vector<TermRows> terms_;
  std::vector<CellOrder> orders_;
  AlignedBuffer scratch_;
  AlignedBuffer cell_sums_;
};

// Rows of a piece. Where there are interactions, more rows fill their cells better; pieces enough to share
// come first.
std::size_t piece_rows(const Design& design, std::size_t rows) {
  const std::size_t comfortable = LocalBlock::comfortable_rows(design, true);
  if (std::ranges::all_of(design.terms(), [](const Term& term) { return term.order() == 1; }))
    return std::min<std::size_t>(comfortable, 384);
  return std::min(comfortable, std::clamp<std::size_t>(rows / 8 / 64 * 64, 512, 4096));
}

}  // namespace

InverseStrips::InverseStrips(const Design& design)
    : layout(design, GramBlocks::all, StripLayout::Use::reading), strips(layout.size()) {}

PressSums sum_losses(const Response& response, const FittedRows& rows, const ConstantModel& constant,
                     const LeftOutRows& results) {
  const LossSums losses = response.left_out(rows, constant, results);
  PressSums sums;
  sums.rows = rows.target.size();
  sums.loss = losses.loss;
  sums.left_out_loss = losses.left_out_loss;
  for (std::size_t r = 0; r < sums.rows; ++r) {
    const double count = rows.counts[r];
    if (count == 0) continue;
    sums.weight_sum += count;
    sums.leverage += rows.leverage[r];
    sums.max_leverage = std::max(sums.max_leverage, rows.leverage[r]);
    sums.gain_mean += count * results.gains[r];
  }
  if (sums.weight_sum > 0) sums.gain_mean /= sums.weight_sum;
  for (std::size_t r = 0; r < sums.rows; ++r) {
    const double deviation = results.gains[r] - sums.gain_mean;
    sums.gain_squares += rows.counts[r] * deviation * deviation;
  }
  return sums;
}

PressSums press(const PressInput& input, const RowBlock& block, int threads, const PressRows& output) {
  const std::size_t step = piece_rows(*input.design, block.rows());
  const std::size_t pieces = (block.rows() + step - 1) / step;
  const int members =
      static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(resolve_threads(threads)), pieces));
  std::vector<PressSums> parts(pieces);
  // Each member has its own working memory and takes the next piece when it is done with one: where another
  // thread reads the rows that follow, members get different shares of the processors. No sum depends on who
  // computed it.
  std::atomic<std::size_t> next{0};
  parallel_for(static_cast<std::size_t>(std::max(members, 1)), members, [&](std::size_t) {
    Piece piece(input, std::min(step, std::max<std::size_t>(block.rows(), 1)));
    for (std::size_t p = next++; p < pieces; p = next++)
      parts[p] = piece.run(block, p * step, std::min(step, block.rows() - p * step), output);
  });
  PressSums total;
  for (const PressSums& part : parts) total.merge(part);
  return total;
}

double PressSums::signal_score() const {
  const double deviation = std::sqrt(gain_squares / (weight_sum - 1));
  return gain_mean / (1.96 * deviation / std::sqrt(weight_sum));
}

void PressSums::merge(const PressSums& other) {
  const double both = weight_sum + other.weight_sum;
  if (both > 0) {
    // Means and squared deviations of two groups combine without cancellation.
    const double gap = other.gain_mean - gain_mean;
    gain_squares += other.gain_squares + gap * gap * weight_sum * other.weight_sum / both;
    gain_mean += gap * other.weight_sum / both;
  }
  rows += other.rows;
  weight_sum = both;
  left_out_loss += other.left_out_loss;
  loss += other.loss;
  leverage += other.leverage;
  max_leverage = std::max(max_leverage, other.max_leverage);
}

std::vector<std::byte> PressSums::serialize() const {
  ByteWriter out;
  out.u64(rows);
  for (const double value :
       {weight_sum, left_out_loss, loss, leverage, max_leverage, gain_mean, gain_squares})
    out.f64(value);
  return seal("KPRS", format_version, out.bytes());
}

PressSums PressSums::deserialize(std::span<const std::byte> bytes) {
  ByteReader in(open_sealed(bytes, "KPRS", format_version, "PRESS sum").content);
  PressSums sums;
  sums.rows = in.u64();
  for (double* value : {&sums.weight_sum, &sums.left_out_loss, &sums.loss, &sums.leverage, &sums.max_leverage,
                        &sums.gain_mean, &sums.gain_squares})
    *value = in.f64();
  if (!(sums.weight_sum >= 0 && std::isfinite(sums.weight_sum)))
    throw Error(ErrorCode::corrupt_file, "damaged_press_sum",
                "The KORE PRESS sum is damaged: its sum of weights cannot be.");
  return sums;
}

}  // namespace kore

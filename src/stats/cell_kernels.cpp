// The loops over rows of interactions, cell by cell, compiled once per instruction set.
#include "stats/cell_kernels.hpp"

#include <array>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/cell_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One bucket of rows with everything that is the same for all of them.
struct Work {
  const TermRows& left;
  const TermRows& right;
  const CellOrder& order;
  std::size_t width;
  std::size_t left_leads = left.leads();
  std::size_t left_locals = left.last_locals();
  std::size_t left_functions = left.all_functions();
  std::size_t right_leads = right.leads();
  std::size_t right_locals = right.last_locals();
  std::size_t right_functions = right.all_functions();

  /// A buffer pays off when the rows of the bucket add to it at least about as often as its entries must be
  /// added to the matrix.
  bool buffered(const CellOrder::Bucket& bucket) const {
    return (bucket.last - bucket.first) * left_leads * left_locals >= left_functions;
  }
};

// The common case, pairs of cubic splines beside a cubic main effect (one leading function) or such a pair
// (four): sizes are compile-time constants, and the loops read local variables only.
template <std::size_t left_leads>
struct Cubic {
  static constexpr std::size_t width = 4;
  static constexpr std::size_t lanes = 16;
  static constexpr std::size_t step = hn::MaxLanes(hn::CappedTag<double, 8>());
  static constexpr std::size_t vectors = lanes / step;

  explicit Cubic(const Work& work)
      : rows(work.order.rows()),
        first(work.left.first),
        products(work.left.products),
        values(work.order.values()) {
    for (std::size_t lead = 0; lead < left_leads; ++lead) lead_at[lead] = work.left.lead_at[lead] * lanes;
  }
  HWY_INLINE std::size_t row(std::size_t i) const { return static_cast<std::size_t>(rows[i]); }
  HWY_INLINE const double* left(std::size_t row) const { return products + row * left_leads * width; }
  HWY_INLINE const double* right(std::size_t i) const { return values + i * lanes; }
  /// Where the buffer of a row's first function of left begins.
  HWY_INLINE std::size_t place(std::size_t row) const { return static_cast<std::size_t>(first[row]) * lanes; }

  const std::int32_t* rows;
  const std::int32_t* first;
  const double* products;
  const double* values;
  std::array<std::size_t, left_leads> lead_at;
};

// buffer[f][16] += left_f right for the rows of a bucket, a row of right in registers.
template <std::size_t leads>
HWY_INLINE void add_cubic_rows(const Work& work, const CellOrder::Bucket& bucket, double* buffer) {
  using C = Cubic<leads>;
  const C cubic(work);
  const hn::CappedTag<double, 8> d;
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    const std::size_t r = cubic.row(i);
    const double* HWY_RESTRICT a = cubic.left(r);
    double* HWY_RESTRICT at_row = buffer + cubic.place(r);
    decltype(hn::Zero(d)) right[C::vectors];
    for (std::size_t v = 0; v < C::vectors; ++v) right[v] = hn::Load(d, cubic.right(i) + v * C::step);
    for (std::size_t lead = 0; lead < leads; ++lead)
      for (std::size_t s = 0; s < C::width; ++s) {
        const auto value = hn::Set(d, a[lead * C::width + s]);
        double* HWY_RESTRICT to = at_row + cubic.lead_at[lead] + s * C::lanes;
        for (std::size_t v = 0; v < C::vectors; ++v)
          hn::Store(hn::MulAdd(value, right[v], hn::Load(d, to + v * C::step)), d, to + v * C::step);
      }
  }
}

// Any other sizes, with vectors of at most `cap` lanes.
template <int cap>
HWY_INLINE void add_rows(const Work& work, const CellOrder::Bucket& bucket, double* HWY_RESTRICT buffer) {
  const hn::CappedTag<double, cap> d;
  const std::size_t step = hn::Lanes(d);
  const std::size_t lanes = work.order.lanes();
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    const auto r = static_cast<std::size_t>(work.order.rows()[i]);
    const double* HWY_RESTRICT b = work.order.values() + i * lanes;
    const double* HWY_RESTRICT a = work.left.products + r * work.left_leads * work.width;
    double* at_row = buffer + static_cast<std::size_t>(work.left.first[r]) * lanes;
    for (std::size_t lead = 0; lead < work.left_leads; ++lead)
      for (std::size_t s = 0; s < work.left_locals; ++s) {
        const auto value = hn::Set(d, a[lead * work.width + s]);
        double* HWY_RESTRICT to = at_row + (work.left.lead_at[lead] + s) * lanes;
        for (std::size_t v = 0; v < lanes; v += step)
          hn::Store(hn::MulAdd(value, hn::Load(d, b + v), hn::Load(d, to + v)), d, to + v);
      }
  }
}

// Transposes four vectors of four. Instruction sets with narrower vectors do not have this: `has_quads` is
// then false.
using Quad = hn::CappedTag<double, 4>;
constexpr bool has_quads = HWY_MAX_BYTES >= 32;
template <class V>
HWY_INLINE void transpose([[maybe_unused]] V* v) {
#if HWY_MAX_BYTES >= 32
  const Quad d;
  const V low01 = hn::InterleaveLower(d, v[0], v[1]);
  const V high01 = hn::InterleaveUpper(d, v[0], v[1]);
  const V low23 = hn::InterleaveLower(d, v[2], v[3]);
  const V high23 = hn::InterleaveUpper(d, v[2], v[3]);
  v[0] = hn::ConcatLowerLower(d, low23, low01);
  v[1] = hn::ConcatLowerLower(d, high23, high01);
  v[2] = hn::ConcatUpperUpper(d, low23, low01);
  v[3] = hn::ConcatUpperUpper(d, high23, high01);
#endif
}

// Adds a buffer `[function of left][lanes]` to the matrix entries of its cell and sets it to zero. Works on
// blocks of four by four where both sizes are multiples of four: a column of the buffer is a piece of a row
// of the matrix.
template <std::size_t locals>
HWY_INLINE void flush(const Work& work, const CellOrder::Bucket& bucket, double* HWY_RESTRICT buffer,
                      double* HWY_RESTRICT block) {
  const std::size_t run = locals > 0 ? locals : work.right_locals;
  const std::size_t lanes = work.order.lanes();
  const std::size_t rows = work.left_functions;
  std::size_t f = 0;
  if constexpr (locals == 4 && has_quads) {
    const Quad d;
    for (; f + 4 <= rows; f += 4)
      for (std::size_t lead = 0; lead < work.right_leads; ++lead) {
        double* from = buffer + f * lanes + lead * 4;
        double* to = block + (bucket.function + work.right.lead_at[lead]) * rows + f;
        decltype(hn::Zero(d)) v[4];
        for (std::size_t k = 0; k < 4; ++k) {
          v[k] = hn::Load(d, from + k * lanes);
          hn::Store(hn::Zero(d), d, from + k * lanes);
        }
        transpose(v);
        for (std::size_t s = 0; s < 4; ++s)
          hn::StoreU(hn::Add(hn::LoadU(d, to + s * rows), v[s]), d, to + s * rows);
      }
  }
  for (; f < rows; ++f)
    for (std::size_t lead = 0; lead < work.right_leads; ++lead)
      for (std::size_t s = 0; s < run; ++s) {
        double& from = buffer[f * lanes + lead * work.width + s];
        block[(bucket.function + work.right.lead_at[lead] + s) * rows + f] += from;
        from = 0;
      }
}

// Where a cell has few rows, they are added to the matrix one by one.
template <std::size_t locals>
HWY_INLINE void add_directly(const Work& work, const CellOrder::Bucket& bucket, double* HWY_RESTRICT block) {
  const std::size_t run = locals > 0 ? locals : work.left_locals;
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    const auto r = static_cast<std::size_t>(work.order.rows()[i]);
    const double* HWY_RESTRICT b = work.order.values() + i * work.order.lanes();
    const double* HWY_RESTRICT a = work.left.products + r * work.left_leads * work.width;
    double* at_row =
        block + bucket.function * work.left_functions + static_cast<std::size_t>(work.left.first[r]);
    for (std::size_t other = 0; other < work.right_leads; ++other)
      for (std::size_t q = 0; q < work.right_locals; ++q) {
        double* to = at_row + (work.right.lead_at[other] + q) * work.left_functions;
        for (std::size_t lead = 0; lead < work.left_leads; ++lead)
          for (std::size_t s = 0; s < run; ++s)
            to[work.left.lead_at[lead] + s] += b[other * work.width + q] * a[lead * work.width + s];
      }
  }
}

// Copies the matrix entries of a cell into a buffer `[function of left][lanes]`.
template <std::size_t locals>
HWY_INLINE void gather(const Work& work, const CellOrder::Bucket& bucket, const double* HWY_RESTRICT block,
                       double* HWY_RESTRICT buffer) {
  const std::size_t run = locals > 0 ? locals : work.right_locals;
  const std::size_t lanes = work.order.lanes();
  const std::size_t rows = work.left_functions;
  std::size_t f = 0;
  if constexpr (locals == 4 && has_quads) {
    const Quad d;
    for (; f + 4 <= rows; f += 4)
      for (std::size_t lead = 0; lead < work.right_leads; ++lead) {
        const double* from = block + (bucket.function + work.right.lead_at[lead]) * rows + f;
        decltype(hn::Zero(d)) v[4];
        for (std::size_t s = 0; s < 4; ++s) v[s] = hn::LoadU(d, from + s * rows);
        transpose(v);
        for (std::size_t k = 0; k < 4; ++k) hn::Store(v[k], d, buffer + (f + k) * lanes + lead * 4);
      }
  }
  for (; f < rows; ++f)
    for (std::size_t lead = 0; lead < work.right_leads; ++lead) {
      double* to = buffer + f * lanes + lead * work.width;
      for (std::size_t s = 0; s < run; ++s)
        to[s] = block[(bucket.function + work.right.lead_at[lead] + s) * rows + f];
      for (std::size_t s = run; s < work.width; ++s) to[s] = 0;
    }
}

// sums[r] += (sum_f left_f buffer[f]) . right for the rows of a bucket, in the common case.
template <std::size_t leads>
HWY_INLINE void read_cubic_rows(const Work& work, const CellOrder::Bucket& bucket, const double* buffer,
                                double* sums) {
  using C = Cubic<leads>;
  const C cubic(work);
  const hn::CappedTag<double, 8> d;
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    const std::size_t r = cubic.row(i);
    const double* HWY_RESTRICT a = cubic.left(r);
    const double* HWY_RESTRICT at_row = buffer + cubic.place(r);
    decltype(hn::Zero(d)) even[C::vectors];
    decltype(hn::Zero(d)) odd[C::vectors];
    for (std::size_t v = 0; v < C::vectors; ++v) even[v] = odd[v] = hn::Zero(d);
    for (std::size_t lead = 0; lead < leads; ++lead)
      for (std::size_t s = 0; s < C::width; s += 2) {
        const auto value = hn::Set(d, a[lead * C::width + s]);
        const auto next = hn::Set(d, a[lead * C::width + s + 1]);
        const double* from = at_row + cubic.lead_at[lead] + s * C::lanes;
        for (std::size_t v = 0; v < C::vectors; ++v) {
          even[v] = hn::MulAdd(value, hn::Load(d, from + v * C::step), even[v]);
          odd[v] = hn::MulAdd(next, hn::Load(d, from + C::lanes + v * C::step), odd[v]);
        }
      }
    auto total = hn::Load(d, sums + r * cell_sum_lanes);
    for (std::size_t v = 0; v < C::vectors; ++v)
      total = hn::MulAdd(hn::Add(even[v], odd[v]), hn::Load(d, cubic.right(i) + v * C::step), total);
    hn::Store(total, d, sums + r * cell_sum_lanes);
  }
}

// Any other sizes.
template <int cap>
HWY_INLINE void read_rows(const Work& work, const CellOrder::Bucket& bucket,
                          const double* HWY_RESTRICT buffer, double* HWY_RESTRICT sums) {
  const hn::CappedTag<double, cap> d;
  const std::size_t step = hn::Lanes(d);
  const std::size_t lanes = work.order.lanes();
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    const auto r = static_cast<std::size_t>(work.order.rows()[i]);
    const double* HWY_RESTRICT b = work.order.values() + i * lanes;
    const double* HWY_RESTRICT a = work.left.products + r * work.left_leads * work.width;
    const double* at_row = buffer + static_cast<std::size_t>(work.left.first[r]) * lanes;
    auto total = hn::Load(d, sums + r * cell_sum_lanes);
    for (std::size_t v = 0; v < lanes; v += step) {
      auto part = hn::Zero(d);
      for (std::size_t lead = 0; lead < work.left_leads; ++lead)
        for (std::size_t s = 0; s < work.left_locals; ++s)
          part = hn::MulAdd(hn::Set(d, a[lead * work.width + s]),
                            hn::Load(d, at_row + (work.left.lead_at[lead] + s) * lanes + v), part);
      total = hn::MulAdd(part, hn::Load(d, b + v), total);
    }
    hn::Store(total, d, sums + r * cell_sum_lanes);
  }
}

// Where a cell has few rows, they read the matrix one by one.
HWY_INLINE void read_directly(const Work& work, const CellOrder::Bucket& bucket,
                              const double* HWY_RESTRICT block, double* HWY_RESTRICT sums) {
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    const auto r = static_cast<std::size_t>(work.order.rows()[i]);
    const double* HWY_RESTRICT b = work.order.values() + i * work.order.lanes();
    const double* HWY_RESTRICT a = work.left.products + r * work.left_leads * work.width;
    const double* at_row =
        block + bucket.function * work.left_functions + static_cast<std::size_t>(work.left.first[r]);
    double total = 0;
    for (std::size_t other = 0; other < work.right_leads; ++other)
      for (std::size_t q = 0; q < work.right_locals; ++q) {
        const double* from = at_row + (work.right.lead_at[other] + q) * work.left_functions;
        double product = 0;
        for (std::size_t lead = 0; lead < work.left_leads; ++lead)
          for (std::size_t s = 0; s < work.left_locals; ++s)
            product += from[work.left.lead_at[lead] + s] * a[lead * work.width + s];
        total += b[other * work.width + q] * product;
      }
    sums[r * cell_sum_lanes] += total;
  }
}

// Pairs of cubic splines beside a cubic main effect or another such pair.
HWY_INLINE bool cubic(const Work& work) {
  return work.width == 4 && work.left_locals == 4 && work.right_locals == 4 && work.order.lanes() == 16 &&
         (work.left_leads == 1 || work.left_leads == 4);
}

void AccumulateCells(const TermRows& left, const TermRows& right, const CellOrder& order, std::size_t width,
                     double* scratch, double* block) {
  const Work work{left, right, order, width};
  const bool common = cubic(work);
  for (const CellOrder::Bucket& bucket : order.buckets()) {
    if (!work.buffered(bucket)) {
      common ? add_directly<4>(work, bucket, block) : add_directly<0>(work, bucket, block);
      continue;
    }
    if (common)
      work.left_leads == 1 ? add_cubic_rows<1>(work, bucket, scratch)
                           : add_cubic_rows<4>(work, bucket, scratch);
    else
      order.lanes() % 8 == 0 ? add_rows<8>(work, bucket, scratch) : add_rows<4>(work, bucket, scratch);
    common ? flush<4>(work, bucket, scratch, block) : flush<0>(work, bucket, scratch, block);
  }
}

void ContractCells(const TermRows& left, const TermRows& right, const CellOrder& order, std::size_t width,
                   const double* block, double* scratch, double* sums) {
  const Work work{left, right, order, width};
  const bool common = cubic(work);
  for (const CellOrder::Bucket& bucket : order.buckets()) {
    if (!work.buffered(bucket)) {
      read_directly(work, bucket, block, sums);
      continue;
    }
    common ? gather<4>(work, bucket, block, scratch) : gather<0>(work, bucket, block, scratch);
    if (common)
      work.left_leads == 1 ? read_cubic_rows<1>(work, bucket, scratch, sums)
                           : read_cubic_rows<4>(work, bucket, scratch, sums);
    else
      order.lanes() % 8 == 0 ? read_rows<8>(work, bucket, scratch, sums)
                             : read_rows<4>(work, bucket, scratch, sums);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace kore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kore {

HWY_EXPORT(AccumulateCells);
HWY_EXPORT(ContractCells);

void accumulate_cells(const TermRows& left, const TermRows& right, const CellOrder& order, std::size_t width,
                      double* scratch, double* block) {
  HWY_DYNAMIC_DISPATCH(AccumulateCells)(left, right, order, width, scratch, block);
}

void contract_cells(const TermRows& left, const TermRows& right, const CellOrder& order, std::size_t width,
                    const double* block, double* scratch, double* sums) {
  HWY_DYNAMIC_DISPATCH(ContractCells)(left, right, order, width, block, scratch, sums);
}

}  // namespace kore
#endif

// The loops over rows, compiled once per instruction set and chosen at run time by Highway.
#include "stats/kernels.hpp"

#include <algorithm>

// Machines without AVX2 are old and use the baseline. Each instruction set left out saves a fifth of the
// compile time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "basis/local.hpp"

HWY_BEFORE_NAMESPACE();
namespace kore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Doubles from one cell of left to the next.
HWY_INLINE std::size_t cell_stride(const TermRows& right, std::size_t width) {
  return right.functions[0] * width;
}

HWY_INLINE bool one_cell(const TermRows& main_effect) {
  return main_effect.functions[0] == static_cast<std::size_t>(main_effect.locals[0]);
}

template <int width>
using Vector = hn::CappedTag<double, width>;

// The factors of a row, each broadcast to all lanes of a vector. Where they fill one register, one load and
// shuffles replace a load for each: loads are what limits these loops.
template <int width>
class Factors {
  using D = Vector<width>;
  static constexpr bool one_register = width == 4 && hn::MaxLanes(D()) == 4;

 public:
  HWY_INLINE Factors() {
    if constexpr (one_register)
      for (std::int64_t s = 0; s < width; ++s) {
        HWY_ALIGN const std::int64_t everywhere[width] = {s, s, s, s};
        lanes_[s] = hn::SetTableIndices(D(), everywhere);
      }
  }
  HWY_INLINE void load(const double* row) {
    row_ = row;
    if constexpr (one_register) all_ = hn::Load(D(), row);
  }
  HWY_INLINE auto get(int s) const {
    if constexpr (one_register)
      return hn::TableLookupLanes(all_, lanes_[s]);
    else
      return hn::Set(D(), row_[s]);
  }

 private:
  decltype(hn::Zero(D())) all_ = hn::Zero(D());
  decltype(hn::SetTableIndices(D(), static_cast<const std::int64_t*>(nullptr))) lanes_[width];
  const double* row_ = nullptr;
};

// strip[s] += right[s] * left for the `locals` consecutive functions of right's last coordinate. Rows without
// weights have their own version, with one multiplication less.
template <int width, int locals, bool weighted>
void accumulate_mains(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                      double* HWY_RESTRICT strip) {
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  const std::size_t stride = cell_stride(right, width);
  const double* HWY_RESTRICT a = left.values[0];
  const double* HWY_RESTRICT b = right.values[0];
  const std::int32_t* HWY_RESTRICT cell_a = left.cells[0];
  const std::int32_t* HWY_RESTRICT cell_b = right.cells[0];
  Factors<width> factors;
  for (std::size_t r = 0; r < rows; ++r, a += width, b += width) {
    factors.load(b);
    double* to =
        strip + static_cast<std::size_t>(cell_a[r]) * stride + static_cast<std::size_t>(cell_b[r]) * width;
    for (int v = 0; v < width; v += lanes) {
      auto scaled = hn::Load(d, a + v);
      if constexpr (weighted) scaled = hn::Mul(hn::Set(d, weights[r]), scaled);
      decltype(scaled) sums[locals];
      for (int s = 0; s < locals; ++s)
        sums[s] = hn::MulAdd(factors.get(s), scaled, hn::Load(d, to + s * width + v));
      for (int s = 0; s < locals; ++s) hn::Store(sums[s], d, to + s * width + v);
    }
  }
}

// With one cell on both sides every row adds to the same vectors, which stay in registers. Short partial
// sums, two at a time, keep the additions independent of each other and their rounding errors small.
template <int width, int locals>
void accumulate_single_cell(const TermRows& left, const TermRows& right, const double* weights,
                            std::size_t rows, double* strip) {
  constexpr std::size_t group = 64;
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  using V = decltype(hn::Zero(d));
  const auto weight = [weights](std::size_t r) { return weights == nullptr ? 1.0 : weights[r]; };
  for (std::size_t first = 0; first < rows; first += group) {
    const std::size_t last = std::min(first + group, rows);
    for (int v = 0; v < width; v += lanes) {
      V even[locals];
      V odd[locals];
      for (int s = 0; s < locals; ++s) even[s] = odd[s] = hn::Zero(d);
      std::size_t r = first;
      for (; r + 1 < last; r += 2) {
        const auto a0 = hn::Mul(hn::Set(d, weight(r)), hn::Load(d, left.values[0] + r * width + v));
        const auto a1 = hn::Mul(hn::Set(d, weight(r + 1)), hn::Load(d, left.values[0] + (r + 1) * width + v));
        for (int s = 0; s < locals; ++s) {
          even[s] = hn::MulAdd(hn::Set(d, right.values[0][r * width + s]), a0, even[s]);
          odd[s] = hn::MulAdd(hn::Set(d, right.values[0][(r + 1) * width + s]), a1, odd[s]);
        }
      }
      if (r < last) {
        const auto a0 = hn::Mul(hn::Set(d, weight(r)), hn::Load(d, left.values[0] + r * width + v));
        for (int s = 0; s < locals; ++s)
          even[s] = hn::MulAdd(hn::Set(d, right.values[0][r * width + s]), a0, even[s]);
      }
      for (int s = 0; s < locals; ++s) {
        double* at = strip + s * width + v;
        hn::Store(hn::Add(hn::Add(even[s], odd[s]), hn::Load(d, at)), d, at);
      }
    }
  }
}

// sums[r] += sum of factor[r][s] * (vector s of the block at row r), times beside[r]. The vectors are `apart`
// doubles from each other, and the cells of the row give the address of the first.
template <int width, int count, class Load>
HWY_INLINE void contract_rows(std::size_t rows, const double* factor_rows, const double* beside,
                              std::size_t apart, const double* block, const Load& place_of, double* sums) {
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  Factors<width> factors;
  for (std::size_t r = 0; r < rows; ++r) {
    const double* at = block + place_of(r);
    factors.load(factor_rows + r * width);
    for (int v = 0; v < width; v += lanes) {
      auto even = hn::Mul(factors.get(0), hn::LoadU(d, at + v));
      auto odd = hn::Zero(d);
      for (int s = 1; s < count; s += 2) {
        const double* next = at + static_cast<std::size_t>(s) * apart + v;
        odd = hn::MulAdd(factors.get(s), hn::LoadU(d, next), odd);
        if (s + 1 < count) even = hn::MulAdd(factors.get(s + 1), hn::LoadU(d, next + apart), even);
      }
      double* sum = sums + r * width + v;
      hn::Store(hn::MulAdd(hn::Add(even, odd), hn::Load(d, beside + r * width + v), hn::Load(d, sum)), d,
                sum);
    }
  }
}

template <int width, int locals>
void contract_mains(const TermRows& left, const TermRows& right, std::size_t rows, const double* strip,
                    double* sums) {
  const std::size_t stride = cell_stride(right, width);
  // Vector stores may alias anything: pointers that are not copied here are read again for every row.
  const std::int32_t* cell_left = left.cells[0];
  const std::int32_t* cell_right = right.cells[0];
  contract_rows<width, locals>(
      rows, right.values[0], left.values[0], width, strip,
      [=](std::size_t r) {
        return static_cast<std::size_t>(cell_left[r]) * stride +
               static_cast<std::size_t>(cell_right[r]) * width;
      },
      sums);
}

template <int width>
void contract_plain(const TermRows& left, const TermRows& right, std::size_t rows, const double* block,
                    double* sums) {
  const std::size_t columns = right.functions[0];
  const std::int32_t* cell_left = left.cells[0];
  const std::int32_t* cell_right = right.cells[0];
  contract_rows<width, width>(
      rows, left.values[0], right.values[0], columns, block,
      [=](std::size_t r) {
        return static_cast<std::size_t>(cell_left[r]) * columns + static_cast<std::size_t>(cell_right[r]);
      },
      sums);
}

// Calls `f` with the padded width and the number of right's local functions as compile-time constants.
template <class F>
HWY_INLINE void with_sizes(std::size_t width, int locals, F&& f) {
  if (width == 4) {
    switch (locals) {
      case 1:
        return f.template operator()<4, 1>();
      case 2:
        return f.template operator()<4, 2>();
      case 3:
        return f.template operator()<4, 3>();
      default:
        return f.template operator()<4, 4>();
    }
  }
  switch (locals) {
    case 1:
      return f.template operator()<8, 1>();
    case 2:
      return f.template operator()<8, 2>();
    case 3:
      return f.template operator()<8, 3>();
    case 4:
      return f.template operator()<8, 4>();
    case 5:
      return f.template operator()<8, 5>();
    case 6:
      return f.template operator()<8, 6>();
    case 7:
      return f.template operator()<8, 7>();
    default:
      return f.template operator()<8, 8>();
  }
}

void Accumulate(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                std::size_t width, double* strip) {
  const bool single_cell = one_cell(left) && one_cell(right);
  with_sizes(width, right.locals[0], [&]<int w, int k>() {
    if (single_cell)
      accumulate_single_cell<w, k>(left, right, weights, rows, strip);
    else if (weights == nullptr)
      accumulate_mains<w, k, false>(left, right, weights, rows, strip);
    else
      accumulate_mains<w, k, true>(left, right, weights, rows, strip);
  });
}

void Contract(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
              const double* strip, double* sums) {
  with_sizes(width, right.locals[0],
             [&]<int w, int k>() { contract_mains<w, k>(left, right, rows, strip, sums); });
}

void ContractDense(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
                   const double* block, double* sums) {
  if (width == 4)
    contract_plain<4>(left, right, rows, block, sums);
  else
    contract_plain<8>(left, right, rows, block, sums);
}

void Multiply(const TermRows& term, std::size_t rows, std::size_t width, double* products,
              std::int32_t* first) {
  const std::size_t last = at(term.order - 1);
  const std::size_t leads = term.leads();
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t function = 0;
    for (std::size_t c = 0; c <= last; ++c)
      function = function * term.functions[c] + static_cast<std::size_t>(term.cells[c][r]);
    first[r] = static_cast<std::int32_t>(function);
    const double* inner = term.values[last] + r * width;
    double* out = products + r * leads * width;
    for (std::size_t lead = 0; lead < leads; ++lead) {
      double factor = 0;
      if (term.order == 2)
        factor = term.values[0][r * width + lead];
      else
        factor = term.values[0][r * width + lead / at(term.locals[1])] *
                 term.values[1][r * width + lead % at(term.locals[1])];
      for (std::size_t s = 0; s < width; ++s) out[lead * width + s] = factor * inner[s];
    }
  }
}

// One register of rows at a time; an interleaving store puts the four values of a row side by side. The last
// rows are computed in the same way, so that a value does not depend on where a block ends.
void evaluate_cubic(const UniformBasis& basis, const double* x, std::ptrdiff_t stride, std::size_t count,
                    double* values, std::int32_t* cells) {
  constexpr std::size_t group = 64;
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> integers;
  const std::size_t lanes = hn::Lanes(d);
  const auto last_cell = hn::Set(d, basis.resolution() - 1);
  const auto sixth = hn::Set(d, 1.0 / 6.0);
  const auto middle = [&](auto u, auto square) HWY_ATTR {  // (u^2 (3 u - 6) + 4) / 6
    const auto inner = hn::MulAdd(hn::Set(d, 3.0), u, hn::Set(d, -6.0));
    return hn::Mul(hn::MulAdd(square, inner, hn::Set(d, 4.0)), sixth);
  };
  HWY_ALIGN double positions[group];
  HWY_ALIGN double tail_values[4 * group];
  HWY_ALIGN std::int32_t tail_cells[group];
  for (std::size_t first = 0; first < count; first += group) {
    const std::size_t rows = std::min(group, count - first);
    for (std::size_t r = 0; r < rows; ++r)
      positions[r] = basis.position(x[static_cast<std::ptrdiff_t>(first + r) * stride]);
    std::fill(positions + rows, positions + group, 0.0);
    const bool whole = rows == group;
    double* to = whole ? values + 4 * first : tail_values;
    std::int32_t* cell_to = whole ? cells + first : tail_cells;
    for (std::size_t r = 0; r < rows; r += lanes) {
      const auto position = hn::Load(d, positions + r);
      const auto cell = hn::DemoteTo(integers, hn::Max(hn::Zero(d), hn::Min(position, last_cell)));
      hn::StoreU(cell, integers, cell_to + r);
      const auto u = hn::Sub(position, hn::PromoteTo(d, cell));
      const auto v = hn::Sub(hn::Set(d, 1.0), u);
      const auto u2 = hn::Mul(u, u);
      const auto v2 = hn::Mul(v, v);
      hn::StoreInterleaved4(hn::Mul(hn::Mul(v2, v), sixth), middle(u, u2), middle(v, v2),
                            hn::Mul(hn::Mul(u2, u), sixth), d, to + 4 * r);
    }
    if (whole) continue;
    std::copy_n(tail_values, 4 * rows, values + 4 * first);
    std::copy_n(tail_cells, rows, cells + first);
  }
}

void Evaluate(const UniformBasis& basis, const double* x, std::ptrdiff_t stride, std::size_t count,
              std::size_t width, double* values, std::int32_t* cells) {
  if (basis.degree() == 3 && width == 4) return evaluate_cubic(basis, x, stride, count, values, cells);
  if (basis.degree() == 0) {
    for (std::size_t r = 0; r < count; ++r) {
      cells[r] = level_of(x[static_cast<std::ptrdiff_t>(r) * stride], basis.resolution());
      values[r * width] = 1;
    }
    return;
  }
  const double last_cell = basis.resolution() - 1;
  with_degree(basis.degree(), [&]<int degree>() {
    for (std::size_t r = 0; r < count; ++r) {
      const double position = basis.position(x[static_cast<std::ptrdiff_t>(r) * stride]);
      const auto cell = static_cast<std::int32_t>(std::max(0.0, std::min(position, last_cell)));
      cells[r] = cell;
      local_values<degree>(position - cell, values + r * width);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace kore
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kore {

HWY_EXPORT(Accumulate);
HWY_EXPORT(Contract);
HWY_EXPORT(ContractDense);
HWY_EXPORT(Evaluate);
HWY_EXPORT(Multiply);

void accumulate_strip(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                      std::size_t width, double* strip) {
  HWY_DYNAMIC_DISPATCH(Accumulate)(left, right, weights, rows, width, strip);
}

void contract_strip(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
                    const double* strip, double* sums) {
  HWY_DYNAMIC_DISPATCH(Contract)(left, right, rows, width, strip, sums);
}

void contract_dense(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
                    const double* block, double* sums) {
  HWY_DYNAMIC_DISPATCH(ContractDense)(left, right, rows, width, block, sums);
}

void multiply_locals(const TermRows& term, std::size_t rows, std::size_t width, double* products,
                     std::int32_t* first) {
  HWY_DYNAMIC_DISPATCH(Multiply)(term, rows, width, products, first);
}

void TermRows::place_leads() {
  lead_at[0] = 0;
  const auto inner = order > 1 ? functions[static_cast<std::size_t>(order - 1)] : 0;
  for (std::size_t lead = 0; lead < leads() && order > 1; ++lead) {
    const auto second = order == 3 ? static_cast<std::size_t>(locals[1]) : 1;
    const std::size_t outer = lead / second;
    const std::size_t middle = lead % second;
    lead_at[lead] = (order == 3 ? outer * functions[1] + middle : outer) * inner;
  }
}

void evaluate_marginal(const UniformBasis& basis, const double* x, std::ptrdiff_t stride, std::size_t count,
                       std::size_t width, double* values, std::int32_t* cells) {
  HWY_DYNAMIC_DISPATCH(Evaluate)(basis, x, stride, count, width, values, cells);
}

}  // namespace kore
#endif

// The loops over rows, compiled once per instruction set and chosen at run time by Highway.
#include "stats/kernels.hpp"

#include <algorithm>

// Machines without AVX2 are old enough to make do with the baseline: each set left out saves a fifth of the
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

constexpr std::size_t max_leads = 64;  // (degree + 1)^2 leading functions of a triple

HWY_INLINE constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

HWY_INLINE const double* products_of(const TermRows& term) {
  return term.order == 1 ? term.values[0] : term.products;
}

// Where the leading functions of a term begin at one row, in units of the last coordinate's functions.
HWY_INLINE void lead_offsets(const TermRows& term, std::size_t row, std::size_t* offsets) {
  if (term.order == 1) {
    offsets[0] = 0;
    return;
  }
  const auto cell0 = static_cast<std::size_t>(term.cells[0][row]);
  if (term.order == 2) {
    for (std::size_t a = 0; a < at(term.locals[0]); ++a) offsets[a] = cell0 + a;
    return;
  }
  const auto cell1 = static_cast<std::size_t>(term.cells[1][row]);
  for (std::size_t a = 0; a < at(term.locals[0]); ++a)
    for (std::size_t b = 0; b < at(term.locals[1]); ++b)
      offsets[a * at(term.locals[1]) + b] = (cell0 + a) * term.functions[1] + cell1 + b;
}

struct StripShape {
  std::size_t column = 0;  // doubles from one function of right's last coordinate to the next
  std::size_t cell = 0;    // ... from one cell of left's last coordinate to the next
  std::size_t lead = 0;    // ... from one leading function of left to the next
};

HWY_INLINE StripShape shape_of(const TermRows& left, const TermRows& right, std::size_t width) {
  std::size_t columns = 1;
  for (int c = 0; c < right.order; ++c) columns *= right.functions[static_cast<std::size_t>(c)];
  const auto last = static_cast<std::size_t>(left.order - 1);
  const std::size_t cells = left.functions[last] - static_cast<std::size_t>(left.locals[last]) + 1;
  return {width, columns * width, cells * columns * width};
}

HWY_INLINE bool one_cell(const TermRows& main_effect) {
  return main_effect.functions[0] == static_cast<std::size_t>(main_effect.locals[0]);
}

template <int width>
using Vector = hn::CappedTag<double, width>;

// strip[s] += right[s] * left for the `locals` consecutive functions of right's last coordinate.
template <int width, int locals>
HWY_INLINE void add_run(const double* HWY_RESTRICT left, const double* HWY_RESTRICT right, double scale,
                        double* HWY_RESTRICT strip) {
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  for (int v = 0; v < width; v += lanes) {
    const auto a = hn::Mul(hn::Set(d, scale), hn::Load(d, left + v));
    for (int s = 0; s < locals; ++s)
      hn::Store(hn::MulAdd(hn::Set(d, right[s]), a, hn::Load(d, strip + s * width + v)), d,
                strip + s * width + v);
  }
}

template <int width, int locals>
void accumulate_mains(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                      double* strip) {
  const StripShape shape = shape_of(left, right, width);
  const double* a = left.values[0];
  const double* b = right.values[0];
  const std::int32_t* cell_a = left.cells[0];
  const std::int32_t* cell_b = right.cells[0];
  for (std::size_t r = 0; r < rows; ++r)
    add_run<width, locals>(a + r * width, b + r * width, weights == nullptr ? 1.0 : weights[r],
                           strip + static_cast<std::size_t>(cell_a[r]) * shape.cell +
                               static_cast<std::size_t>(cell_b[r]) * shape.column);
}

// With one cell on both sides every row meets the same vectors: they stay in registers. Short partial sums,
// two at a time, keep the additions independent of each other and their rounding errors small.
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

// One row of an interaction on either side. The loop over left's leading functions is innermost: each value
// of right is broadcast once for all of them. `leads` is their number, or 0 if it is known at run time only.
template <int width, int locals, std::size_t leads>
void accumulate_tensors(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                        double* strip) {
  const StripShape shape = shape_of(left, right, width);
  const std::size_t left_last = at(left.order - 1);
  const std::size_t right_last = at(right.order - 1);
  const std::size_t lead_count = leads > 0 ? leads : left.leads();
  const std::size_t run_count = right.leads();
  const double* left_products = products_of(left);
  const double* right_products = products_of(right);
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  std::size_t lead_at[max_leads];
  std::size_t run_at[max_leads];
  alignas(64) double scaled[max_leads * width];
  for (std::size_t r = 0; r < rows; ++r) {
    lead_offsets(left, r, lead_at);
    lead_offsets(right, r, run_at);
    const double* a = left_products + r * lead_count * width;
    if (weights != nullptr) {
      for (std::size_t i = 0; i < lead_count * width; ++i) scaled[i] = weights[r] * a[i];
      a = scaled;
    }
    const double* b = right_products + r * run_count * width;
    double* at_cell = strip + static_cast<std::size_t>(left.cells[left_last][r]) * shape.cell +
                      static_cast<std::size_t>(right.cells[right_last][r]) * shape.column;
    for (std::size_t run = 0; run < run_count; ++run) {
      double* at_run = at_cell + run_at[run] * right.functions[right_last] * shape.column;
      for (int s = 0; s < locals; ++s) {
        const auto value = hn::Set(d, b[run * width + at(s)]);
        for (std::size_t lead = 0; lead < lead_count; ++lead) {
          double* to = at_run + lead_at[lead] * shape.lead + s * width;
          for (int v = 0; v < width; v += lanes)
            hn::Store(hn::MulAdd(value, hn::Load(d, a + lead * width + at(v)), hn::Load(d, to + v)), d,
                      to + v);
        }
      }
    }
  }
}

template <int width, int locals>
void contract_mains(const TermRows& left, const TermRows& right, std::size_t rows, const double* strip,
                    double* sums) {
  const StripShape shape = shape_of(left, right, width);
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  for (std::size_t r = 0; r < rows; ++r) {
    const double* at = strip + static_cast<std::size_t>(left.cells[0][r]) * shape.cell +
                       static_cast<std::size_t>(right.cells[0][r]) * shape.column;
    const double* b = right.values[0] + r * width;
    for (int v = 0; v < width; v += lanes) {
      auto even = hn::Mul(hn::Set(d, b[0]), hn::Load(d, at + v));
      auto odd = hn::Zero(d);
      for (int s = 1; s < locals; s += 2) {
        odd = hn::MulAdd(hn::Set(d, b[s]), hn::Load(d, at + s * width + v), odd);
        if (s + 1 < locals)
          even = hn::MulAdd(hn::Set(d, b[s + 1]), hn::Load(d, at + (s + 1) * width + v), even);
      }
      double* sum = sums + r * width + v;
      hn::Store(hn::MulAdd(hn::Add(even, odd), hn::Load(d, left.values[0] + r * width + v), hn::Load(d, sum)),
                d, sum);
    }
  }
}

template <int width, int locals, std::size_t leads>
void contract_tensors(const TermRows& left, const TermRows& right, std::size_t rows, const double* strip,
                      double* sums) {
  const StripShape shape = shape_of(left, right, width);
  const std::size_t left_last = at(left.order - 1);
  const std::size_t right_last = at(right.order - 1);
  const std::size_t lead_count = leads > 0 ? leads : left.leads();
  const std::size_t run_count = right.leads();
  const double* left_products = products_of(left);
  const double* right_products = products_of(right);
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  std::size_t lead_at[max_leads];
  std::size_t run_at[max_leads];
  for (std::size_t r = 0; r < rows; ++r) {
    lead_offsets(left, r, lead_at);
    lead_offsets(right, r, run_at);
    const double* a = left_products + r * lead_count * width;
    const double* b = right_products + r * run_count * width;
    const double* at_cell = strip + static_cast<std::size_t>(left.cells[left_last][r]) * shape.cell +
                            static_cast<std::size_t>(right.cells[right_last][r]) * shape.column;
    for (int v = 0; v < width; v += lanes) {
      auto total = hn::Load(d, sums + r * width + at(v));
      for (std::size_t lead = 0; lead < lead_count; ++lead) {
        // One sum per function of right's last coordinate: they do not wait for each other.
        decltype(hn::Zero(d)) parts[locals];
        for (int s = 0; s < locals; ++s) parts[s] = hn::Zero(d);
        const double* at_lead = at_cell + lead_at[lead] * shape.lead + v;
        for (std::size_t run = 0; run < run_count; ++run) {
          const double* from = at_lead + run_at[run] * right.functions[right_last] * shape.column;
          for (int s = 0; s < locals; ++s)
            parts[s] =
                hn::MulAdd(hn::Set(d, b[run * width + at(s)]), hn::Load(d, from + s * width), parts[s]);
        }
        for (int s = 1; s < locals; ++s) parts[0] = hn::Add(parts[0], parts[s]);
        total = hn::MulAdd(parts[0], hn::Load(d, a + lead * width + at(v)), total);
      }
      hn::Store(total, d, sums + r * width + at(v));
    }
  }
}

// Calls `f` with left's number of leading functions as a compile-time constant where it is a common one: main
// effects, and pairs up to cubic. Zero stands for any other number.
template <int width, int locals, class F>
HWY_INLINE void with_leads(std::size_t leads, F&& f) {
  constexpr std::size_t common = at(locals);
  if constexpr (width == 4) {
    if (leads == 1) return f.template operator()<1>();
    if (leads == common) return f.template operator()<common>();
  }
  f.template operator()<0>();
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
  const bool mains = left.order == 1 && right.order == 1;
  const bool single_cell = mains && one_cell(left) && one_cell(right);
  with_sizes(width, right.locals[static_cast<std::size_t>(right.order - 1)], [&]<int w, int k>() {
    if (single_cell)
      accumulate_single_cell<w, k>(left, right, weights, rows, strip);
    else if (mains)
      accumulate_mains<w, k>(left, right, weights, rows, strip);
    else
      with_leads<w, k>(left.leads(), [&]<std::size_t n>() {
        accumulate_tensors<w, k, n>(left, right, weights, rows, strip);
      });
  });
}

void Contract(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
              const double* strip, double* sums) {
  const bool mains = left.order == 1 && right.order == 1;
  with_sizes(width, right.locals[static_cast<std::size_t>(right.order - 1)], [&]<int w, int k>() {
    if (mains)
      contract_mains<w, k>(left, right, rows, strip, sums);
    else
      with_leads<w, k>(left.leads(),
                       [&]<std::size_t n>() { contract_tensors<w, k, n>(left, right, rows, strip, sums); });
  });
}

void Multiply(const TermRows& term, std::size_t rows, std::size_t width, double* products) {
  const std::size_t last = at(term.order - 1);
  const std::size_t leads = term.leads();
  for (std::size_t r = 0; r < rows; ++r) {
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

void Evaluate(const UniformBasis& basis, const double* x, std::ptrdiff_t stride, std::size_t count,
              std::size_t width, double* values, std::int32_t* cells) {
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

void multiply_locals(const TermRows& term, std::size_t rows, std::size_t width, double* products) {
  HWY_DYNAMIC_DISPATCH(Multiply)(term, rows, width, products);
}

void evaluate_marginal(const UniformBasis& basis, const double* x, std::ptrdiff_t stride, std::size_t count,
                       std::size_t width, double* values, std::int32_t* cells) {
  HWY_DYNAMIC_DISPATCH(Evaluate)(basis, x, stride, count, width, values, cells);
}

}  // namespace kore
#endif

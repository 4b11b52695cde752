// The loops over rows, compiled once per instruction set and chosen at run time by Highway.
#include "stats/kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "basis/local.hpp"

HWY_BEFORE_NAMESPACE();
namespace kore {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int max_leads = 64;  // (degree + 1)^2 leading functions of a triple
constexpr int max_runs = 64;

// The leading coordinates of a term at one row: offsets of their functions and products of their values.
struct Leads {
  int count = 1;
  std::size_t offset[max_leads];
  double value[max_leads];
};

HWY_INLINE void collect_leads(const TermRows& term, std::size_t row, std::size_t width, Leads& leads) {
  leads.count = 1;
  leads.offset[0] = 0;
  leads.value[0] = 1;
  if (term.order == 1) return;
  const int first = term.locals[0];
  const auto cell0 = static_cast<std::size_t>(term.cells[0][row]);
  const double* value0 = term.values[0] + row * width;
  if (term.order == 2) {
    leads.count = first;
    for (int a = 0; a < first; ++a) {
      leads.offset[a] = cell0 + static_cast<std::size_t>(a);
      leads.value[a] = value0[a];
    }
    return;
  }
  const int second = term.locals[1];
  const auto cell1 = static_cast<std::size_t>(term.cells[1][row]);
  const double* value1 = term.values[1] + row * width;
  leads.count = first * second;
  for (int a = 0; a < first; ++a)
    for (int b = 0; b < second; ++b) {
      leads.offset[a * second + b] =
          (cell0 + static_cast<std::size_t>(a)) * term.functions[1] + cell1 + static_cast<std::size_t>(b);
      leads.value[a * second + b] = value0[a] * value1[b];
    }
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

template <int width, int locals>
void accumulate_tensors(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                        double* strip) {
  const StripShape shape = shape_of(left, right, width);
  const auto left_last = static_cast<std::size_t>(left.order - 1);
  const auto right_last = static_cast<std::size_t>(right.order - 1);
  Leads leads;
  Leads runs;
  alignas(64) double scaled[max_runs * locals];
  for (std::size_t r = 0; r < rows; ++r) {
    collect_leads(left, r, width, leads);
    collect_leads(right, r, width, runs);
    const double weight = weights == nullptr ? 1.0 : weights[r];
    const double* last = right.values[right_last] + r * width;
    const auto cell = static_cast<std::size_t>(right.cells[right_last][r]);
    for (int run = 0; run < runs.count; ++run) {
      runs.offset[run] = (runs.offset[run] * right.functions[right_last] + cell) * shape.column;
      for (int s = 0; s < locals; ++s) scaled[run * locals + s] = runs.value[run] * last[s];
    }
    double* at_cell = strip + static_cast<std::size_t>(left.cells[left_last][r]) * shape.cell;
    const double* value = left.values[left_last] + r * width;
    for (int lead = 0; lead < leads.count; ++lead) {
      double* at_lead = at_cell + leads.offset[lead] * shape.lead;
      for (int run = 0; run < runs.count; ++run)
        add_run<width, locals>(value, scaled + run * locals, weight * leads.value[lead],
                               at_lead + runs.offset[run]);
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

template <int width, int locals>
void contract_tensors(const TermRows& left, const TermRows& right, std::size_t rows, const double* strip,
                      double* sums) {
  const StripShape shape = shape_of(left, right, width);
  const auto left_last = static_cast<std::size_t>(left.order - 1);
  const auto right_last = static_cast<std::size_t>(right.order - 1);
  const Vector<width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(Vector<width>()));
  Leads leads;
  Leads runs;
  alignas(64) double scaled[max_runs * locals];
  for (std::size_t r = 0; r < rows; ++r) {
    collect_leads(left, r, width, leads);
    collect_leads(right, r, width, runs);
    const double* last = right.values[right_last] + r * width;
    const auto cell = static_cast<std::size_t>(right.cells[right_last][r]);
    for (int run = 0; run < runs.count; ++run) {
      runs.offset[run] = (runs.offset[run] * right.functions[right_last] + cell) * shape.column;
      for (int s = 0; s < locals; ++s) scaled[run * locals + s] = runs.value[run] * last[s];
    }
    const double* at_cell = strip + static_cast<std::size_t>(left.cells[left_last][r]) * shape.cell;
    for (int v = 0; v < width; v += lanes) {
      auto total = hn::Zero(d);
      for (int lead = 0; lead < leads.count; ++lead) {
        const double* at_lead = at_cell + leads.offset[lead] * shape.lead + v;
        auto part = hn::Zero(d);
        for (int run = 0; run < runs.count; ++run)
          for (int s = 0; s < locals; ++s)
            part = hn::MulAdd(hn::Set(d, scaled[run * locals + s]),
                              hn::Load(d, at_lead + runs.offset[run] + s * width), part);
        total = hn::MulAdd(hn::Set(d, leads.value[lead]), part, total);
      }
      double* sum = sums + r * width + v;
      hn::Store(hn::MulAdd(total, hn::Load(d, left.values[left_last] + r * width + v), hn::Load(d, sum)), d,
                sum);
    }
  }
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
      accumulate_tensors<w, k>(left, right, weights, rows, strip);
  });
}

void Contract(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
              const double* strip, double* sums) {
  const bool mains = left.order == 1 && right.order == 1;
  with_sizes(width, right.locals[static_cast<std::size_t>(right.order - 1)], [&]<int w, int k>() {
    if (mains)
      contract_mains<w, k>(left, right, rows, strip, sums);
    else
      contract_tensors<w, k>(left, right, rows, strip, sums);
  });
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

void accumulate_strip(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                      std::size_t width, double* strip) {
  HWY_DYNAMIC_DISPATCH(Accumulate)(left, right, weights, rows, width, strip);
}

void contract_strip(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
                    const double* strip, double* sums) {
  HWY_DYNAMIC_DISPATCH(Contract)(left, right, rows, width, strip, sums);
}

void evaluate_marginal(const UniformBasis& basis, const double* x, std::ptrdiff_t stride, std::size_t count,
                       std::size_t width, double* values, std::int32_t* cells) {
  HWY_DYNAMIC_DISPATCH(Evaluate)(basis, x, stride, count, width, values, cells);
}

}  // namespace kore
#endif

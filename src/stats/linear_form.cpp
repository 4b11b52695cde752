#include "stats/linear_form.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "stats/kernels.hpp"
#include "stats/strips.hpp"

namespace kore {
namespace {

// Nested sums over the local functions of the coordinates from `c` on; `coefficients` is where they begin.
template <std::size_t c, std::size_t order>
double dot(const TermRows& term, std::size_t row, std::size_t width, const double* coefficients) {
  const double* value = term.values[c] + row * width;
  std::size_t stride = 1;
  for (std::size_t inner = c + 1; inner < order; ++inner) stride *= term.functions[inner];
  const double* at = coefficients + static_cast<std::size_t>(term.cells[c][row]) * stride;
  double total = 0;
  for (int s = 0; s < term.locals[c]; ++s, at += stride) {
    if constexpr (c + 1 == order)
      total += value[s] * *at;
    else
      total += value[s] * dot<c + 1, order>(term, row, width, at);
  }
  return total;
}

template <std::size_t order>
void add_tensor(const TermRows& term, std::size_t rows, std::size_t width, const double* coefficients,
                double* out) {
  for (std::size_t r = 0; r < rows; ++r) out[r] += dot<0, order>(term, r, width, coefficients);
}

void add_cubic_main(const TermRows& term, std::size_t rows, const double* coefficients, double* out) {
  const double* value = term.values[0];
  for (std::size_t r = 0; r < rows; ++r, value += 4) {
    const double* c = coefficients + term.cells[0][r];
    out[r] += (value[0] * c[0] + value[1] * c[1]) + (value[2] * c[2] + value[3] * c[3]);
  }
}

}  // namespace

void add_term_values(const Design& design, std::size_t term, std::span<const double> coefficients,
                     const LocalBlock& local, std::size_t rows, double* out) {
  const TermRows view = term_rows(design, term, local);
  const double* own = coefficients.data() + design.raw_offset(term);
  if (view.order == 1 && view.locals[0] == 4 && local.width() == 4)
    return add_cubic_main(view, rows, own, out);
  if (view.order == 1) return add_tensor<1>(view, rows, local.width(), own, out);
  if (view.order == 2) return add_tensor<2>(view, rows, local.width(), own, out);
  add_tensor<3>(view, rows, local.width(), own, out);
}

void linear_form(const Design& design, double intercept, std::span<const double> coefficients,
                 const LocalBlock& local, std::size_t rows, double* out) {
  std::fill_n(out, rows, intercept);
  for (std::size_t t = 0; t < design.terms().size(); ++t)
    add_term_values(design, t, coefficients, local, rows, out);
}

namespace {

/// Fewer rows are evaluated in less time than a thread takes to start.
constexpr std::size_t rows_worth_a_thread = 2048;

/// Calls `visit` with evaluated pieces of the rows, their first row and their number, on several threads.
void for_each_piece(const Design& design, Extrapolation outside, const MatrixView& x, int threads,
                    const auto& visit) {
  const std::size_t step = std::clamp<std::size_t>(x.rows(), 1, LocalBlock::comfortable_rows(design, false));
  const std::size_t pieces = (x.rows() + step - 1) / step;
  const std::size_t members =
      std::min({static_cast<std::size_t>(threads), pieces, 1 + x.rows() / rows_worth_a_thread});
  parallel_for(members, threads, [&](std::size_t member) {
    LocalBlock local(design, step, false);
    for (std::size_t piece = member; piece < pieces; piece += members) {
      const std::size_t first = piece * step;
      const std::size_t rows = std::min(step, x.rows() - first);
      for (std::size_t j = 0; j < design.features().size(); ++j) local.evaluate(j, x, first, rows, outside);
      visit(local, first, rows);
    }
  });
}

}  // namespace

void evaluate_rows(const Design& design, double intercept, std::span<const double> coefficients,
                   Extrapolation outside, const MatrixView& x, std::span<double> values, int threads) {
  for_each_piece(design, outside, x, threads,
                 [&](const LocalBlock& local, std::size_t first, std::size_t rows) {
                   linear_form(design, intercept, coefficients, local, rows, values.data() + first);
                 });
}

std::vector<std::vector<double>> evaluate_sums(const Design& design,
                                               std::span<const std::vector<std::size_t>> sums,
                                               std::span<const double> coefficients, Extrapolation outside,
                                               const MatrixView& x, int threads) {
  std::vector<std::vector<double>> values(sums.size(), std::vector<double>(x.rows()));
  for_each_piece(design, outside, x, threads,
                 [&](const LocalBlock& local, std::size_t first, std::size_t rows) {
                   for (std::size_t i = 0; i < sums.size(); ++i)
                     for (const std::size_t term : sums[i])
                       add_term_values(design, term, coefficients, local, rows, values[i].data() + first);
                 });
  return values;
}

}  // namespace kore

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "kore/solve.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

// BLAS is fastest at tall and narrow products.
constexpr std::size_t panel = 96;
constexpr std::size_t wide_panel = 192;

// Below this size starting threads costs more time than it saves.
int worthwhile_threads(std::size_t size, int threads) {
  return size < columns_worth_threads ? 1 : std::max(threads, 1);
}

struct Range {
  std::size_t first = 0;
  std::size_t size = 0;
};

std::vector<Range> panels_of(std::size_t size, std::size_t width) {
  std::vector<Range> panels;
  for (std::size_t first = 0; first < size; first += width)
    panels.push_back({first, std::min(width, size - first)});
  return panels;
}

// Shares of the rows for threads. Their borders must not depend on the number of threads.
std::vector<Range> shares_of(std::size_t first, std::size_t last) {
  constexpr std::size_t most = 4;
  constexpr std::size_t fewest_rows = 96;
  constexpr std::size_t together = 8;  // a cache line
  std::size_t count = 1;
  while (2 * count <= most && last - first >= 2 * count * fewest_rows) count *= 2;
  const std::size_t even = (last - first + count - 1) / count;
  const std::size_t rows = (even + together - 1) / together * together;
  std::vector<Range> shares;
  for (; first < last; first += rows) shares.push_back({first, std::min(rows, last - first)});
  return shares;
}

void check_entries(const char* what, std::size_t given, std::size_t needed) {
  if (given != needed)
    throw Error(ErrorCode::invalid_argument, "entry_count_mismatch",
                "{what} has {given} entries; it needs {needed}.",
                {{"what", what}, {"given", given}, {"needed", needed}});
}

// Copies the columns `own` of a symmetric matrix, above the diagonal, to the equal rows.
void mirror(std::vector<double>& matrix, std::size_t size, const Range& own) {
  constexpr std::size_t square = 8;  // cache lines on both sides
  for (std::size_t top = 0; top < own.first; top += square)
    for (std::size_t left = own.first; left < own.first + own.size; left += square)
      for (std::size_t i = top; i < std::min(top + square, own.first); ++i)
        for (std::size_t j = left; j < std::min(left + square, own.first + own.size); ++j)
          matrix[i * size + j] = matrix[j * size + i];
}

}  // namespace

NotPositiveDefinite::NotPositiveDefinite(std::size_t column)
    : NotPositiveDefinite(
          column, Message("matrix_not_positive_definite",
                          "The matrix is not positive definite: pivot {column} (counted from 0) is not "
                          "positive.",
                          {{"column", column}})) {}

Cholesky::Cholesky(std::vector<double> matrix, std::size_t size, int threads)
    : size_(size), factor_(std::move(matrix)) {
  check_entries("The matrix to factor", factor_.size(), size * size);
  std::size_t refused = 0;
  const int members = worthwhile_threads(size, threads);
  parallel_region(members, [&](int member, std::barrier<>& barrier) {
    for (const Range& columns : panels_of(size, panel)) {
      const auto share = [&](std::size_t first, const auto& work) {
        const std::vector<Range> shares = shares_of(first, size);
        for (std::size_t s = static_cast<std::size_t>(member); s < shares.size();
             s += static_cast<std::size_t>(members))
          work(shares[s], factor_.data() + columns.first * size + shares[s].first);
        barrier.arrive_and_wait();
      };
      double* diagonal = factor_.data() + columns.first * size + columns.first;
      if (columns.first > 0)
        share(columns.first, [&](const Range& rows, double* own) {
          subtract_outer(factor_.data() + rows.first, rows.size, size, factor_.data() + columns.first,
                         columns.size, size, columns.first, own, size);
        });
      if (member == 0)
        if (const std::size_t bad = factor_lower(diagonal, columns.size, size); bad > 0)
          refused = columns.first + bad;
      barrier.arrive_and_wait();
      if (refused > 0) return;
      share(columns.first + columns.size, [&](const Range& rows, double* own) {
        solve_right_transposed(diagonal, columns.size, size, own, rows.size, size);
      });
    }
  });
  if (refused > 0) throw NotPositiveDefinite(refused - 1);
}

std::vector<double> Cholesky::solve(std::span<const double> right_hand_side) const {
  check_entries("The right-hand side", right_hand_side.size(), size_);
  std::vector<double> x(right_hand_side.begin(), right_hand_side.end());
  solve_left(factor_.data(), size_, size_, x.data(), 1, size_);
  solve_left_transposed(factor_.data(), size_, size_, x.data(), 1, size_);
  return x;
}

void Cholesky::half_solve(std::span<double> columns, std::size_t count) const {
  check_entries("The array of columns", columns.size(), size_ * count);
  solve_left(factor_.data(), size_, size_, columns.data(), count, size_);
}

std::vector<double> Cholesky::inverse_factor(int threads) const {
  std::vector<double> inverse(size_ * size_);
  const std::vector<Range> panels = panels_of(size_, wide_panel);
  parallel_for(panels.size(), worthwhile_threads(size_, threads), [&](std::size_t t) {
    const auto [first, width] = panels[t];
    double* block = inverse.data() + first * size_ + first;
    for (std::size_t c = 0; c < width; ++c) block[c * size_ + c] = 1;
    solve_left(factor_.data() + first * size_ + first, size_ - first, size_, block, width, size_);
  });
  return inverse;
}

std::vector<double> lower_gram(std::span<const double> lower, std::size_t size, int threads) {
  check_entries("The lower triangular matrix", lower.size(), size * size);
  std::vector<double> gram(size * size);
  const std::vector<Range> panels = panels_of(size, panel);
  parallel_for(panels.size(), worthwhile_threads(size, threads), [&](std::size_t p) {
    const Range& own = panels[p];  // whose columns are zero above their first row
    inner_product(lower.data() + own.first, own.first + own.size, size,
                  lower.data() + own.first * size + own.first, own.size, size, size - own.first,
                  gram.data() + own.first * size, size);
    mirror(gram, size, own);
  });
  return gram;
}

}  // namespace kore

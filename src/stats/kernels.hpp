#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kore/basis.hpp"

namespace kore {

/// A term as the kernels see it: for each of its coordinates the local values and cells of the rows of a
/// block.
struct TermRows {
  static constexpr std::size_t max_leads = 64;  ///< (degree + 1)^2 leading functions of a triple

  int order = 1;
  std::array<const double*, 3> values{};  ///< `[row][width]`
  std::array<const std::int32_t*, 3> cells{};
  std::array<std::size_t, 3> functions{};  ///< All functions of the coordinate.
  std::array<int, 3> locals{};             ///< Those that are not zero at a point.
  /// Products of the local values, `[row][leads()][width]`, computed once per row by `multiply_locals` to
  /// serve every pair of terms; for a main effect `values[0]`.
  const double* products = nullptr;
  /// Per row the first function of the whole term, last coordinate fastest, that is not zero; for a main
  /// effect `cells[0]`.
  const std::int32_t* first = nullptr;
  /// Where the functions of each leading combination begin, relative to `first`.
  std::array<std::size_t, max_leads> lead_at{};

  /// Local functions of all coordinates but the last.
  std::size_t leads() const {
    std::size_t count = 1;
    for (int c = 0; c + 1 < order; ++c)
      count *= static_cast<std::size_t>(locals[static_cast<std::size_t>(c)]);
    return count;
  }
  std::size_t last_locals() const {
    return static_cast<std::size_t>(locals[static_cast<std::size_t>(order - 1)]);
  }
  std::size_t all_functions() const {
    std::size_t count = 1;
    for (int c = 0; c < order; ++c) count *= functions[static_cast<std::size_t>(c)];
    return count;
  }
  /// Sets `lead_at` from the sizes of the coordinates.
  void place_leads();
};

/// Fills the products and first functions of an interaction.
void multiply_locals(const TermRows& term, std::size_t rows, std::size_t width, double* products,
                     std::int32_t* first);

/// A *strip* holds the block of a symmetric matrix that belongs to two main effects in a layout in which a
/// row's part is a few whole vectors: `[cell of left][functions of right][width]`. The innermost index runs
/// over the local functions of left. Several cells hold a share of the same matrix entry; folding adds them.
///
/// Adds `w_r left_r (x) right_r` of every row to `strip`. `weights` may be null.
void accumulate_strip(const TermRows& left, const TermRows& right, const double* weights, std::size_t rows,
                      std::size_t width, double* strip);

/// Adds `left_r' S right_r` to `sums[r][0..width)`, still to be summed over `width`, for the block S in
/// `strip`.
void contract_strip(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
                    const double* strip, double* sums);

/// The same for a dense block, `[functions of left][functions of right]`, of terms with `width` local
/// functions each.
void contract_dense(const TermRows& left, const TermRows& right, std::size_t rows, std::size_t width,
                    const double* block, double* sums);

/// Evaluates `count` points that lie `stride` doubles apart into values (`width` per row) and cells. Points
/// outside follow the polynomial. The padding after the local functions is not written.
void evaluate_marginal(const UniformBasis& basis, const double* x, std::ptrdiff_t stride, std::size_t count,
                       std::size_t width, double* values, std::int32_t* cells);

}  // namespace kore

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned.hpp"
#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore {

/// Basis values of a block of rows, coordinate by coordinate, so that a kernel streams over a few small
/// arrays: for every marginal of a design and every row, the cell and the functions that are not zero there,
/// padded with zeros to `width`.
class LocalBlock {
 public:
  /// `interactions` makes room for the products of interactions.
  LocalBlock(const Design& design, std::size_t capacity, bool interactions);

  /// Doubles per row and marginal: 4 up to cubic, 8 above. One vector register, or half of one.
  static std::size_t width_for(int degree) { return degree <= 3 ? 4 : 8; }
  /// How many rows to evaluate at once: so many that their values stay in the second-level cache; with
  /// interactions more, tens of megabytes, so that cells have many rows.
  static std::size_t comfortable_rows(const Design& design, bool interactions);

  std::size_t width() const { return width_; }
  std::size_t capacity() const { return capacity_; }
  /// Evaluates all marginals of one feature at rows `first .. first + rows` of `x`; points outside the
  /// training range are treated as `outside` says. A warped feature is mapped once for all of them.
  void evaluate(std::size_t feature, const MatrixView& x, std::size_t first, std::size_t rows,
                Extrapolation outside);

  /// Makes the values of all marginals of a feature at a row zero.
  void clear(std::size_t feature, std::size_t row);
  /// Multiplies the local values of an interaction, whose marginals have been evaluated. Nothing to do for a
  /// main effect. Needed by the kernels for pairs of terms, not for predictions.
  void multiply(std::size_t term, std::size_t rows);

  /// Of an interaction; null in a block without products.
  const double* products(std::size_t term) const {
    return products_.size() == 0 ? nullptr : products_.data() + product_offsets_[term] * capacity_;
  }
  const std::int32_t* first(std::size_t term) const {
    return first_.empty() ? nullptr : first_.data() + first_offsets_[term] * capacity_;
  }
  const double* values(std::size_t marginal) const { return values_.data() + marginal * capacity_ * width_; }
  const std::int32_t* cells(std::size_t marginal) const { return cells_.data() + marginal * capacity_; }

 private:
  void evaluate_marginal_at(std::size_t marginal, const ColumnView& mapped, std::size_t to, std::size_t rows,
                            Extrapolation outside);

  const Design* design_;
  std::size_t capacity_;
  std::size_t width_;
  std::vector<std::vector<std::size_t>> marginals_of_;  // per feature
  AlignedBuffer values_;
  std::vector<std::int32_t> cells_;
  std::vector<std::size_t> product_offsets_;  // per term, in doubles per row
  AlignedBuffer products_;
  std::vector<std::size_t> first_offsets_;  // per term, in numbers per row
  std::vector<std::int32_t> first_;
};

}  // namespace kore

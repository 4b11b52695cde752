#include "stats/cell_order.hpp"

#include <algorithm>

namespace kore {

CellOrder::CellOrder(const TermRows& term, std::size_t width, std::size_t capacity)
    : lanes_(term.leads() * width),
      values_(lanes_ * capacity),
      rows_(capacity),
      starts_(term.all_functions() + 1) {}

void CellOrder::sort(const TermRows& term, const double* weights, std::size_t rows) {
  std::fill(starts_.begin(), starts_.end(), 0);
  for (std::size_t r = 0; r < rows; ++r) ++starts_[static_cast<std::size_t>(term.first[r]) + 1];
  buckets_.clear();
  for (std::size_t f = 0; f + 1 < starts_.size(); ++f) {
    const std::size_t count = starts_[f + 1];
    starts_[f + 1] = starts_[f] + count;
    if (count > 0) buckets_.push_back({starts_[f], starts_[f + 1], f});
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t to = starts_[static_cast<std::size_t>(term.first[r])]++;
    rows_[to] = static_cast<std::int32_t>(r);
    const double weight = weights == nullptr ? 1.0 : weights[r];
    const double* from = term.products + r * lanes_;
    for (std::size_t i = 0; i < lanes_; ++i) values_.data()[to * lanes_ + i] = weight * from[i];
  }
}

}  // namespace kore

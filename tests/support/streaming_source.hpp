#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "support/made_up_rows.hpp"

namespace kore::test {

/// Rows that come in blocks of uneven sizes from a place that is not memory, as a file would give them. Every
/// block lives in a buffer of its own that is gone when the visit ends, and passes are counted.
class StreamingSource final : public RowSource {
 public:
  explicit StreamingSource(const Rows& rows, std::vector<std::size_t> sizes = {1, 97, 0, 256, 31})
      : rows_(rows), sizes_(std::move(sizes)) {}

  std::size_t columns() const override { return rows_.columns; }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override {
    ++passes_;
    std::size_t first = 0;
    for (std::size_t i = 0; first < rows_.count; ++i) {
      const std::size_t length = std::min(sizes_[i % sizes_.size()], rows_.count - first);
      const Rows piece = rows_.slice(first, length);
      visit(piece.block());
      first += length;
    }
  }
  int passes() const { return passes_; }

 private:
  const Rows& rows_;
  std::vector<std::size_t> sizes_;
  mutable int passes_ = 0;
};

}  // namespace kore::test

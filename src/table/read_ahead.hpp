#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "kore/rows.hpp"

namespace kore::table {

/// Encoded rows with memory of their own: column-major, with room for `stride` rows.
struct OwnedBlock {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> weights;
  std::vector<double> groups;

  std::size_t rows() const { return y.size(); }
  /// Makes room for other rows.
  void clear() {
    y.clear();
    weights.clear();
    groups.clear();
  }
};

/// Takes a filled block and replaces it by an empty one of the same capacity. False: no more blocks are
/// wanted.
using Deliver = std::function<bool(OwnedBlock&)>;

/// Runs `read` on a thread of its own and `visit` on this one, block by block in the order of delivery, with
/// at most `ahead` blocks between them. Exceptions of both are rethrown here, after the thread has ended;
/// those of `read` after the blocks it had delivered.
void read_ahead(std::size_t ahead, const std::function<void(const Deliver&)>& read,
                const std::function<void(const OwnedBlock&)>& visit);

}  // namespace kore::table

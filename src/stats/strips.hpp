#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/statistics.hpp"
#include "stats/kernels.hpp"
#include "stats/local_block.hpp"

namespace kore {

/// Where the strip of each pair of terms lives in one long buffer (see kernels.hpp for what a strip is).
/// Terms come by rising order, so that the cheaper term is on the left.
class StripLayout {
 public:
  struct Block {
    std::size_t left = 0;
    std::size_t right = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
    double cost = 0;  ///< Multiplications per row, to share the work evenly.
  };

  StripLayout(const Design& design, GramBlocks blocks);

  const std::vector<Block>& blocks() const { return blocks_; }
  std::size_t size() const { return size_; }
  double cost() const { return cost_; }
  std::size_t width() const { return width_; }

  /// A strip whose right side has `columns` functions: its size, and the dense row-major block (functions of
  /// left times `columns`) it stands for.
  std::size_t strip_size(std::size_t left, std::size_t columns) const;
  std::vector<double> fold(std::size_t left, std::size_t columns, std::span<const double> strip) const;
  /// Every cell gets the full entry, as reading needs it.
  void spread(std::size_t left, std::size_t columns, std::span<const double> dense, double factor,
              std::span<double> strip) const;
  /// Adds each entry to one of its cells only, so that folding gives it back.
  void deposit(std::size_t left, std::size_t columns, std::span<const double> dense,
               std::span<double> strip) const;

  /// Ranges of blocks, one for each of `members`, of nearly equal cost.
  std::vector<std::size_t> shares(int members) const;

 private:
  struct Left {
    std::size_t leads = 1;      // functions of all coordinates but the last
    std::size_t cells = 1;      // cells of the last coordinate
    std::size_t functions = 1;  // functions of the last coordinate
    std::size_t locals = 1;     // of them at a point
  };
  template <class Visit>
  void for_each_entry(std::size_t left, std::size_t columns, Visit&& visit) const;

  std::vector<Left> left_;
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
  double cost_ = 0;
  std::size_t width_;
};

/// The rows of a term, as the kernels want them.
TermRows term_rows(const Design& design, std::size_t term, const LocalBlock& local);

}  // namespace kore

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/statistics.hpp"
#include "stats/kernels.hpp"
#include "stats/local_block.hpp"

namespace kore {

/// How many numbers the products of a design's terms are, written out.
std::size_t numbers_in(const Design& design, GramBlocks blocks);

/// Where the block of each pair of terms lives in one long buffer. Blocks of two main effects are strips (see
/// kernels.hpp for what a strip is); those with an interaction are dense, `[functions of one][functions of
/// the interaction]`, because rows reach them cell by cell.
class StripLayout {
 public:
  /// For adding, blocks of main effects are strips, because otherwise consecutive rows would wait for each
  /// other's stores. For reading, long strips, which do not fit into the first-level cache, become dense.
  enum class Use { adding, reading };

  struct Block {
    std::size_t left = 0;
    std::size_t right = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
    double cost = 0;        ///< Multiplications per row, to share the work evenly.
    bool by_cells = false;  ///< Dense, with an interaction.
    bool plain = false;     ///< Dense, `[functions of left][functions of right]`, of two main effects.
    /// Dense blocks: the interaction whose rows are sorted, right if both are one, and the other term.
    std::size_t sorted = 0;
    std::size_t other = 0;
  };

  StripLayout(const Design& design, GramBlocks blocks, Use use = Use::adding);

  const std::vector<Block>& blocks() const { return blocks_; }
  /// The block of two terms, `left <= right`; null if there is none.
  const Block* find(std::size_t left, std::size_t right) const;
  std::size_t size() const { return size_; }
  double cost() const { return cost_; }
  std::size_t width() const { return width_; }
  bool interaction(std::size_t term) const { return terms_[term].interaction; }

  /// The dense row-major block that is stored at `stored`.
  std::vector<double> fold(const Block& block, std::span<const double> stored) const;
  /// Stores `factor * dense` for reading: every cell of a strip gets the full entry.
  void spread(const Block& block, std::span<const double> dense, double factor,
              std::span<double> stored) const;
  /// Adds a dense block to what is stored: each entry to one of its cells only, so that folding gives it
  /// back.
  void deposit(const Block& block, std::span<const double> dense, std::span<double> stored) const;

  /// The same for `rows` further functions, such as one and the target, that are no term of the design beside
  /// the functions of a term: the dense block is `[rows][functions of the term]`.
  std::size_t beside_size(std::size_t term, std::size_t rows) const;
  std::vector<double> fold_beside(std::size_t term, std::size_t rows, std::span<const double> stored) const;
  void spread_beside(std::size_t term, std::size_t rows, std::span<const double> dense, double factor,
                     std::span<double> stored) const;
  void deposit_beside(std::size_t term, std::size_t rows, std::span<const double> dense,
                      std::span<double> stored) const;

  /// Ranges of blocks, one for each of `members`, of nearly equal cost.
  std::vector<std::size_t> shares(int members) const;

 private:
  struct Shape {
    bool interaction = false;
    std::size_t functions = 1;  // all of the term
    std::size_t cells = 1;      // of a main effect
    std::size_t locals = 1;     // of a main effect, at a point
  };
  std::size_t strip_size(const Shape& left, std::size_t columns) const;
  bool read_densely(const Shape& left, const Shape& right) const;
  template <class Visit>
  void for_each_entry(const Shape& left, std::size_t columns, Visit&& visit) const;

  std::vector<Shape> terms_;
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
  double cost_ = 0;
  std::size_t width_;
};

/// The rows of a term, as the kernels want them.
TermRows term_rows(const Design& design, std::size_t term, const LocalBlock& local);

}  // namespace kore

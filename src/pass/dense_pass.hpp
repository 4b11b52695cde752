#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "solve/normal_equations.hpp"
#include "stats/dense_rows.hpp"

namespace kore {

/// The normal equations from dense rows, a panel of them at a time: every row scaled by the root of its
/// weight, so that one product of the panel with itself adds up all sums. Threads share the rows of a panel
/// while it is filled and tiles of the matrix while it is multiplied, so that every sum runs in the order of
/// the rows.
class DensePass final : public Pass {
 public:
  /// The maps belong to the design.
  DensePass(Design design, std::vector<TermMap> maps);
  static std::unique_ptr<Pass> read(ByteReader& task);

  /// With matrix and right side alone; the scalars are for the caller to fill in.
  NormalEquations take() && { return std::move(equations_); }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  void fill(const RowBlock& block, std::size_t first, std::size_t count, int threads);
  void multiply(std::size_t count, int threads);

  Design design_;
  NormalEquations equations_;
  DenseRows rows_;
  std::vector<double> panel_;  // takes memory when the first rows come
  std::vector<double> targets_;
  std::vector<std::pair<std::size_t, std::size_t>> tiles_;
};

/// The normal equations from dense rows in one product per panel of rows: cheaper than local products where
/// the columns are few beside the overlap of their terms. Reads the rows twice, for the means of the
/// functions come first.
NormalEquations dense_normal_equations(const Design& design, const RowSource& source, int threads);

}  // namespace kore

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "kore/response.hpp"
#include "solve/normal_equations.hpp"
#include "stats/dense_rows.hpp"

namespace kore {

/// The normal equations of a response that fits in one step, from dense rows, a panel of them at a time:
/// every row scaled by the root of its working weight, so that products of the panel with itself add up all
/// sums. Blocks of many rows are cut into parts with sums of their own; how many depends on the rows and the
/// columns, never on the threads.
class DensePass final : public Pass {
 public:
  /// The maps belong to the design.
  DensePass(Design design, std::vector<TermMap> maps, const Response& response = normal_response());
  static std::unique_ptr<Pass> read(ByteReader& task, std::uint64_t most_bytes);

  /// Matrix and right side only; the caller fills in the scalars.
  NormalEquations take() &&;

  void add(const RowBlock& block, int threads) override;
  void add(const WorkingBlock& block, int threads);
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  struct Sums {
    std::vector<double> matrix;  // lower triangle
    std::vector<double> right;
  };
  /// Dense rows, `[row][column]`, and their targets, both times the roots of the weights.
  struct Panel {
    std::vector<double> rows;
    std::vector<double> targets;
  };

  std::size_t parts_of(std::size_t rows) const;
  void add_rows(const WorkingBlock& block, std::size_t first, std::size_t count, Sums& part) const;
  void weigh(const WorkingBlock& block, std::size_t first, Panel& panel) const;
  void multiply(const Panel& panel, Sums& part) const;
  Sums sum_of_parts() const;

  Design design_;
  std::vector<TermMap> maps_;
  const Response& response_;
  DenseRows rows_;
  std::vector<Sums> parts_;  // allocated when the first rows are added
};

/// The normal equations from dense rows in one product per panel of rows: cheaper than local products where
/// the columns are few and many terms overlap. Reads the rows twice: first for the means of the
/// functions.
NormalEquations dense_normal_equations(const Design& design, const RowSource& source, int threads,
                                       const Response& response = normal_response());
/// The same of working rows in memory.
NormalEquations dense_normal_equations(const Design& design, const WorkingBlock& rows, int threads);

}  // namespace kore

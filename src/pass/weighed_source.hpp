#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "pass/gram_passes.hpp"
#include "pass/pass_around.hpp"

namespace kore {

/// How rows are weighed whose weights depend on a fit: by the working rows of a response at the values of a
/// fitted function.
class RowWeighing {
 public:
  /// `parameter` as in `response_with`, which must know the response.
  ///
  /// No working target is further from the predictor than `longest_step`. A row that the fit is sure of and
  /// that says the opposite has a loss with a slope but hardly a curvature: it alone would throw a step of
  /// Newton's method far beyond all others. Such a row gets more curvature instead. Its slope stays, so that
  /// the fit in which steps end is the same.
  RowWeighing(FittedFunction fit, std::string_view response, double parameter,
              double longest_step = std::numeric_limits<double>::infinity());
  static RowWeighing read(ByteReader& task);
  void write(ByteWriter& out) const;

  const FittedFunction& fit() const { return fit_; }
  /// The working rows of a block; what has to be computed lives in `memory`.
  WorkingRows working_rows(const RowBlock& block, int threads, WorkingMemory& memory) const;

 private:
  FittedFunction fit_;
  std::shared_ptr<const Response> response_;
  double parameter_;
  double longest_step_;
};

/// The rows of another source as working rows: least squares on them is one step of a fit whose weights
/// depend on the fit. The sums of a pass then weigh rows by working weights. A pass over it becomes a pass
/// over the other source, which evaluates the fit itself; so the fit travels in the task.
class WeighedSource final : public RowSource {
 public:
  WeighedSource(const RowSource& rows, RowWeighing weighing, int threads)
      : rows_(rows), weighing_(std::move(weighing)), threads_(threads) {}

  std::size_t columns() const override { return rows_.columns(); }
  bool in_memory() const override { return rows_.in_memory(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override;
  void run(Pass& pass, int threads) const override;

 private:
  const RowSource& rows_;
  RowWeighing weighing_;
  int threads_;
};

/// Adds working rows to another pass.
class WeighedPass final : public PassAround {
 public:
  /// The other pass and the weighing have to outlive this one.
  WeighedPass(Pass& pass, const RowWeighing& weighing) : PassAround(pass), weighing_(weighing) {}
  static std::unique_ptr<Pass> read(ByteReader& task, std::uint64_t most_bytes);

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> task() const override;

 private:
  WeighedPass(std::unique_ptr<Pass> pass, std::unique_ptr<RowWeighing> weighing)
      : PassAround(std::move(pass)), own_weighing_(std::move(weighing)), weighing_(*own_weighing_) {}

  std::unique_ptr<RowWeighing> own_weighing_;
  const RowWeighing& weighing_;
};

}  // namespace kore

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/preparation.hpp"
#include "fit/compare.hpp"
#include "table/encode_frame.hpp"

namespace kore::python {

/// A table in memory, ready for a fit, prepared as in the command.
class Training : public Preparation {
 public:
  Training(table::Frame frame, const std::string& target, const std::string& profile,
           const std::vector<bool>& categorical, int threads, std::optional<std::size_t> max_levels);

  table::TableModel fit(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                        const std::optional<DenseNumbers>& groups, const Options& options,
                        const std::string& origin, const nb::object& progress) const;
  /// A hash of all values of the rows, so that a change of the arrays they are read from is noticed.
  std::uint64_t fingerprint(const DenseNumbers& y, const std::optional<DenseNumbers>& weights) const;
  Result loo_residuals(const table::TableModel& model, const DenseNumbers& y,
                       const std::optional<DenseNumbers>& weights, int threads) const;
  /// Writes the report of a model of these rows.
  void report(const table::TableModel& model, const DenseNumbers& y,
              const std::optional<DenseNumbers>& weights, const std::string& path, int threads) const;
  /// As JSON: the go/no-go check, and KORE beside the classical selectors.
  std::string diagnose(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                       const std::optional<DenseNumbers>& groups, Options options) const;
  /// `paper` is the same table in the paper profile; `limited` as in CompareOptions::max_columns.
  std::string compare(const Training& paper, const DenseNumbers& y,
                      const std::optional<DenseNumbers>& weights, const Options& options,
                      const Options& paper_options, int folds, std::uint32_t seed, bool limited) const;

 private:
  Contender contender(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                      Options options) const;
  MemorySource rows_of(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                       const std::optional<DenseNumbers>& groups = {}) const;

  table::EncodedFrame encoded_;
};

}  // namespace kore::python

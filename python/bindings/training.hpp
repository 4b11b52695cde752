#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "frame/encode.hpp"
#include "kore/fit.hpp"
#include "kore/table_model.hpp"

namespace kore::python {

/// A table that is ready to be learned from, as the command prepares one.
class Training {
 public:
  Training(frame::Frame frame, std::string target, const std::string& profile,
           const std::vector<bool>& categorical, int threads);

  /// Pairs of columns as pairs of the features made from them.
  std::vector<FeaturePair> feature_pairs(
      const std::vector<std::pair<std::string, std::string>>& columns) const;

  data::TableModel fit(const DenseNumbers& y, const std::optional<DenseNumbers>& weights, Options options,
                       const std::string& origin, const nb::object& progress) const;
  Result loo_residuals(const data::TableModel& model, const DenseNumbers& y,
                       const std::optional<DenseNumbers>& weights, int threads) const;
  /// As JSON: the go/no-go check, and KORE beside the classical selectors.
  std::string diagnose(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                       Options options) const;
  std::string compare(const DenseNumbers& y, const std::optional<DenseNumbers>& weights, Options options,
                      int folds, std::uint32_t seed) const;

 private:
  MemorySource rows_of(const DenseNumbers& y, const std::optional<DenseNumbers>& weights) const;
  void read_texts_as_numbers(frame::Frame& frame, const std::vector<bool>& categorical);
  /// Adds what follows from the columns to options that were set by name.
  void complete(Options& options) const;

  std::chrono::steady_clock::time_point start_;
  std::string target_;
  bool paper_;
  std::vector<data::ColumnSummary> columns_;
  data::Encoding encoding_;
  std::vector<std::string> notes_;
  frame::EncodedFrame encoded_;
};

/// For `Options::progress`; the callback may be None and has to outlive the fit.
std::function<void(const Progress&)> watched(const nb::object& callback);

}  // namespace kore::python

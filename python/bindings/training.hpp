#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/preparation.hpp"
#include "frame/encode.hpp"

namespace kore::python {

/// A table in memory that is ready to be learned from, as the command prepares one.
class Training : public Preparation {
 public:
  Training(frame::Frame frame, const std::string& target, const std::string& profile,
           const std::vector<bool>& categorical, int threads);

  data::TableModel fit(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                       const Options& options, const std::string& origin, const nb::object& progress) const;
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

  frame::EncodedFrame encoded_;
};

}  // namespace kore::python

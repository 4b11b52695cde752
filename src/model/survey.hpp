#pragma once

#include <functional>
#include <vector>

#include "kore/fit.hpp"

namespace kore {

/// The rows of another source with a constant subtracted from the target, in units of another.
class ShiftedSource final : public RowSource {
 public:
  ShiftedSource(const RowSource& rows, double shift, double unit = 1)
      : rows_(rows), shift_(shift), unit_(unit) {}

  std::size_t columns() const override { return rows_.columns(); }
  bool in_memory() const override { return rows_.in_memory(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override {
    if (shift_ == 0 && unit_ == 1) return rows_.for_each_block(visit);
    rows_.for_each_block([&](const RowBlock& block) {
      std::vector<double> shifted(block.y.begin(), block.y.end());
      for (double& value : shifted) value = (value - shift_) / unit_;
      visit({block.x, shifted, block.weights});
    });
  }

 private:
  const RowSource& rows_;
  double shift_;
  double unit_;
};

/// What pass 0 tells about the data.
struct Survey {
  std::vector<Feature> features;
  Range target;
  double target_mean = 0;
  double target_variance = 0;
  std::size_t rows = 0;
  double weight = 0;
};

/// Ranges, target and weights; refuses whatever no later pass could use.
Survey survey(const RowSource& source, const Options& options, const Names& names);

/// The model of a constant target.
Model constant_model(const Survey& data, const Options& options, const Names& names);

}  // namespace kore

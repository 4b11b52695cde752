#include "kore/precision.hpp"

#include <cmath>

#include "kore/error.hpp"

namespace kore {

/// Two numbers hold the sum with twice the digits of one.
void PrecisionSum::add(double value) {
  const double sum = high_ + value;
  const double added = sum - high_;
  const double lost = (high_ - (sum - added)) + (value - added) + low_;
  high_ = sum + lost;
  low_ = lost - (high_ - sum);
}

void PrecisionSum::add(std::span<const double> precisions) {
  for (const double precision : precisions) {
    if (precision == 0) continue;
    add(precision);
    ++rows_;
  }
}

void PrecisionSum::merge(const PrecisionSum& other) {
  add(other.high_);
  add(other.low_);
  rows_ += other.rows_;
}

double PrecisionSum::factor() const {
  const double factor = static_cast<double>(rows_) / high_;
  if (!(high_ > 0) || !std::isnormal(factor))
    throw Error(ErrorCode::invalid_data, "bad_precisions",
                "The precisions add up to {sum}. They must be finite numbers, zero or positive, and not all "
                "zero.",
                {{"sum", high_}});
  return factor;
}

std::vector<double> precision_weights(std::span<const double> precisions) {
  PrecisionSum sum;
  sum.add(precisions);
  const double factor = sum.factor();
  std::vector<double> weights;
  weights.reserve(precisions.size());
  for (const double precision : precisions) weights.push_back(precision * factor);
  return weights;
}

}  // namespace kore

#include "kore/target_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "kore/error.hpp"

namespace kore {

double to_scale(TargetScale scale, double target) {
  // Rows that do not count may have any target, and sums must stay finite.
  return scale == TargetScale::logarithm     ? std::log(std::max(target, std::numeric_limits<double>::min()))
         : scale == TargetScale::square_root ? std::sqrt(std::max(target, 0.0))
                                             : target;
}

double from_scale(TargetScale scale, double value) {
  if (scale == TargetScale::logarithm) return std::exp(value);
  if (scale != TargetScale::square_root) return value;
  const double root = std::max(value, 0.0);
  return root * root;
}

bool allows(TargetScale scale, double smallest_target) {
  return scale == TargetScale::logarithm     ? smallest_target > 0
         : scale == TargetScale::square_root ? smallest_target >= 0
                                             : true;
}

std::string_view word_for(TargetScale scale) {
  constexpr std::array<std::string_view, 4> words{"auto", "identity", "sqrt", "log"};
  return words.at(static_cast<std::size_t>(scale));
}

TargetScale scale_named(std::string_view word) {
  for (const TargetScale scale :
       {TargetScale::automatic, TargetScale::identity, TargetScale::square_root, TargetScale::logarithm})
    if (word_for(scale) == word) return scale;
  throw Error(ErrorCode::invalid_argument, "unknown_scale",
              "'{scale}' is not a scale of the target; it must be auto, identity, sqrt or log.",
              {{"scale", word}});
}

double interpolated(const std::vector<double>& places, const std::vector<double>& values, double at) {
  const auto after = std::ranges::upper_bound(places, at);
  if (after == places.begin()) return values.front();
  if (after == places.end()) return values.back();
  const auto i = static_cast<std::size_t>(after - places.begin());
  const double share = (at - places[i - 1]) / (places[i] - places[i - 1]);
  return values[i - 1] + share * (values[i] - values[i - 1]);
}

double MeanShift::operator()(double eta) const {
  return places.empty() ? 0 : interpolated(places, shifts, eta);
}

double mean_on(TargetScale scale, const MeanShift& shift, double eta) {
  return scale == TargetScale::identity ? eta : from_scale(scale, eta + shift(eta));
}

}  // namespace kore

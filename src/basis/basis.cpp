#include "kore/basis.hpp"

#include <algorithm>
#include <cmath>

#include "basis/local.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

void local_values_of(int degree, double u, double* value) {
  with_degree(degree, [&]<int k>() { local_values<k>(u, value); });
}

// d/du of each local function: the difference of the two functions of one degree less that it is made of.
void local_slopes_of(int degree, double u, double* slope) {
  std::array<double, max_degree + 1> parent{};
  if (degree == 1)
    parent[0] = 1;
  else
    local_values_of(degree - 1, u, parent.data());
  for (int r = degree; r >= 0; --r) slope[r] = (r > 0 ? parent[r - 1] : 0.0) - (r < degree ? parent[r] : 0.0);
}

}  // namespace

Knots Knots::from_data(std::span<const double> values, int intervals) {
  if (values.empty()) throw Error(ErrorCode::invalid_data, "no_values", "Knots need at least one value.");
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Error(ErrorCode::invalid_data, "value_not_finite",
                  "Value {index} is not a finite number; knots need finite values.", {{"index", i}});
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  return {*lowest, *highest, intervals};
}

double Knots::operator[](int i) const { return first + (last - first) * i / intervals; }

UniformBasis::UniformBasis(const Knots& knots, int degree) : knots_(knots), degree_(degree), scale_(0) {
  if (degree < 1 || degree > max_degree)
    throw Error(ErrorCode::invalid_argument, "bad_degree",
                "The spline degree is {degree}; it must lie between 1 and {largest}.",
                {{"degree", degree}, {"largest", max_degree}});
  if (knots.intervals < 1)
    throw Error(ErrorCode::invalid_argument, "resolution_too_low",
                "The resolution is {resolution}; a spline needs at least one interval.",
                {{"resolution", knots.intervals}});
  if (knots.intervals > max_intervals)
    throw Error(ErrorCode::invalid_argument, "resolution_too_high",
                "The resolution is {resolution}; it must not exceed {largest}.",
                {{"resolution", knots.intervals}, {"largest", max_intervals}});
  const double extent = knots.last - knots.first;
  if (!std::isfinite(extent) || extent < 0)
    throw Error(
        ErrorCode::invalid_argument, "bad_range",
        "The range of a coordinate must be finite and ordered, but it goes from {lowest} to {highest}.",
        {{"lowest", knots.first}, {"highest", knots.last}});
  const double scale = knots.intervals / extent;
  if (std::isfinite(scale))
    scale_ = scale;  // a range of zero, or too small to divide by, makes a constant coordinate
}

UniformBasis UniformBasis::indicators(int levels) {
  if (levels < 1 || levels > max_intervals)
    throw Error(ErrorCode::invalid_argument, "bad_level_count",
                "A category has {levels} levels; it must have between 1 and {largest}.",
                {{"levels", levels}, {"largest", max_intervals}});
  return UniformBasis(levels);
}

LocalBasis UniformBasis::evaluate(double x, Extrapolation outside) const {
  LocalBasis local;
  if (constant()) return local;
  if (degree_ == 0) {
    local.cell = level_of(x, knots_.intervals);
    local.value[0] = 1;
    return local;
  }
  const double position = this->position(x);
  const int last_cell = knots_.intervals - 1;
  local.cell = position >= last_cell ? last_cell : (position > 0 ? static_cast<int>(position) : 0);
  const double u = position - local.cell;
  if (inside(x) || outside == Extrapolation::continue_polynomial) {
    local_values_of(degree_, u, local.value.data());
    return local;
  }
  if (outside == Extrapolation::error)
    throw Error(ErrorCode::out_of_range, "value_outside_range",
                "The value {value} lies outside the training range [{lowest}, {highest}].",
                {{"value", x}, {"lowest", knots_.first}, {"highest", knots_.last}});
  const double boundary = x < knots_.first ? 0.0 : 1.0;  // decided by x, because u may underflow to zero
  local_values_of(degree_, boundary, local.value.data());
  const bool straight = degree_ == 1 && knots_.intervals == 1;
  if (outside == Extrapolation::linear || straight) {
    std::array<double, max_degree + 1> slope{};
    local_slopes_of(degree_, boundary, slope.data());
    for (int r = 0; r <= degree_; ++r) local.value[r] += (u - boundary) * slope[r];
  }
  return local;
}

}  // namespace kore

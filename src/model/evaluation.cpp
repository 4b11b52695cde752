#include "model/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "kore/error.hpp"

namespace kore {
namespace {

// Nested sums over the local functions of the coordinates from `c` on.
double sum_from(const Design& design, std::size_t term, std::size_t c, std::span<const double> point,
                Extrapolation outside, const double* coefficients) {
  const UniformBasis& basis = design.basis(term, c);
  const LocalBasis local = basis.evaluate(design.argument(term, c, point[c]), outside);
  std::size_t stride = 1;
  for (std::size_t inner = c + 1; inner < point.size(); ++inner)
    stride *= static_cast<std::size_t>(design.basis(term, inner).functions());
  double total = 0;
  for (int s = 0; s <= basis.degree(); ++s) {
    const double* at = coefficients + static_cast<std::size_t>(local.cell + s) * stride;
    const double rest = c + 1 == point.size() ? *at : sum_from(design, term, c + 1, point, outside, at);
    total += local.value[static_cast<std::size_t>(s)] * rest;
  }
  return total;
}

[[noreturn]] void refuse_effect() {
  throw Error(
      ErrorCode::out_of_range, "effect_not_finite",
      "The effect is not a finite number at this point: a value is not finite, or lies too far outside "
      "the training range.");
}

}  // namespace

bool forbidden(const Feature& feature, Extrapolation extrapolation, double value) {
  const Range& range = feature.range;
  return extrapolation == Extrapolation::error && feature.kind != FeatureKind::category && !feature.cyclic &&
         range.lowest < range.highest && (value < range.lowest || value > range.highest);
}

void refuse_outside(std::string_view pattern, const Range& range, double value, std::vector<Argument> where) {
  where.emplace_back("value", value);
  where.emplace_back("lowest", range.lowest);
  where.emplace_back("highest", range.highest);
  throw Error(ErrorCode::out_of_range, "value_outside_range", pattern, std::move(where));
}

Extrapolation once_checked(Extrapolation outside) {
  return outside == Extrapolation::error ? Extrapolation::linear : outside;
}

void check_point(const std::vector<Feature>& features, const std::vector<std::size_t>& own,
                 Extrapolation extrapolation, std::span<const double> point) {
  bool known = true;
  for (std::size_t c = 0; c < point.size(); ++c) {
    known = known && std::isfinite(point[c]);
    if (forbidden(features[own[c]], extrapolation, point[c]))
      refuse_outside("The value {value} lies outside the training range [{lowest}, {highest}].",
                     features[own[c]].range, point[c], {});
  }
  if (!known) refuse_effect();
}

void require_finite_effect(double value) {
  if (!std::isfinite(value)) refuse_effect();
}

double local_sum(const Design& design, std::size_t term, std::span<const double> point, Extrapolation outside,
                 const double* coefficients) {
  return sum_from(design, term, 0, point, outside, coefficients);
}

double variance_at(const Design& design, std::size_t term, double point, Extrapolation outside,
                   std::span<const double> covariance) {
  const UniformBasis& basis = design.basis(term, 0);
  const LocalBasis local = basis.evaluate(design.argument(term, 0, point), outside);
  const auto size = static_cast<std::size_t>(basis.functions());
  const auto cell = static_cast<std::size_t>(local.cell);
  double variance = 0;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(basis.degree()); ++i)
    for (std::size_t j = 0; j <= static_cast<std::size_t>(basis.degree()); ++j)
      variance += local.value[i] * covariance[(cell + i) * size + cell + j] * local.value[j];
  return std::max(variance, 0.0);
}

}  // namespace kore

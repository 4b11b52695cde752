#pragma once

#include <string_view>
#include <vector>

namespace kore {

/// The scale `g` on which a model is a sum of terms: `g(y) = f(x) + noise`. Effects, bands, noise and
/// leave-one-out given the model are on this scale; predictions are means in the units of the target.
enum class TargetScale {
  automatic,    ///< Left-out rows decide, by errors in the units of the target. No model has this scale.
  identity,     ///< `g(y) = y`
  square_root,  ///< `g(y) = sqrt(y)`, for targets that are not negative.
  logarithm,    ///< `g(y) = log(y)`, for positive targets: effects multiply.
};

/// `g(target)`, finite: a target that `g` does not have counts as the smallest that it has.
double to_scale(TargetScale scale, double target);
/// The target of which `value` is `g`: rising, and never negative except on the identity scale. Below the
/// range of `g` it is the smallest target.
double from_scale(TargetScale scale, double value);
/// Whether `g` exists for all targets from this smallest one on.
bool allows(TargetScale scale, double smallest_target);
/// "auto", "identity", "sqrt" or "log", as the command has it.
std::string_view word_for(TargetScale scale);
/// The scale of such a word. Throws `invalid_argument` for another one.
TargetScale scale_named(std::string_view word);

/// What carries values on the scale of a fit to means of the target: `mean(eta) = g^-1(eta + shift(eta))`.
/// `g^-1(eta)` alone is not the mean where `g` bends, because errors are carried back with it. `shift` is
/// piecewise linear and level beyond both ends; `eta + shift(eta)` never falls. Empty where it is zero
/// everywhere, as on the identity scale.
struct MeanShift {
  std::vector<double> places;  ///< Rising.
  std::vector<double> shifts;

  double operator()(double eta) const;
};

/// The mean of the target where the sum of terms is `eta`.
double mean_on(TargetScale scale, const MeanShift& shift, double eta);

/// A piecewise-linear function through `values` at rising `places`, level beyond both ends.
double interpolated(const std::vector<double>& places, const std::vector<double>& values, double at);

}  // namespace kore

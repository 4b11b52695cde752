#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <cmath>

#include "kore/error.hpp"
#include "kore/model.hpp"

namespace kore {
namespace {

// Where many targets are zero, a lower end on the square-root scale would lie a little above or below zero by
// chance, and so hold all of them or none. One that is less than this share of the prediction is zero.
constexpr double next_to_zero = 0.25;

bool is_count_family(const Model& model) {
  return model.family == "poisson" || model.family == "negative_binomial";
}

template <class Counts>
TargetInterval between_quantiles(const Counts& counts, double tail) {
  using boost::math::quantile;
  return {quantile(counts, tail), quantile(boost::math::complement(counts, tail))};
}

// Beyond it series for quantiles take milliseconds, and from some 1e12 on they do not end.
constexpr double most_counted = 1e9;

/// Of counts so large that whole numbers are as good as any: a gamma distribution of the same mean and
/// variance, or a normal one where it is hardly skew.
TargetInterval interval_of_many(double mean, double shape, double tail) {
  constexpr double hardly_skew = 1e6;
  const TargetInterval found =
      shape > hardly_skew
          ? between_quantiles(boost::math::normal_distribution<double>(mean, mean / std::sqrt(shape)), tail)
          : between_quantiles(boost::math::gamma_distribution<double>(shape, mean / shape), tail);
  return {std::max(0.0, std::floor(found.lower)), std::ceil(found.upper)};
}

/// Whole counts that a new one lies between with at least this probability. Counts that vary more than
/// Poisson's are negative binomial ones with the same mean and variance.
TargetInterval count_interval(const Model& model, double level, double mean) {
  const double tail = (1 - level) / 2;
  if (!(mean > 0)) return {0, 0};
  const bool negative_binomial = model.family == "negative_binomial";
  constexpr double hardly_more = 1.001;
  const bool poisson = !negative_binomial && model.summary.overdispersion < hardly_more;
  // With less, nearly every count is zero; with more, they are Poisson's.
  constexpr double least_theta = 1e-6;
  constexpr double most_theta = 1e15;
  const double wanted =
      negative_binomial ? model.family_parameter : mean / (model.summary.overdispersion - 1);
  const double theta = std::clamp(wanted, least_theta, most_theta);
  if (mean > most_counted) return interval_of_many(mean, poisson ? mean : 1 / (1 / mean + 1 / theta), tail);
  if (poisson) return between_quantiles(boost::math::poisson_distribution<double>(mean), tail);
  return between_quantiles(boost::math::negative_binomial_distribution<double>(theta, theta / (theta + mean)),
                           tail);
}

}  // namespace

double ResidualSpread::operator()(double prediction) const {
  return predictions.empty() ? 1 : interpolated(predictions, scales, prediction);
}

double rows_behind_intervals(const Model& model) {
  const double rows =
      model.summary.accuracy ? static_cast<double>(model.summary.accuracy->rows) : model.summary.weight_sum;
  return std::max(rows, 1.0);
}

double largest_level(const Model& model) {
  const bool grouped = model.summary.accuracy && model.summary.accuracy->groups > 0;
  const double n =
      grouped ? static_cast<double>(model.summary.accuracy->groups) : rows_behind_intervals(model);
  return (n - 1) / (n + 1);
}

IntervalOffsets interval_offsets(const Model& model, double level) {
  if (!(level > 0 && level < 1))
    throw Error(ErrorCode::invalid_argument, "bad_interval_level",
                "The level of an interval is {level}; it must lie between 0 and 1, for example 0.9.",
                {{"level", level}});
  const std::vector<double>& quantiles = model.residual_quantiles;
  if (model.family == "binomial")
    throw Error(ErrorCode::invalid_argument, "interval_of_yes_or_no",
                "The target is yes or no, and an interval around a probability would hold neither. The "
                "prediction says how likely each is.");
  if (is_count_family(model)) return {0, 0, level};
  if (quantiles.empty())
    throw Error(ErrorCode::invalid_argument, "model_without_intervals",
                "The model was fitted without intervals, so it cannot give any. Fit it again with them.");
  // The new residual is exchangeable with the n left-out ones, so that the interval between the k-th smallest
  // and largest of them covers it with probability 1 - 2k/(n+1).
  const double n = rows_behind_intervals(model);
  const double tail = (1 - level) / 2 * (n + 1) / n;
  const auto count = static_cast<double>(quantiles.size());
  const auto index = [&](double rank) { return static_cast<std::size_t>(std::clamp(rank, 0.0, count - 1)); };
  return {quantiles[index(std::floor(tail * count) - 1)], quantiles[index(std::ceil((1 - tail) * count))],
          level};
}

TargetInterval interval_around(const Model& model, const IntervalOffsets& offsets, double prediction,
                               double widening) {
  if (is_count_family(model)) return count_interval(model, offsets.level, prediction);
  const double centre = to_scale(model.target_scale, prediction);
  const double spread = model.residual_spread(centre) * widening;
  double lower = centre + offsets.lower * spread;
  if (model.target_scale == TargetScale::square_root && lower < next_to_zero * centre) lower = 0;
  if (model.linked()) return {std::max(lower, 0.0), centre + offsets.upper * spread};
  return {from_scale(model.target_scale, lower),
          from_scale(model.target_scale, centre + offsets.upper * spread)};
}

}  // namespace kore

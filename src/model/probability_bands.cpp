#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"

namespace kore {
namespace {

constexpr std::size_t rows_per_part = 256;

/// The squared error of the constant of a fit: that of the log odds of so many rows.
double constant_variance(const Model& model) {
  const double mean = model.summary.target_mean;
  const double information = model.summary.weight_sum * mean * (1 - mean);
  return information > 0 ? 1 / information : 0;
}

/// The squared error of the linear predictor of a row.
double predictor_variance(const Model& model, const MatrixView& x, std::size_t row) {
  double variance = constant_variance(model);
  std::vector<double> point;
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    point.clear();
    for (const std::size_t feature : model.design.terms()[t].features) point.push_back(x(row, feature));
    const double error = effect_error(model, t, point);
    if (std::isfinite(error)) variance += error * error;
  }
  return variance;
}

}  // namespace

ProbabilityBands probability_bands(const Model& model, const MatrixView& x, double level, int threads) {
  if (model.family != "binomial")
    throw Error(ErrorCode::invalid_argument, "no_probabilities",
                "Bands of probabilities need a binomial model, and the family of this one is {family}.",
                {{"family", model.family}});
  if (!(level > 0 && level < 1))
    throw Error(ErrorCode::invalid_argument, "bad_interval_level",
                "The level of an interval is {level}; it must lie between 0 and 1, for example 0.9.",
                {{"level", level}});
  const double width = boost::math::quantile(boost::math::normal_distribution<double>(), (1 + level) / 2);
  const std::shared_ptr<const Response> response = response_of(model);
  const std::vector<double> predictions = predict(model, x, threads);
  ProbabilityBands bands{std::vector<double>(x.rows()), std::vector<double>(x.rows())};
  const std::size_t parts = (x.rows() + rows_per_part - 1) / rows_per_part;
  parallel_for(parts, resolve_threads(threads), [&](std::size_t part) {
    for (std::size_t r = part * rows_per_part; r < std::min(x.rows(), (part + 1) * rows_per_part); ++r) {
      const double eta = response->link(predictions[r]);
      const double half = width * std::sqrt(predictor_variance(model, x, r));
      bands.lower[r] = response->mean(eta - half);
      bands.upper[r] = response->mean(eta + half);
    }
  });
  return bands;
}

}  // namespace kore

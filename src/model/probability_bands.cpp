#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"
#include "model/column_count.hpp"

namespace kore {
namespace {

constexpr std::size_t rows_per_part = 256;

/// The squared error of the constant of a fit: what so many rows of the mean target leave open.
double constant_variance(const Model& model) {
  const FitSummary& summary = model.summary;
  if (!model.linked()) return summary.weight_sum > 0 ? summary.noise_variance / summary.weight_sum : 0;
  const std::shared_ptr<const Response> response = response_of(model);
  const double eta = response->link(summary.target_mean);
  WorkingMemory memory;
  const WorkingRows row = response->working_rows({&summary.target_mean, 1}, {}, {&eta, 1}, memory);
  const double information = summary.weight_sum * row.weights[0];
  const double dispersion =
      response->known_dispersion().value_or(summary.noise_variance) * summary.overdispersion;
  return information > 0 ? dispersion / information : 0;
}

/// The sum of the squared errors of the terms at a row.
double terms_variance(const Model& model, const MatrixView& x, std::size_t row) {
  double variance = 0;
  std::vector<double> point;
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    point.clear();
    for (const std::size_t feature : model.design.terms()[t].features) point.push_back(x(row, feature));
    const double error = effect_error(model, t, point);
    if (std::isfinite(error)) variance += error * error;
  }
  return variance;
}

/// Terms without errors, such as triples, count as known.
bool has_errors(const Model& model) {
  return model.effects.empty() ||
         std::ranges::any_of(model.effects, [](const Effect& effect) { return kore::has_errors(effect); });
}

/// Calls `visit` with a row and the error of its linear predictor, for all rows.
template <class Visit>
void for_each_error(const Model& model, const MatrixView& x, int threads, const Visit& visit) {
  const double constant = constant_variance(model);
  const std::size_t parts = (x.rows() + rows_per_part - 1) / rows_per_part;
  parallel_for(parts, resolve_threads(threads), [&](std::size_t part) {
    for (std::size_t r = part * rows_per_part; r < std::min(x.rows(), (part + 1) * rows_per_part); ++r)
      visit(r, std::sqrt(constant + terms_variance(model, x, r)));
  });
}

}  // namespace

double errors_of_level(double level) {
  if (!(level > 0 && level < 1))
    throw Error(ErrorCode::invalid_argument, "bad_interval_level",
                "The level of an interval is {level}; it must lie between 0 and 1, for example 0.9.",
                {{"level", level}});
  return boost::math::quantile(boost::math::normal_distribution<double>(), (1 + level) / 2);
}

std::vector<double> predictor_errors(const Model& model, const MatrixView& x, int threads) {
  check_column_count(model, x.columns());
  std::vector<double> errors(x.rows(), Effect::unknown);
  if (has_errors(model))
    for_each_error(model, x, threads, [&](std::size_t r, double error) { errors[r] = error; });
  return errors;
}

ProbabilityBands probability_bands(const Model& model, const MatrixView& x, double level, int threads) {
  if (model.family != "binomial")
    throw Error(ErrorCode::invalid_argument, "no_probabilities",
                "Bands of probabilities need a binomial model, and the family of this one is {family}.",
                {{"family", model.family}});
  const double width = errors_of_level(level);
  const std::shared_ptr<const Response> response = response_of(model);
  const std::vector<double> predictions = predict(model, x, threads);
  ProbabilityBands bands{std::vector<double>(x.rows()), std::vector<double>(x.rows())};
  for_each_error(model, x, threads, [&](std::size_t r, double error) {
    const double eta = response->link(predictions[r]);
    bands.lower[r] = response->mean(eta - width * error);
    bands.upper[r] = response->mean(eta + width * error);
  });
  return bands;
}

}  // namespace kore

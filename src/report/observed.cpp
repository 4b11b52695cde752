#include "report/observed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "base/parallel.hpp"
#include "fit/refit.hpp"
#include "report/bins.hpp"
#include "report/drawn_ranges.hpp"
#include "report/plotted_rows.hpp"

namespace kore::report {
namespace {

constexpr std::size_t histogram_bins = 40;
constexpr std::size_t error_bins = 15;
constexpr std::size_t grid_columns = 40;
constexpr std::size_t grid_rows = 25;
constexpr std::size_t most_quantiles = 401;
constexpr std::size_t largest_shown = 10;
constexpr std::size_t examples_shown = 20;
constexpr double interval_level = 0.9;
constexpr std::array levels{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

/// The model that refitting gives, to be compared and to predict with.
Model with_coefficients(const Model& model, const Smoother& fit) {
  Model again = model;
  again.intercept = fit.intercept() + model.summary.target_shift;
  again.coefficients = fit.coefficients();
  return again;
}

bool same_predictions(const Model& a, const Model& b, const MatrixView& x) {
  const std::vector<double> left = predict(a, x);
  const std::vector<double> right = predict(b, x);
  // Under the robust loss rows are weighed by the model, which was fitted to rows that the fit before it
  // had weighed.
  constexpr double nearly = 0.02;
  const double of_weights = a.summary.robust ? nearly * a.summary.robust->scale : 0;
  // Steps with a link end where the deviance does not fall any more; one more step still moves predictions.
  const double settled = a.linked() ? 1e-3 : 1e-5;
  const double tolerance = settled * std::sqrt(a.summary.target_variance) + of_weights + 1e-300;
  return std::equal(left.begin(), left.end(), right.begin(),
                    [&](double l, double r) { return std::abs(l - r) <= tolerance; });
}

/// The fit with its leverages, if these are the rows of the fit; nothing otherwise.
std::optional<Smoother> own_fit(const RowSource& source, const Model& model, const PlottedRows& sample,
                                int threads) {
  const FitSummary& summary = model.summary;
  if (summary.rows != sample.rows() ||
      std::abs(summary.weight_sum - sample.weight_sum()) > 1e-6 * summary.weight_sum)
    return std::nullopt;
  if (!summary.additive && !summary.pairwise) return std::nullopt;  // a constant model has no leverages
  Smoother fit = refit(source, model, threads);
  if (!same_predictions(model, with_coefficients(model, fit), sample.x())) return std::nullopt;
  return fit;
}

/// Errors and leverages of one block after the other.
class Errors {
 public:
  Errors(const Model& model, const std::optional<Smoother>& fit, int threads)
      : model_(model), fit_(fit), weighing_(weighing_of(model)), threads_(threads) {}

  void read(const RowBlock& block) {
    fitted.resize(block.rows());
    error.resize(block.rows());
    leverage.assign(block.rows(), 0);
    predict(model_, block.x, fitted, threads_);
    widening = kore::widening(model_, block.x);
    for (std::size_t r = 0; r < block.rows(); ++r) error[r] = block.y[r] - fitted[r];
    if (!fit_) return;
    std::vector<double> shifted(block.y.begin(), block.y.end());
    for (double& y : shifted) y = to_scale(model_.target_scale, y) - model_.summary.target_shift;
    WorkingMemory memory;
    if (weighing_) weighing_->working_rows({block.x, shifted, block.weights}, threads_, memory);
    const RowCounts counts = weighing_ && !model_.linked() ? RowCounts(memory.weights) : block.weights;
    fit_->press({block.x, shifted, counts}, threads_, {error, leverage});
    if (model_.linked())
      for (std::size_t r = 0; r < block.rows(); ++r)
        error[r] = block.y[r] - carried_prediction(model_, memory.target[r] - error[r]);
    if (model_.target_scale == TargetScale::identity) return;
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const double left_out = shifted[r] + model_.summary.target_shift - error[r];
      error[r] = block.y[r] - carried_prediction(model_, left_out);
    }
  }

  std::vector<double> fitted;
  std::vector<double> error;  ///< Of rows left out, where the rows are those of the fit.
  std::vector<double> leverage;
  std::vector<double> widening;  ///< Of intervals: more than one outside the training range.

 private:
  const Model& model_;
  const std::optional<Smoother>& fit_;
  std::optional<RowWeighing> weighing_;
  int threads_;
};

/// Where a value lies among the points of a side of a drawn surface; their number where it is none of them.
/// `drawn` is the range of the side.
std::size_t surface_place(const Decomposition& shown, std::size_t term, std::size_t side, const Range& drawn,
                          double value) {
  const Feature& feature = shown.design.features()[shown.terms[term].features[side]];
  if (shown.terms[term].by_value[side]) return static_cast<std::size_t>(place_among(feature.repeated, value));
  if (feature.kind == FeatureKind::category) {
    const auto level = static_cast<std::size_t>(std::max(value, 0.0));
    return std::min(level, static_cast<std::size_t>(feature.levels) - 1);
  }
  const double extent = drawn.highest - drawn.lowest;
  if (!(extent > 0)) return 0;
  if (value < drawn.lowest || value > drawn.highest) return surface_points;
  const double last = feature.kind == FeatureKind::linear ? 1 : surface_points - 1;
  return static_cast<std::size_t>(std::lround((value - drawn.lowest) / extent * last));
}

std::size_t surface_size(const Decomposition& shown, std::size_t term, std::size_t side) {
  const Feature& feature = shown.design.features()[shown.terms[term].features[side]];
  if (shown.terms[term].by_value[side]) return feature.repeated.size();
  if (feature.kind == FeatureKind::category) return static_cast<std::size_t>(feature.levels);
  if (!(feature.range.highest > feature.range.lowest)) return 1;
  return feature.kind == FeatureKind::linear ? 2 : surface_points;
}

class Reading {
 public:
  Reading(const Model& model, const PlottedRows& sample, const std::optional<Smoother>& fit)
      : model_(model), features_(model.design.features()) {
    seen_.training = fit.has_value();
    example_step_ = std::max<std::size_t>(1, sample.rows() / examples_shown);
    if (!model.residual_quantiles.empty()) {
      interval_ = interval_offsets(model, interval_level);
      for (const double level : levels) {
        seen_.coverage.push_back({level, 0, 0});
        offsets_.push_back(interval_offsets(model, level));
      }
    }
    lay_out(sample);
  }

  void add(const RowBlock& block, const Errors& errors) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const double weight = block.weight(r);
      ++seen_.rows;
      if (!(weight > 0)) continue;
      const double widening = errors.widening[r];
      const bool covered = covers(errors.fitted[r], errors.error[r], widening);
      add_row(errors.fitted[r], errors.error[r], widening, covered, errors.leverage[r], weight);
      add_target(block.y[r], weight);
      if (grading_) grading_->add(block.y[r], block.y[r] - errors.error[r], weight);
      for (std::size_t j = 0; j < features_.size(); ++j) {
        const double value = place_of(features_[j], block.x(r, j));
        count(seen_.data[j], value, weight);
        report::add_error(by_feature_[j], value, errors.error[r], weight, covered);
      }
      add_surfaces(block.x, r, weight);
      keep_if_large(block, r, errors);
    }
  }

  Observed finish() {
    seen_.mean_square = squares_ / seen_.weight;
    seen_.target_variance = target_squares_ / seen_.weight;
    for (Coverage& at : seen_.coverage) {
      at.covered /= seen_.weight;
      at.width /= seen_.weight;
    }
    seen_.fitted_bins = finished(by_fitted_);
    for (const ErrorBins& bins : by_feature_) seen_.feature_bins.push_back(finished(bins));
    seen_.error_quantiles = evenly_spaced(kept_errors_.take_sorted(), most_quantiles);
    std::ranges::sort(seen_.largest, std::ranges::greater{}, [](const LargeError& e) { return size_of(e); });
    if (!seen_.training) seen_.leverages = {};
    if (grading_) seen_.graded = grading_->finish();
    return std::move(seen_);
  }

 private:
  static double size_of(const LargeError& e) { return std::abs(e.observed - e.predicted); }
  /// Whether an error lies between the ends of an interval around the fitted value.
  static bool holds(const TargetInterval& around, double fitted, double error) {
    return error >= around.lower - fitted && error <= around.upper - fitted;
  }
  bool covers(double fitted, double error, double widening) const {
    return offsets_.empty() || holds(interval_around(model_, interval_, fitted, widening), fitted, error);
  }

  void lay_out(const PlottedRows& sample) {
    for (std::size_t j = 0; j < features_.size(); ++j) {
      const Feature& feature = features_[j];
      seen_.samples.push_back(sample_of(sample.column(j)));
      if (feature.kind == FeatureKind::category) {
        seen_.data.push_back({{}, std::vector<double>(static_cast<std::size_t>(feature.levels))});
        by_feature_.push_back(ErrorBins::of_levels(feature.levels));
        continue;
      }
      const std::size_t bins = feature.kind == FeatureKind::linear ? 2 : histogram_bins;
      const Range drawn = drawn_range(&seen_, feature, j);
      seen_.data.push_back({even_edges(drawn.lowest, drawn.highest, bins), std::vector<double>(bins)});
      by_feature_.push_back(ErrorBins::between(quantile_edges(sample.column(j), error_bins)));
    }
    for (std::size_t t = 0; t < shown_.terms.size(); ++t) lay_out_surface(t);
    const std::vector<double> fitted = predict(model_, sample.x());
    std::vector<double> errors(fitted.size());
    for (std::size_t r = 0; r < fitted.size(); ++r) errors[r] = sample.y()[r] - fitted[r];
    if (model_.linked()) grading_.emplace(model_, fitted, sample.y(), seen_.training);
    by_fitted_ = ErrorBins::between(quantile_edges(fitted, error_bins));
    seen_.by_fitted.x_edges = spread_edges(fitted, grid_columns);
    const bool known =
        seen_.training && !model_.residual_quantiles.empty() && model_.target_scale == TargetScale::identity;
    seen_.by_fitted.y_edges = spread_edges(known ? model_.residual_quantiles : errors, grid_rows);
    seen_.by_fitted.counts.resize(grid_columns * grid_rows);
    seen_.leverages = {even_edges(0, std::max(1e-12, model_.summary.max_leverage), histogram_bins),
                       std::vector<double>(histogram_bins)};
  }

  void lay_out_surface(std::size_t term) {
    const std::size_t order = shown_.terms[term].order();
    slices_.push_back(order == 3 ? slices(shown_, term) : std::vector<double>(order == 2 ? 1 : 0));
    seen_.surfaces.emplace_back(order < 2 ? 0
                                          : slices_.back().size() * surface_size(shown_, term, 0) *
                                                surface_size(shown_, term, 1));
  }

  /// The slice of a triple that is nearest to the row.
  std::size_t slice_of(std::size_t term, const MatrixView& x, std::size_t row) const {
    if (shown_.terms[term].order() < 3) return 0;
    const std::size_t feature = shown_.terms[term].features[2];
    const double value = place_of(features_[feature], x(row, feature));
    const std::vector<double>& at = slices_[term];
    return static_cast<std::size_t>(
        std::ranges::min_element(at, {}, [&](double slice) { return std::abs(slice - value); }) - at.begin());
  }

  void add_row(double fitted, double error, double widening, bool covered, double leverage, double weight) {
    seen_.weight += weight;
    squares_ += weight * error * error;
    kept_errors_.add(error);
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      const TargetInterval around = interval_around(model_, offsets_[i], fitted, widening);
      seen_.coverage[i].width += weight * (around.upper - around.lower);
      if (holds(around, fitted, error)) seen_.coverage[i].covered += weight;
    }
    report::add_error(by_fitted_, fitted, error, weight, covered);
    CountGrid& grid = seen_.by_fitted;
    const auto column = place_in(grid.x_edges, fitted);
    const auto row = place_in(grid.y_edges, error);
    if (column && row)
      grid.counts[*column * grid_rows + *row] += weight;
    else
      grid.outside += weight;
    count(seen_.leverages, leverage, weight);
  }

  /// Welford's running mean, so that a large mean costs no digits.
  void add_target(double y, double weight) {
    const double before = y - target_mean_;
    target_mean_ += weight / seen_.weight * before;
    target_squares_ += weight * before * (y - target_mean_);
  }

  void add_surfaces(const MatrixView& x, std::size_t row, double weight) {
    for (std::size_t t = 0; t < seen_.surfaces.size(); ++t) {
      if (seen_.surfaces[t].empty()) continue;
      const std::vector<std::size_t>& pair = shown_.terms[t].features;
      const auto place = [&](std::size_t side) {
        const Feature& feature = features_[pair[side]];
        return surface_place(shown_, t, side, drawn_range(&seen_, feature, pair[side]),
                             place_of(feature, x(row, pair[side])));
      };
      const std::size_t first = place(0);
      const std::size_t second = place(1);
      const std::size_t width = surface_size(shown_, t, 0);
      const std::size_t height = surface_size(shown_, t, 1);
      if (first < width && second < height)
        seen_.surfaces[t][(slice_of(t, x, row) * width + first) * height + second] += weight;
    }
  }

  void keep_if_large(const RowBlock& block, std::size_t row, const Errors& errors) {
    const double size = std::abs(errors.error[row]);
    if ((seen_.rows - 1) % example_step_ == 0 && seen_.examples.size() < examples_shown)
      seen_.examples.push_back(noted(block, row, errors));
    const auto smallest = std::ranges::min_element(seen_.largest, {}, size_of);
    if (seen_.largest.size() == largest_shown) {
      if (size <= size_of(*smallest)) return;
      seen_.largest.erase(smallest);
    }
    seen_.largest.push_back(noted(block, row, errors));
  }

  LargeError noted(const RowBlock& block, std::size_t row, const Errors& errors) const {
    LargeError noted{seen_.rows, block.y[row], block.y[row] - errors.error[row], errors.leverage[row], {}};
    for (std::size_t j = 0; j < features_.size(); ++j) noted.features.push_back(block.x(row, j));
    return noted;
  }

  const Model& model_;
  const Decomposition shown_ = decomposition(model_);
  const std::vector<Feature>& features_;
  Observed seen_;
  IntervalOffsets interval_{-std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::infinity()};
  std::vector<IntervalOffsets> offsets_;
  ErrorBins by_fitted_;
  std::vector<ErrorBins> by_feature_;
  ThinnedNumbers kept_errors_;
  std::optional<Grading> grading_;
  std::vector<std::vector<double>> slices_;  // per term: of a triple, the values that it is shown at
  std::size_t example_step_ = 1;
  double squares_ = 0;
  double target_mean_ = 0;
  double target_squares_ = 0;
};

}  // namespace

FeatureSample sample_of(std::vector<double> values) {
  constexpr double outer = 0.005;
  constexpr double far = 3;
  FeatureSample sample;
  if (values.empty()) return sample;
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  sample.central = {at(outer), at(1 - outer)};
  const double middle_half = at(0.75) - at(0.25);
  const auto beyond = std::ranges::count_if(values, [&](double value) {
    return value < at(0.25) - far * middle_half || value > at(0.75) + far * middle_half;
  });
  if (middle_half > 0) sample.far_share = static_cast<double>(beyond) / static_cast<double>(values.size());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  sample.whole = std::ranges::all_of(values, [](double value) { return value == std::round(value); });
  if (values.size() <= most_single_values && sample.whole) sample.values = std::move(values);
  return sample;
}

double ErrorBin::standard_error() const { return weight > 0 ? deviation / std::sqrt(weight) : 0; }

Observed observe(const RowSource& source, const Model& model, int threads) {
  const int members = resolve_threads(threads);
  PlottedRows sample(model.design.features());
  source.for_each_block([&](const RowBlock& block) { sample.add(block); });
  const std::optional<Smoother> fit = own_fit(source, model, sample, members);
  Reading reading(model, sample, fit);
  Errors errors(model, fit, members);
  source.for_each_block([&](const RowBlock& block) {
    errors.read(block);
    reading.add(block, errors);
  });
  Observed seen = reading.finish();
  seen.overlaps = overlaps(decomposition(model), sample);
  seen.near_equal = near_equal(model.design.features(), sample);
  return seen;
}

}  // namespace kore::report

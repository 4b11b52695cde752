#include "fit/growing_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "fit/overdispersion.hpp"
#include "grow/referee.hpp"
#include "kore/error.hpp"
#include "kore/statistics.hpp"

namespace kore {
namespace {

/// The caller's own arrays, where they are few enough to decide on a structure.
std::optional<RowBlock> own_rows(const RowSource& source, std::size_t most) {
  if (!source.in_memory()) return std::nullopt;
  std::optional<RowBlock> rows;
  int blocks = 0;
  source.for_each_block([&](const RowBlock& block) {
    ++blocks;
    rows = block;
  });
  return blocks == 1 && rows->rows() <= most ? rows : std::nullopt;
}

/// A power of two near the target's deviation. In this unit squares and penalties stay in range whatever the
/// units of the target, and a power of two changes no digits.
double unit_of(double variance) { return std::exp2(std::round(std::log2(std::sqrt(variance)))); }

/// The target's mean, rounded to a millionth of its deviation. The last digits of a mean depend on the order
/// in which rows were added up, and growing could amplify the difference. The model should be the same
/// wherever the rows are.
double shift_of(double mean, double unit) {
  const double grain = std::ldexp(unit, -20);
  return std::round(mean / grain) * grain;
}

TargetShift shift_by(double mean, double variance, TargetScale scale) {
  const double unit = unit_of(variance);
  return {shift_of(mean, unit), unit, scale};
}

GrowingData growing_data(const Survey& data, const RowBlock& rows, const Options& options) {
  const PhaseTimer timer(options.phases, "coordinates");
  GrowingData growing;
  growing.phases = options.phases;
  growing.rows = rows;
  growing.threads = resolve_threads(options.threads);
  growing.ranges = options.ranges.empty() ? RangesOf::rows : RangesOf::caller;
  growing.given_features = data.features;
  growing.max_resolutions = options.grown().max_resolutions;
  growing.coordinates =
      coordinates_of(data.features, rows, growing.ranges, growing.threads, growing.max_resolutions);
  growing.features = features_of(growing.coordinates);
  growing.degree = options.degree;
  growing.ridge = options.ridge;
  growing.relative_ridge = options.relative_ridge;
  growing.inverse_limit = options.inverse_limit;
  return growing;
}

/// The response before any row was fitted.
std::shared_ptr<const Response> response_of(const GrownOptions& method, const Survey& data) {
  switch (method.family) {
    case Family::normal:
      break;
    case Family::binomial:
      return response_with("binomial", 0);
    case Family::poisson:
      return response_with("poisson", method.dispersion);
    case Family::gamma:
      return response_with("gamma", 0);
    case Family::negative_binomial:
      return response_with("negative_binomial", first_theta(data));
  }
  return response_with("normal", 0);
}

/// Makes periods of the ranges of features that have one.
void close_circles(const GrownOptions& method, std::vector<Feature>& features) {
  for (std::size_t j = 0; j < method.periods.size(); ++j) {
    Range& range = features[j].range;
    const double period = method.periods[j];
    if (period == 0 || !(range.lowest < range.highest)) continue;
    const double length = range.highest - range.lowest;
    if (!(range.lowest < range.lowest + period) || length > most_periods_away * period)
      throw Error(
          ErrorCode::invalid_data, "period_too_short",
          "The period {period} of '{feature}' is too short beside its values, which go from {lowest} to "
          "{highest}: numbers have no digits for it.",
          {{"feature", features[j].name},
           {"period", period},
           {"lowest", range.lowest},
           {"highest", range.highest}});
    range.highest = range.lowest + period;
    features[j].cyclic = true;
  }
}

/// Checks given ranges and levels before the model grows: makes a design of them, which throws.
void check_features(const Survey& data, const Options& options) {
  static_cast<void>(Design::additive(data.features, 1, options.degree));
}

}  // namespace

SurveyedRows survey_for_growth(const RowSource& source, const GrownOptions& method, const Options& options,
                               const Names& names) {
  const PhaseTimer timer(options.phases, "survey");
  std::optional<RowBlock> own = own_rows(source, method.structure_rows);
  auto [data, sample] = survey_with_sample(source, options, names, own ? 0 : 2 * method.structure_rows);
  close_circles(method, data.features);
  return {std::move(data), own, std::move(sample)};
}

GrowingRows::GrowingRows(SurveyedRows surveyed, const GrownOptions& method, const Options& options,
                         TargetScale scale)
    : data_(std::move(surveyed.data)),
      response_(response_of(method, data_)),
      complete_(data_.rows <= method.structure_rows) {
  check_features(data_, options);
  shift_.scale = scale;
  take_rows(surveyed.own, std::move(surveyed.sample));
  if (complete_) recompute_target_moments();
  scale_target();
  if (complete_)
    unstack();
  else
    split_sample(method.structure_rows);
  merge_rows(deciding_);
  growing_ = growing_data(data_, merged_ ? merged_->rows.block : deciding_, options);
  if (merged_) growing_.within_squares = merged_->within_squares;
  if (linked()) set_response(response_);
}

void GrowingRows::set_response(std::shared_ptr<const Response> response) {
  response_ = std::move(response);
  growing_.response = response_.get();
  growing_.constant_predictor = constant_of(*response_, growing_.rows);
  growing_.predictor.reset();
  if (!merged_) return;
  // The deviance of several rows from one mean is that of their own mean from it, as often as they count,
  // plus what they lose to their own mean.
  growing_.within_squares = 0;
  for (std::size_t r = 0; r < deciding_.rows(); ++r)
    if (deciding_.weight(r) > 0)
      growing_.within_squares +=
          deciding_.weight(r) *
          response_->loss(deciding_.y[r], response_->link(growing_.rows.y[merged_into_[r]]));
}

/// Rows that have to be left out together stay on one side. Which side depends on a hash of their contents,
/// and not on the order of rows.
void GrowingRows::split_sample(std::size_t structure_rows) {
  constexpr double deciding_share = 0.8;  // of a table that is hardly longer than what may decide
  const std::size_t wanted =
      std::min(structure_rows, static_cast<std::size_t>(deciding_share * static_cast<double>(y_.size())));
  const std::vector<bool> decides = grouped() ? deciding_groups(wanted) : deciding_units(wanted);
  std::vector<std::size_t> inside;
  std::vector<std::size_t> outside;
  for (std::size_t r = 0; r < decides.size(); ++r) (decides[r] ? inside : outside).push_back(r);
  sampled_.emplace(deciding_, inside);
  kept_apart_.emplace(deciding_, outside);
  deciding_ = sampled_->block;
  unseen_ = kept_apart_->block;
}

/// Units are small beside the sample, so the first ones by their hashes decide.
std::vector<bool> GrowingRows::deciding_units(std::size_t wanted) const {
  const std::vector<std::uint64_t> hashes = units_of(deciding_);
  std::vector<std::size_t> order(hashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return hashes[r]; });
  std::size_t count = wanted;
  while (count < order.size() && count > 0 && hashes[order[count]] == hashes[order[count - 1]]) ++count;
  std::vector<bool> decides(order.size());
  for (std::size_t i = 0; i < count; ++i) decides[order[i]] = true;
  return decides;
}

/// A group may be large: groups are cut into parts of about the same size, and the smallest part judges.
std::vector<bool> GrowingRows::deciding_groups(std::size_t wanted) const {
  const std::size_t judging = y_.size() - wanted;
  const std::size_t parts = std::clamp<std::size_t>(y_.size() / std::max<std::size_t>(judging, 1), 2,
                                                    std::max<std::size_t>(group_count(deciding_), 2));
  const std::vector<std::size_t> part_of = folds_of(units_of(deciding_), deciding_.weights, parts);
  std::vector<std::size_t> sizes(parts);
  for (const std::size_t part : part_of) ++sizes[part];
  const auto smallest = static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin());
  std::vector<bool> decides;
  for (const std::size_t part : part_of) decides.push_back(part != smallest);
  return decides;
}

/// A table that was stacked holds nothing new, and is the table with as many times the weights.
void GrowingRows::unstack() {
  const std::size_t times = stacked_times(deciding_);
  if (times == 1) return;
  unstacked_.emplace(unstacked(deciding_, times));
  stacked_rows_ = deciding_.rows() - unstacked_->block.rows();
  deciding_ = unstacked_->block;
}

void GrowingRows::merge_rows(const RowBlock& rows) {
  const std::vector<std::size_t> first = first_equal_rows(rows);
  bool any = false;
  for (std::size_t r = 0; r < first.size(); ++r) any = any || first[r] != r;
  if (any && equal_rows_are_exceptions(rows, first)) {
    merged_.emplace(merge_equal_rows(rows, first));
    merged_into_ = merged_->merged_into;
  } else {
    merged_.reset();
    merged_into_.resize(first.size());
    std::iota(merged_into_.begin(), merged_into_.end(), std::size_t{0});
  }
}

void GrowingRows::take_rows(std::optional<RowBlock> own, std::optional<RowSample> sample) {
  if (own) {
    deciding_ = *own;
    y_.assign(deciding_.y.begin(), deciding_.y.end());
  } else {
    const std::size_t columns = sample->columns();
    drawn_ = std::move(*sample).take();
    y_ = std::move(drawn_.y);
    deciding_.x = MatrixView::column_major(drawn_.x, y_.size(), columns);
    deciding_.weights = drawn_.weights;
    deciding_.groups = drawn_.groups;
  }
  deciding_.y = y_;
}

/// Where all rows are in memory, mean and variance are computed from them again. Sums that were merged from
/// several machines differ in the last digits, and growing could amplify the difference.
void GrowingRows::recompute_target_moments() {
  RangeAccumulator ranges(deciding_.x.columns());
  ranges.add(deciding_);
  data_.target_mean = ranges.target_mean();
  data_.target_variance = ranges.target_variance();
  data_.weight_sum = ranges.weight_sum();
}

void GrowingRows::scale_target() {
  scaled_mean_ = data_.target_mean;
  scaled_variance_ = data_.target_variance;
  if (linked()) return;
  own_shift_ = shift_by(data_.target_mean, data_.target_variance, TargetScale::identity);
  if (scale() != TargetScale::identity) {
    for (double& value : y_) value = to_scale(scale(), value);
    RangeAccumulator ranges(deciding_.x.columns());
    ranges.add(deciding_);
    scaled_mean_ = ranges.target_mean();
    scaled_variance_ = ranges.target_variance();
  }
  shift_ = shift_by(scaled_mean_, scaled_variance_, scale());
  for (double& value : y_) value = (value - shift()) / unit();
}

void GrowingRows::weigh(std::span<const double> factors, double noise_scale, bool rescale) {
  fitted_counts_.resize(deciding_.rows());
  for (std::size_t r = 0; r < fitted_counts_.size(); ++r)
    fitted_counts_[r] = deciding_.weight(r) * factors[r];
  noise_scale_ = noise_scale;
  const RowBlock counted{deciding_.x, deciding_.y, fitted_counts_, deciding_.groups};
  follow_moments(counted, rescale);
  merge_rows(counted);
  growing_.rows = merged_ ? merged_->rows.block : counted;
  growing_.within_squares = merged_ ? merged_->within_squares : 0;
}

/// Gross errors would own the mean and the deviation of the target, by which it was scaled.
void GrowingRows::follow_moments(const RowBlock& counted, bool rescale) {
  double weight = 0;
  double mean = 0;
  double squares = 0;
  for (std::size_t r = 0; r < counted.rows(); ++r) {
    weight += counted.weight(r);
    mean += counted.weight(r) * counted.y[r];
  }
  mean /= weight;
  for (std::size_t r = 0; r < counted.rows(); ++r)
    squares += counted.weight(r) * std::pow(counted.y[r] - mean, 2);
  if (!(squares > 0)) return;
  data_.target_mean = scaled_mean_ = shift() + unit() * mean;
  data_.target_variance = scaled_variance_ = unit() * unit() * squares / weight;
  if (!rescale) return;
  const TargetShift before = std::exchange(shift_, shift_by(scaled_mean_, scaled_variance_, scale()));
  own_shift_ = shift_;  // the robust loss is for the identity scale
  const double factor = before.unit / unit();
  const double added = (before.shift - shift()) / unit();
  const auto convert = [&](std::vector<double>& targets) {
    for (double& value : targets) value = factor * value + added;
  };
  convert(y_);
  if (unstacked_) convert(unstacked_->y);
  if (sampled_) convert(sampled_->y);
  if (kept_apart_) convert(kept_apart_->y);
  noise_scale_ *= factor;
}

bool GrowingRows::nothing_varies() const {
  return std::ranges::none_of(growing_.coordinates,
                              [](const Coordinate& coordinate) { return coordinate.finest > 0; });
}

}  // namespace kore

#include "fit/grown_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "base/parallel.hpp"
#include "fit/effects.hpp"
#include "fit/grown_summary.hpp"
#include "fit/residual_quantiles.hpp"
#include "fit/survey.hpp"
#include "grow/full_fit.hpp"
#include "grow/grow.hpp"
#include "kore/error.hpp"
#include "pass/shifted_source.hpp"
#include "select/dyadic.hpp"
#include "select/pilots.hpp"

namespace kore {
namespace {

constexpr double negligible_lift = 0.01;  // of the leave-one-out error of straight lines

constexpr const char* lines_are_enough =
    "The splines gain next to nothing over straight lines on left-out rows: the regression is at its noise "
    "floor, and ordinary least squares is enough.";
constexpr const char* nothing_predicts =
    "Neither splines nor straight lines predict left-out rows better than the mean does: these features say "
    "next to nothing about the target, or the rows are too few to tell.";

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

/// The rows that decide on the structure: the caller's own, or a sample of all.
class StructureRows {
 public:
  StructureRows(std::optional<RowBlock> own, std::optional<RowSample> sample, bool complete)
      : complete_(complete) {
    if (own) {
      rows_ = *own;
      y_.assign(rows_.y.begin(), rows_.y.end());
    } else {
      const std::size_t columns = sample->columns();
      drawn_ = std::move(*sample).take();
      y_ = std::move(drawn_.y);
      rows_.x = MatrixView::column_major(drawn_.x, y_.size(), columns);
      rows_.weights = drawn_.weights;
    }
    rows_.y = y_;
  }
  StructureRows(const StructureRows&) = delete;
  StructureRows& operator=(const StructureRows&) = delete;

  /// Where all rows are here, their mean and variance as if they had never been elsewhere: sums that were
  /// merged differ in the last digits, and growing would make more of that.
  void recompute_target_moments(Survey& data) const {
    if (!complete_) return;
    RangeAccumulator ranges(rows_.x.columns());
    ranges.add(rows_);
    data.target_mean = ranges.target_mean();
    data.target_variance = ranges.target_variance();
    data.weight_sum = ranges.weight_sum();
  }
  void shift_target(double shift, double unit) {
    for (double& value : y_) value = (value - shift) / unit;
  }

  const RowBlock& block() const { return rows_; }
  bool complete() const { return complete_; }

 private:
  bool complete_ = false;
  RowSample::Rows drawn_;
  std::vector<double> y_;
  RowBlock rows_;
};

GrowingData growing_data(const Survey& data, const RowBlock& rows, const Options& options) {
  GrowingData growing;
  growing.rows = rows;
  growing.threads = resolve_threads(options.threads);
  growing.coordinates = coordinates_of(
      data.features, rows, options.ranges.empty() ? RangesOf::rows : RangesOf::caller, growing.threads);
  growing.features = features_of(growing.coordinates);
  growing.degree = options.degree;
  growing.ridge = options.ridge;
  growing.relative_ridge = options.relative_ridge;
  growing.inverse_limit = options.inverse_limit;
  return growing;
}

/// A power of two near the target's deviation: squares and penalties then stay in range whatever its unit is,
/// and no digit is lost on the way there and back.
double unit_of(const Survey& data) {
  return std::exp2(std::round(std::log2(std::sqrt(data.target_variance))));
}

/// The target's mean to a millionth of its deviation. Means of the same rows differ in their last digits by
/// how the rows were added up; growing would make more of that, and is to give one model wherever rows are.
double shift_of(const Survey& data, double unit) {
  const double grain = std::ldexp(unit, -20);
  return std::round(data.target_mean / grain) * grain;
}

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// Columns of interactions whose products, rows times columns squared, stay within the work allowed.
std::size_t affordable_interactions(const Options& options, const Survey& data) {
  const double columns = std::sqrt(options.interaction_work / static_cast<double>(data.rows));
  constexpr double beyond_any = 1e15;
  return options.interaction_work == 0 || columns > beyond_any ? no_limit : static_cast<std::size_t>(columns);
}

GrowOptions grow_options(const Options& options, const Survey& data) {
  GrowOptions grow;
  const bool no_pairs = options.structure == StructureChoice::additive ||
                        options.pair_choice == PairChoice::none ||
                        (options.pair_choice == PairChoice::given && options.pairs.empty());
  grow.max_order = no_pairs ? 1 : static_cast<std::size_t>(options.max_order);
  grow.given = options.pairs;
  grow.all_pairs = options.pair_choice == PairChoice::all;
  grow.interactions_only = options.structure == StructureChoice::pairwise;
  grow.max_resolution_main = options.max_resolution_additive;
  grow.max_resolution_pair = options.max_resolution_pairwise;
  grow.stability = options.stability;
  grow.max_columns = options.max_columns > 0 ? options.max_columns : no_limit;
  // A table that needs no sample is short enough for any interaction.
  if (data.rows > options.structure_rows) grow.interaction_columns = affordable_interactions(options, data);
  if (options.progress)
    grow.progress = [&options](std::size_t, int resolution, const Stage& stage) {
      options.progress(
          {structure_of(stage),
           resolution,
           {stage.smoother->design().columns(), stage.loo(), stage.press.loss, stage.press.max_leverage}});
    };
  return grow;
}

/// Covariances of the main effects' coefficients; without a penalty, those of least squares.
void add_bands(const Smoother& smoother, double noise_variance, int threads, std::vector<Effect>& effects) {
  std::vector<std::size_t> mains;
  for (std::size_t t = 0; t < effects.size(); ++t)
    if (smoother.design().terms()[t].order() == 1) mains.push_back(t);
  std::vector<std::vector<double>> covariances = smoother.covariances(mains, threads);
  for (std::size_t i = 0; i < mains.size(); ++i) {
    for (double& value : covariances[i]) value *= noise_variance;
    effects[mains[i]].covariance = std::move(covariances[i]);
  }
}

struct Finished {
  const Smoother* smoother = nullptr;
  PressSums press;
  double noise_variance = 0;
  double ridge = 0;
  std::vector<Effect> effects;
  std::vector<double> quantiles;
  std::vector<std::vector<double>> penalty_weights;
};

Model assemble(Finished fit, FitSummary summary, double unit, const Options& options, const Names& names) {
  record_fit(fit.press, fit.ridge, options.relative_ridge, summary);
  summary.noise_variance = fit.noise_variance;
  add_bands(*fit.smoother, fit.noise_variance, resolve_threads(options.threads), fit.effects);
  Model model{fit.smoother->design(),
              options.extrapolation,
              fit.smoother->intercept() * unit + summary.target_shift,
              fit.smoother->coefficients(),
              names.target,
              std::move(fit.effects),
              std::move(fit.penalty_weights),
              std::move(summary),
              std::move(fit.quantiles),
              {}};
  rescale(model, unit);
  return model;
}

bool nothing_varies(const GrowingData& data) {
  return std::ranges::none_of(data.coordinates,
                              [](const Coordinate& coordinate) { return coordinate.finest > 0; });
}

PilotCheck pilot_check_of(const GrowingData& data, const Growth& growth, const Options& options,
                          Structure structure) {
  return check_dyadic_pilots(growth.additive, growth.additive_size, weight_sum_of(data.rows),
                             options.stability, data.features.size(), structure);
}

/// Ranges that somebody has given, and levels: what a design refuses is refused before anything grows.
void check_features(const Survey& data, const Options& options) {
  static_cast<void>(Design::additive(data.features, 1, options.degree));
}

void require_pairs(const Stage& chosen, const Options& options) {
  if (options.structure == StructureChoice::pairwise && chosen.order() < 2)
    throw Error(ErrorCode::invalid_data,
                "No pair of features was found: nothing is left of any of them where their penalties are "
                "solved for, or the rows are too few to tell. Let the additive family compete.");
}

std::vector<std::vector<double>> weights_of(std::span<const GrownTerm> terms, bool penalised) {
  std::vector<std::vector<double>> weights;
  for (const GrownTerm& grown : terms)
    if (penalised) weights.push_back(grown.weights);
  return weights;
}

/// A model that has grown, and what it has grown from.
struct Grown {
  const Survey& data;
  const StructureRows& rows;
  const GrowingData& growing;
  const Growth& growth;
  double shift = 0;
  double unit = 1;

  const Stage& chosen() const { return growth.stages[growth.chosen]; }
};

/// The chosen structure fitted to all rows, with its story.
Model finish(const Grown& grown, const RowSource& source, const Options& options, const Names& names) {
  const auto& [data, rows, growing, growth, shift, unit] = grown;
  const Stage& chosen = grown.chosen();
  FitSummary summary;
  record_survey(data, shift, summary);
  record_growth(growth, summary);
  summary.structure_rows = rows.block().rows();
  summary.pilot_check = pilot_check_of(growing, growth, options, summary.structure);
  if (rows.complete()) {
    Finished fit{chosen.smoother.get(),
                 chosen.press,
                 chosen.noise_variance,
                 chosen.ridge,
                 {},
                 {},
                 weights_of(chosen.terms, growth.penalised)};
    fit.effects = effects_of_rows(*chosen.smoother, growing.rows, growing.threads);
    if (options.intervals) fit.quantiles = residual_quantiles(chosen.loo_residuals, growing.rows);
    return assemble(std::move(fit), std::move(summary), unit, options, names);
  }
  const ShiftedSource shifted(source, shift, unit);
  const GrowOptions limits = grow_options(options, data);
  FullFit full = fit_all_rows(growing, chosen, growth.penalised, shifted,
                              {data.rows, data.weight_sum, limits.max_resolution_main, limits.max_columns,
                               options.intervals ? residual_step(data.rows) : 0});
  record_terms(full.terms, summary);
  Finished fit{&full.smoother,
               full.press,
               full.noise_variance,
               full.ridge,
               effects_of(full.equations, full.smoother),
               {},
               weights_of(full.terms, growth.penalised)};
  if (options.intervals) fit.quantiles = residual_quantiles(std::move(full.residuals));
  return assemble(std::move(fit), std::move(summary), unit, options, names);
}

/// Of the best straight lines that were fitted on the way, with a penalty or by least squares.
double lines_loo(const Grown& grown, const FitSummary& summary) {
  double best = linear_loo(grown.growing);
  for (std::size_t i = 0; i < summary.stages.size(); ++i)
    if (summary.stages[i].lines) best = std::min(best, grown.growth.stages[i].loo());
  return best * grown.unit * grown.unit;
}

/// The chosen stage, or the best without interactions.
const Stage& main_effects(const Grown& grown) {
  if (grown.chosen().order() == 1) return grown.chosen();
  return *std::ranges::min_element(
      grown.growth.stages, {}, [](const Stage& stage) { return std::tuple(stage.order() > 1, stage.loo()); });
}

}  // namespace

Model grown_fit(const RowSource& source, const Options& options, const Names& names) {
  const std::optional<RowBlock> own = own_rows(source, options.structure_rows);
  auto [data, sample] = survey_with_sample(source, options, names, own ? 0 : options.structure_rows);
  if (data.target.lowest == data.target.highest) return constant_model(data, options, names);
  check_features(data, options);
  StructureRows rows(own, std::move(sample), data.rows <= options.structure_rows);
  rows.recompute_target_moments(data);
  const double unit = unit_of(data);
  const double shift = shift_of(data, unit);
  rows.shift_target(shift, unit);
  const GrowingData growing = growing_data(data, rows.block(), options);
  if (nothing_varies(growing)) {
    Options nothing_to_grow = options;
    nothing_to_grow.penalise = false;
    return fit(source, nothing_to_grow, names);
  }
  const Growth growth = grow(growing, grow_options(options, data));
  require_pairs(growth.stages[growth.chosen], options);
  return finish({data, rows, growing, growth, shift, unit}, source, options, names);
}

void compare_with_lines(Diagnosis& diagnosis, double loo, double linear_loo) {
  diagnosis.lift_over_linear = 1 - loo / linear_loo;
  if (diagnosis.lift_over_linear < negligible_lift)
    diagnosis.advice.emplace_back(linear_loo < diagnosis.summary.target_variance ? lines_are_enough
                                                                                 : nothing_predicts);
}

Diagnosis diagnose_grown(const RowSource& source, Options options, const Names& names) {
  options.intervals = false;
  const std::optional<RowBlock> own = own_rows(source, options.structure_rows);
  auto [data, sample] = survey_with_sample(source, options, names, own ? 0 : options.structure_rows);
  if (data.target.lowest == data.target.highest)
    throw Error(ErrorCode::invalid_data, "The target is constant: there is nothing to diagnose.");
  check_features(data, options);
  StructureRows rows(own, std::move(sample), data.rows <= options.structure_rows);
  rows.recompute_target_moments(data);
  const double unit = unit_of(data);
  const double shift = shift_of(data, unit);
  rows.shift_target(shift, unit);
  const GrowingData growing = growing_data(data, rows.block(), options);
  if (nothing_varies(growing))
    throw Error(ErrorCode::invalid_data, "Every feature is constant: there is nothing to diagnose.");
  const Growth growth = grow(growing, grow_options(options, data));
  const Grown grown{data, rows, growing, growth, shift, unit};
  Diagnosis diagnosis;
  diagnosis.summary = finish(grown, source, options, names).summary;
  diagnosis.pilots = *diagnosis.summary.pilot_check;
  if (diagnosis.pilots.features > most_features) diagnosis.advice.push_back(diagnosis.pilots.advice.front());
  diagnosis.additive_signal_score = main_effects(grown).press.signal_score();
  const auto& curve = growth.additive.curve;
  const int g = growth.additive.resolution;
  diagnosis.bracketed = std::ranges::none_of(std::array{g - 1, g + 1}, [&](int other) {
    return curve.contains(other) && curve.at(other).loo < curve.at(g).loo;
  });
  diagnosis.use_kore = diagnosis.additive_signal_score > 1 && diagnosis.bracketed;
  compare_with_lines(diagnosis, grown.chosen().loo() * unit * unit, lines_loo(grown, diagnosis.summary));
  return diagnosis;
}

}  // namespace kore

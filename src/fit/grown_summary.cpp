#include "fit/grown_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "grow/choice.hpp"

namespace kore {
namespace {

void rescale(Selection& selection, double square) {
  selection.law.bias_scale *= square;
  selection.law.variance_scale *= square;
  selection.loo *= square;
  for (auto& [resolution, score] : selection.curve) {
    score.loo *= square;
    score.rss *= square;
  }
}

void rescale(Effect& effect, double unit) {
  effect.mean *= unit;
  effect.variance *= unit * unit;
  for (double& value : effect.covariance) value *= unit * unit;
  for (double& value : effect.covariance_factor) value *= unit;
}

Structure structure_of(std::size_t order) {
  return order == 1 ? Structure::additive : order == 2 ? Structure::pairwise : Structure::threeway;
}

/// The mean left-out loss of the constant model of a response with a link.
double linked_constant_loo(const GrowingData& data) {
  const std::size_t rows = data.rows.rows();
  const double n = weight_sum_of(data.rows);
  const std::vector<double> predictor(rows, data.constant_predictor);
  std::vector<double> leverage;
  for (std::size_t r = 0; r < rows; ++r) leverage.push_back(data.rows.weight(r) / n);
  std::vector<double> residuals(rows);
  std::vector<double> losses(rows);
  std::vector<double> gains(rows);
  const LossSums sums = data.response->left_out({data.rows.y, predictor, leverage, data.rows.weights},
                                                {data.constant_predictor, n, 1}, {residuals, losses, gains});
  return (sums.left_out_loss + data.within_squares) / n;
}

/// Of the constant model: its mean left-out loss.
double constant_loo(const GrowingData& data) {
  if (!data.response->fits_in_one_step()) return linked_constant_loo(data);
  const double n = weight_sum_of(data.rows);
  double mean = 0;
  for (std::size_t r = 0; r < data.rows.rows(); ++r) mean += data.rows.weight(r) * data.rows.y[r] / n;
  double squares = data.within_squares;
  for (std::size_t r = 0; r < data.rows.rows(); ++r)
    squares += data.rows.weight(r) * std::pow(data.rows.y[r] - mean, 2);
  return squares / n * std::pow(n / (n - 1), 2);
}

}  // namespace

double constant_loss(const GrowingData& data) {
  double loss = data.within_squares;
  for (std::size_t r = 0; r < data.rows.rows(); ++r)
    if (data.rows.weight(r) > 0)
      loss += data.rows.weight(r) * data.response->loss(data.rows.y[r], data.constant_predictor);
  return loss / weight_sum_of(data.rows);
}

Structure structure_of(const Stage& stage) { return structure_of(stage.order()); }

void record_survey(const GrowingRows& rows, FitSummary& summary) {
  const Survey& data = rows.data();
  summary.rows = data.rows;
  summary.weight_sum = data.weight_sum;
  summary.weighted_rows = data.weighted_rows;
  summary.target_mean = data.target_mean;
  summary.target_variance = data.target_variance;
  summary.target_shift = rows.shift();
  if (rows.scale() != TargetScale::identity) summary.scaled_variance = rows.scaled_variance();
  if (rows.linked()) summary.null_deviance = constant_loss(rows.growing());
}

void record_terms(std::span<const GrownTerm> terms, FitSummary& summary) {
  std::size_t order = 1;
  summary.pairs.clear();
  summary.resolution = 1;
  for (const GrownTerm& grown : terms) {
    order = std::max(order, grown.term.order());
    if (grown.term.order() == 1)
      summary.resolution = std::max(summary.resolution, grown.term.resolutions.front());
    if (grown.term.order() == 2) summary.pairs.emplace_back(grown.term.features[0], grown.term.features[1]);
  }
  summary.structure = structure_of(order);
  for (ScreenedTerm& screened : summary.screened)
    screened.kept = std::ranges::any_of(
        terms, [&](const GrownTerm& grown) { return grown.term.features == screened.features; });
}

void record_growth(const Growth& growth, FitSummary& summary) {
  const Stage& chosen = growth.stages[growth.chosen];
  summary.fits = growth.fits;
  summary.additive = growth.additive;
  summary.pairwise = growth.pairwise;
  for (std::size_t i = 0; i < growth.stages.size(); ++i) {
    const Stage& stage = growth.stages[i];
    const auto curved = [](const Feature& feature) { return feature.kind == FeatureKind::spline; };
    // The straight lines may be beside cyclic curves, which have none in their place.
    const bool lines =
        stage.kind == StageKind::lines || std::ranges::none_of(stage.function->design.features(), curved);
    summary.stages.push_back({structure_of(stage), !stage.penalties.empty(), lines, stage.terms.size(),
                              stage.function->design.columns(), stage.press.leverage, stage.loo(),
                              price_of(stage), std::numeric_limits<double>::quiet_NaN(), stage.shrinkage,
                              i == growth.chosen});
    summary.stages.back().by_value =
        std::ranges::any_of(stage.terms, [](const GrownTerm& grown) { return grown.term.by_value(); });
    summary.stages.back().few_terms = stage.kind > StageKind::constant && stage.kind < StageKind::lines;
  }
  for (const ScoredTerm& scored : growth.screened)
    summary.screened.push_back({scored.term.features, scored.gain, false});
  record_terms(chosen.terms, summary);
}

void record_judgement(const Growth& growth, const Refereed& refereed, const GrowingData& data,
                      FitSummary& summary) {
  const std::span<const Candidate> all = candidates();
  for (std::size_t i = 0; i < growth.stages.size(); ++i)
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].kind == growth.stages[i].kind && all[k].shrinkage == growth.stages[i].shrinkage)
        std::tie(summary.stages[i].unseen_loss, summary.stages[i].unseen_error) =
            std::tie(refereed.mean_losses[k], refereed.loss_errors[k]);
  StageSummary constant;
  constant.columns = 1;
  constant.parameters = 1;
  constant.loo = constant_loo(data);
  constant.unseen_loss = refereed.mean_losses.front();
  constant.unseen_error = refereed.loss_errors.front();
  constant.chosen = refereed.chosen == std::size_t{0};
  if (constant.chosen)
    for (StageSummary& stage : summary.stages) stage.chosen = false;
  summary.stages.insert(summary.stages.begin(), constant);
}

void record_constant(const GrowingRows& rows, const Convergence& convergence, const Options& options,
                     FitSummary& summary) {
  const GrowingData& data = rows.growing();
  const double n = weight_sum_of(data.rows);
  record_terms({}, summary);
  summary.convergence = convergence;
  summary.loo = constant_loo(data);
  summary.residual_variance = summary.loo * std::pow((n - 1) / n, 2);
  summary.noise_variance =
      data.response->known_dispersion().value_or(summary.residual_variance * n / (n - 1));
  summary.parameters = 1;
  summary.max_leverage = 1 / n;
  summary.signal_score = 0;
  summary.ridge = options.ridge;
  summary.relative_ridge = options.relative_ridge;
}

void record_fit(const PressSums& press, double ridge, bool relative_ridge, FitSummary& summary) {
  summary.loo = press.loo();
  summary.residual_variance = press.mean_loss();
  summary.parameters = press.leverage;
  summary.max_leverage = press.max_leverage;
  summary.signal_score = press.signal_score();
  summary.ridge = ridge;
  summary.relative_ridge = relative_ridge;
}

void record_convergence(Convergence convergence, const Growth& growth, FitSummary& summary) {
  for (std::size_t i = 0; i < growth.stages.size(); ++i)
    if (i != growth.chosen && !growth.stages[i].convergence.settled) ++convergence.unsettled_rivals;
  summary.convergence = convergence;
}

void rescale(Model& model, const GrowingRows& rows) {
  const double unit = rows.unit();
  const double own_unit = rows.own_shift().unit;
  const double square = unit * unit;
  model.intercept = model.intercept * unit + model.summary.target_shift;
  for (double& c : model.coefficients) c *= unit;
  if (rows.scale() == TargetScale::identity) {  // on others they were found in their last units
    for (double& q : model.residual_quantiles) q *= unit;
    for (double& place : model.residual_spread.predictions) place = place * unit + model.summary.target_shift;
  }
  for (Effect& effect : model.effects) rescale(effect, unit);
  if (model.purified) {
    model.purified->constant = model.purified->constant * unit + model.summary.target_shift;
    for (double& c : model.purified->coefficients) c *= unit;
    for (Effect& effect : model.purified->effects) rescale(effect, unit);
  }
  FitSummary& summary = model.summary;
  for (double* value : {&summary.loo, &summary.residual_variance, &summary.noise_variance}) *value *= square;
  if (summary.accuracy) {
    summary.accuracy->rmse *= own_unit;
    summary.accuracy->mae *= own_unit;
    for (PredictionGroup& group : summary.accuracy->by_prediction) {
      group.rmse *= own_unit;
      for (double* value : {&group.predicted, &group.observed, &group.low, &group.high})
        *value = *value * own_unit + rows.own_shift().shift;
    }
  }
  if (summary.robust) summary.robust->scale *= unit;
  for (StageSummary& stage : summary.stages) {
    stage.unseen_loss *= own_unit * own_unit;
    stage.unseen_error *= own_unit * own_unit;
    stage.loo *= square;
    stage.all_rows_loo *= square;
    stage.price *= square;
  }
  for (auto* selection : {&summary.additive, &summary.pairwise})
    if (*selection) rescale(**selection, square);
  if (summary.pilot_check) {
    summary.pilot_check->law.bias_scale *= square;
    summary.pilot_check->law.variance_scale *= square;
  }
}

}  // namespace kore

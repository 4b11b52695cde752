#include "fit/unpenalised_model.hpp"

#include <cmath>
#include <optional>
#include <span>

#include "base/parallel.hpp"
#include "fit/effects.hpp"
#include "fit/purified_effects.hpp"
#include "fit/residual_quantiles.hpp"
#include "pass/shifted_source.hpp"

namespace kore {

FamilySettings family_settings(const Survey& data, const Options& options) {
  FamilySettings settings;
  settings.rows = data.rows;
  settings.features = data.features;
  settings.degree = options.degree;
  settings.ridge = options.ridge;
  settings.relative_ridge = options.relative_ridge;
  settings.inverse_limit = options.inverse_limit;
  settings.threads = resolve_threads(options.threads);
  settings.progress = options.progress;
  if (options.intervals) settings.residual_step = residual_step(data.rows);
  return settings;
}

void record_fit(const Fitted& best, const Survey& data, double target_shift, const Options& options,
                FitSummary& summary) {
  summary.rows = data.rows;
  summary.weight_sum = data.weight_sum;
  summary.weighted_rows = data.weighted_rows;
  summary.residual_variance = best.press.loss / data.weight_sum;
  summary.target_mean = data.target_mean;
  summary.target_variance = data.target_variance;
  summary.target_shift = target_shift;
  summary.parameters = best.press.leverage;
  summary.max_leverage = best.press.max_leverage;
  summary.signal_score = best.press.signal_score();
  summary.ridge = options.ridge;
  summary.relative_ridge = options.relative_ridge;
  summary.convergence = Convergence{};  // nothing is iterated, and no ridge is raised
}

/// The errors of leave-one-out with the selected resolution; nothing where it was not scored. The mean
/// absolute error is that of the quantiles, if they were kept.
std::optional<Accuracy> accuracy_given_model(const FitSummary& summary, std::span<const double> quantiles) {
  if (!std::isfinite(summary.loo)) return std::nullopt;
  Accuracy accuracy;
  accuracy.rows = summary.rows;
  accuracy.rmse = std::sqrt(summary.loo);
  accuracy.r2 = summary.loo_r2();
  accuracy.signal_score = summary.signal_score;
  for (const double q : quantiles) accuracy.mae += std::abs(q) / static_cast<double>(quantiles.size());
  return accuracy;
}

Model model_of(Fitted best, FitSummary summary, const Survey& data, double target_shift,
               const Options& options, const Names& names) {
  record_fit(best, data, target_shift, options, summary);
  std::vector<double> quantiles;
  if (options.intervals) quantiles = residual_quantiles(std::move(best.residuals));
  summary.accuracy = accuracy_given_model(summary, quantiles);
  Model model{best.smoother.design(),
              options.extrapolation,
              best.smoother.intercept() + target_shift,
              best.smoother.coefficients(),
              names.target,
              effects_of(best.gram, best.smoother.coefficients()),
              {},
              std::move(summary),
              {},
              std::move(quantiles),
              {}};
  model.purified = purified_effects(best.gram, best.smoother);
  if (model.purified) model.purified->constant += target_shift;
  return model;
}

Model mean_model(const RowSource& source, const Survey& data, const Options& options, const Names& names) {
  const ShiftedSource centred(source, data.target_mean);
  FamilySettings settings = family_settings(data, options);
  settings.additive_parametrisation = Parametrisation::centred;
  FamilyFits fits(centred, std::move(settings));
  ResolutionCurve curve = fits.curve(data.weight_sum);
  // Any resolution gives the mean, so the coarsest does.
  SelectorOptions coarsest;
  coarsest.max_resolution = 1;
  coarsest.stability = options.stability;
  coarsest.score_unstable = true;
  FitSummary summary;
  summary.additive = select_resolution(curve, coarsest);
  summary.loo = summary.additive->loo;
  summary.fits = summary.additive->fits;
  summary.pilot_check = check_pilots(curve, coarsest, data.features.size(), summary.structure);
  return model_of(fits.take(1), std::move(summary), data, data.target_mean, options, names);
}

}  // namespace kore

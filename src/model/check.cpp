#include "model/check.hpp"

#include <algorithm>
#include <cmath>

#include "base/finite.hpp"
#include "base/utf8.hpp"
#include "kore/error.hpp"
#include "model/uncertainty_bytes.hpp"

namespace kore {
namespace {

constexpr std::size_t most_penalties = 2;  // of a term
// Fits and steps are counted in few digits; a larger number is damage.
constexpr int most_fits = 1'000'000'000;

bool finite(double value) { return std::isfinite(value); }

bool is_resolution(int value) { return value >= 0 && value <= max_intervals; }

/// A sum of squares that may have overflowed, or of a model that was not scored, but is no damage.
bool is_error(double value) { return value >= 0 || std::isnan(value); }

void require_names(const std::vector<std::size_t>& features, const Model& model, std::string_view field) {
  const std::size_t count = model.design.features().size();
  require_of_model(std::ranges::all_of(features, [count](std::size_t j) { return j < count; }), field,
                   "name features that its design does not have");
}

void check_function(const Model& model) {
  check_lengths(model);
  require_of_model(finite(model.intercept), "intercept", "is not a finite number");
  require_of_model(all_finite(model.coefficients), "coefficients", "are not all finite numbers");
  require_of_model(is_utf8(model.target), "target's name", "is not UTF-8");
  // A row that decides its own prediction has an infinite left-out error.
  const auto known = [](double error) { return !std::isnan(error); };
  require_of_model(std::ranges::all_of(model.residual_quantiles, known) &&
                       std::ranges::is_sorted(model.residual_quantiles),
                   "residual quantiles", "are not numbers that rise");
  for (const Feature& feature : model.design.features()) {
    require_of_model(is_utf8(feature.name), "feature names", "are not all UTF-8");
    const Range& range = feature.range;
    require_of_model(finite(range.lowest) && finite(range.highest) && range.lowest <= range.highest,
                     "feature ranges", "are not all finite and ordered");
  }
}

void check_effects(const Model& model) {
  for (const Effect& effect : model.effects) {
    require_of_model(finite(effect.mean), "means of effects", "are not all finite numbers");
    require_of_model(is_error(effect.variance), "variances of effects", "are not all at least zero");
    require_of_model(finite(effect.share) && finite(effect.covariance_share), "shares of effects",
                     "are not all finite numbers");
  }
  check_uncertainty(model);
}

void check_penalties(const Model& model) {
  const auto& all = model.penalty_weights;
  require_of_model(all.empty() || all.size() == model.design.terms().size(), "penalty weights",
                   "do not belong to its terms");
  for (const std::vector<double>& weights : all)
    require_of_model(
        weights.size() <= most_penalties &&
            std::ranges::all_of(weights, [](double weight) { return finite(weight) && weight >= 0; }),
        "penalty weights", "are not one or two finite numbers for each term");
}

void check(const Selection& selection) {
  constexpr std::string_view name = "selection";
  require_of_model(is_resolution(selection.resolution) && is_resolution(selection.largest_stable), name,
                   "has a resolution that no design can have");
  for (const auto* list : {&selection.pilots, &selection.certificate})
    require_of_model(std::ranges::all_of(*list, is_resolution), name,
                     "has a pilot or certificate that no design can have");
  require_of_model(selection.fits >= 0 && selection.fits <= most_fits, name, "counts fits that cannot be");
  for (const auto& [resolution, score] : selection.curve)
    require_of_model(is_resolution(resolution) && is_error(score.loo), name,
                     "has a fit at a resolution that no design can have");
}

void check(const PilotCheck& check) {
  const bool readable = is_utf8(check.reason) && is_utf8(check.recommendation) &&
                        std::ranges::all_of(check.advice, [](const std::string& s) { return is_utf8(s); });
  require_of_model(readable, "pilot check", "has words that are not UTF-8");
}

void check_screened(const Model& model) {
  for (const ScreenedTerm& term : model.summary.screened) {
    require_of_model(term.features.size() >= 2 && term.features.size() <= max_order, "screened terms",
                     "are not all pairs and triples");
    require_names(term.features, model, "screened terms");
  }
}

void check_influential(const FitSummary& summary) {
  require_of_model(summary.influential_rows.size() <= most_influential_rows, "influential rows",
                   "are more than are kept");
  for (const InfluentialRow& row : summary.influential_rows)
    require_of_model(finite(row.leverage) && all_finite(row.values), "influential rows",
                     "hold a number that is not finite");
}

void check_summary(const Model& model) {
  const FitSummary& summary = model.summary;
  constexpr std::string_view name = "summary";
  require_of_model(is_resolution(summary.resolution), name, "has a resolution that no design can have");
  require_of_model(summary.fits >= 0 && summary.fits <= most_fits, name, "counts fits that cannot be");
  require_of_model(summary.weight_sum >= 0 && finite(summary.weight_sum), "sum of weights",
                   "is not a finite number");
  require_of_model(summary.ridge >= 0 && finite(summary.ridge), "ridge", "is not a finite number");
  require_of_model(finite(summary.target_mean) && finite(summary.target_shift), "mean of the target",
                   "is not a finite number");
  for (const double error : {summary.loo, summary.residual_variance, summary.target_variance,
                             summary.scaled_variance.value_or(0), summary.noise_variance})
    require_of_model(is_error(error), "errors", "are not all at least zero");
  for (const auto& [i, j] : summary.pairs) require_names({i, j}, model, "pairs");
  if (summary.additive) check(*summary.additive);
  if (summary.pairwise) check(*summary.pairwise);
  if (summary.pilot_check) check(*summary.pilot_check);
  if (summary.convergence)
    require_of_model(summary.convergence->steps >= 0 && summary.convergence->unsettled_rivals >= 0,
                     "convergence", "counts steps that cannot be");
  check_screened(model);
  check_influential(summary);
}

}  // namespace

void require_of_model(bool holds, std::string_view field, std::string_view fault) {
  if (holds) return;
  throw Error(ErrorCode::corrupt_file, "inconsistent_model",
              "The KORE model is inconsistent: its {part} {fault}.", {{"part", field}, {"fault", fault}});
}

void check_lengths(const Model& model) {
  require_of_model(model.coefficients.size() == model.design.raw_columns() &&
                       model.effects.size() == model.design.terms().size(),
                   "coefficients", "do not belong to its design");
  require_of_model(
      model.widening_rates.empty() || model.widening_rates.size() == model.design.features().size(),
      "widening rates", "do not belong to its features");
}

void check_model(const Model& model) {
  check_function(model);
  check_effects(model);
  check_penalties(model);
  check_summary(model);
}

}  // namespace kore

#include "experiments/honesty/stated.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "story/verdict.hpp"

namespace kore::experiments::honesty {
namespace {

std::string structure_of(const Model& model) {
  const auto chosen = std::ranges::find_if(model.summary.stages, &StageSummary::chosen);
  if (chosen != model.summary.stages.end() && chosen->lines) return "lines";
  std::size_t order = 0;
  for (std::size_t t = 0; t < model.design.terms().size(); ++t)
    if (model.effects[t].variance > 0) order = std::max(order, model.design.terms()[t].order());
  constexpr std::array names{"constant", "main effects", "pairs", "triples"};
  return names.at(order);
}

std::optional<std::size_t> main_effect_of(const Model& model, std::size_t feature) {
  const std::vector<Term>& terms = model.design.terms();
  const auto found = std::ranges::find(terms, std::vector{feature}, &Term::features);
  if (found == terms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - terms.begin());
}

}  // namespace

Stated stated_by(const Model& model) {
  const FitSummary& summary = model.summary;
  Stated stated;
  stated.rmse = summary.accuracy->rmse;
  stated.r2 = summary.accuracy->r2;
  stated.noise_variance = summary.noise_variance;
  stated.verdict = story::verdict(story::evidence_of(summary)).sentence;
  stated.suitable = stated.verdict.starts_with("suitable");
  stated.structure = structure_of(model);
  return stated;
}

std::vector<Interval> intervals_at(const Model& model, const MatrixView& x,
                                   const std::vector<double>& predicted, double level) {
  const IntervalOffsets offsets = interval_offsets(model, level);
  std::vector<Interval> intervals;
  const std::vector<double> wider = widening(model, x);
  for (std::size_t r = 0; r < predicted.size(); ++r) {
    const TargetInterval interval = interval_around(model, offsets, predicted[r], wider[r]);
    intervals.push_back({interval.lower, interval.upper});
  }
  return intervals;
}

bool has_main_effect(const Model& model, std::size_t feature) {
  return main_effect_of(model, feature).has_value();
}

Interval main_effect_band(const Model& model, std::size_t feature, double point) {
  const auto term = main_effect_of(model, feature);
  if (!term) return {0, 0};
  const double value = term_value(model, *term, std::array{point});
  const double half_width = 1.96 * effect_error(model, *term, point);
  return {value - half_width, value + half_width};
}

}  // namespace kore::experiments::honesty

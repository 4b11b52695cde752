#include "story/effect_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kore::story {
namespace {

std::vector<double> points_of(const Feature& feature, std::size_t count) {
  if (feature.kind == FeatureKind::category) {
    std::vector<double> positions(static_cast<std::size_t>(feature.levels));
    std::iota(positions.begin(), positions.end(), 0.0);
    return positions;
  }
  if (feature.range.lowest == feature.range.highest) return {feature.range.lowest};
  if (feature.kind == FeatureKind::linear) count = 2;
  std::vector<double> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    points.push_back(feature.range.lowest * (1 - share) + feature.range.highest * share);
  }
  return points;
}

std::vector<std::vector<double>> axes_of(const Design& design, const ShownTerm& term, const GridSize& size) {
  std::vector<std::vector<double>> axes;
  for (std::size_t c = 0; c < term.order(); ++c) {
    const std::size_t points = term.order() == 1 ? size.points : c == 2 ? size.slices : size.surface_points;
    const Feature& feature = design.features()[term.features[c]];
    axes.push_back(term.by_value[c] ? feature.repeated : points_of(feature, points));
  }
  return axes;
}

}  // namespace

std::string EffectGrid::text(std::size_t feature, std::size_t row) const {
  const double value = coordinates[feature][row];
  return levels[feature].empty() ? fmt::format("{}", value)
                                 : levels[feature][static_cast<std::size_t>(value)];
}

EffectGrid effect_grid(const table::TableModel& fitted, const Decomposition& shown, std::size_t term,
                       const GridSize& size) {
  const Model& model = fitted.model;
  const ShownTerm& shape = shown.terms[term];
  const std::vector<std::vector<double>> axes = axes_of(model.design, shape, size);
  EffectGrid grid;
  for (const std::size_t j : shape.features) {
    const table::EncodedColumn& column = fitted.encoding.columns[fitted.encoding.features[j].column];
    const bool category = model.design.features()[j].kind == FeatureKind::category;
    grid.levels.push_back(category ? table::level_names(column) : std::vector<std::string>{});
  }
  grid.coordinates.resize(axes.size());
  std::size_t total = 1;
  for (const auto& axis : axes) total *= axis.size();
  std::vector<double> point(axes.size());
  for (std::size_t i = 0; i < total; ++i) {
    std::size_t rest = i;
    for (std::size_t c = axes.size(); c-- > 0;) {
      point[c] = axes[c][rest % axes[c].size()];
      rest /= axes[c].size();
    }
    for (std::size_t c = 0; c < axes.size(); ++c) grid.coordinates[c].push_back(point[c]);
    grid.values.push_back(term_value(shown, term, point));
    if (has_errors(shown.effects[term])) grid.errors.push_back(effect_error(shown, term, point));
  }
  return grid;
}

std::vector<std::string> feature_names(const Decomposition& shown, std::size_t term) {
  std::vector<std::string> names;
  for (const std::size_t j : shown.terms[term].features) names.push_back(shown.design.features()[j].name);
  return names;
}

std::string term_name(const Decomposition& shown, std::size_t term) {
  std::vector<std::string> names = feature_names(shown, term);
  for (std::size_t c = 0; c < names.size(); ++c)
    if (shown.terms[term].by_value[c]) names[c] += " by value";
  return fmt::format("{}", fmt::join(names, " × "));
}

const char* effect_kind(const Decomposition& shown, std::size_t term) {
  const ShownTerm& shape = shown.terms[term];
  if (shape.order() > 1) return shape.order() == 2 ? "surface" : "slices";
  if (shape.any_by_value()) return "values";
  switch (shown.design.features()[shape.features[0]].kind) {
    case FeatureKind::linear:
      return "linear";
    case FeatureKind::category:
      return "levels";
    case FeatureKind::spline:
      break;
  }
  return "curve";
}

std::vector<std::size_t> ranked_terms(const Decomposition& shown) {
  std::vector<std::size_t> order(shown.effects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(shown.effects[a].covariance_share) > std::abs(shown.effects[b].covariance_share);
  });
  return order;
}

double EffectGrid::end(std::size_t row, double errors_away) const {
  const double away = errors_away * errors[row];
  return factors ? values[row] * std::exp(away) : values[row] + away;
}

EffectGrid as_factors(EffectGrid grid) {
  grid.factors = true;
  for (double& value : grid.values) value = std::exp(value);
  return grid;
}

}  // namespace kore::story

#include "report/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kore/error.hpp"
#include "report/numbers.hpp"
#include "story/column_text.hpp"
#include "story/scale.hpp"

namespace kore::report {
namespace {

constexpr double band_width = 1.959963984540054;
constexpr std::size_t few_features = 30;
constexpr std::size_t curve_points = 101;
constexpr std::size_t coarse_points = 61;
constexpr int most_slices = 3;  // of a triple

const Feature& feature_of(const Subject& subject, std::size_t term, std::size_t coordinate) {
  return subject.shown.design.features()[subject.shown.terms[term].features[coordinate]];
}

const table::EncodedColumn& column_of(const table::TableModel& fitted, std::size_t feature) {
  return fitted.encoding.columns[fitted.encoding.features[feature].column];
}

std::vector<double> spaced(const Range& range, std::size_t count) {
  if (!(range.lowest < range.highest)) return {range.lowest};
  std::vector<double> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    points.push_back(range.lowest * (1 - share) + range.highest * share);
  }
  return points;
}

/// The points of a surface along one of its sides; those that rows were counted around.
std::vector<double> side_points(const Feature& feature) {
  if (feature.kind == FeatureKind::category) {
    std::vector<double> positions(static_cast<std::size_t>(feature.levels));
    std::iota(positions.begin(), positions.end(), 0.0);
    return positions;
  }
  return spaced(feature.range, feature.kind == FeatureKind::linear ? 2 : surface_points);
}

/// The value below which about `share` of the rows lie. The warp of the feature tells, because it follows the
/// distribution of the rows; without a warp, that share of the range.
double value_at(const Feature& feature, double share) {
  const Warp& warp = feature.warp;
  if (warp.identity()) return feature.range.lowest * (1 - share) + feature.range.highest * share;
  const double wanted = warp.values.front() * (1 - share) + warp.values.back() * share;
  const auto above = std::ranges::lower_bound(warp.values, wanted);
  const auto i = std::max<std::ptrdiff_t>(1, above - warp.values.begin());
  const auto at = static_cast<std::size_t>(i);
  const double part = (wanted - warp.values[at - 1]) / (warp.values[at] - warp.values[at - 1]);
  return warp.nodes[at - 1] + part * (warp.nodes[at] - warp.nodes[at - 1]);
}

/// Rows at a level. A feature that is not a category has two levels, the ends of its range.
double rows_at(const Histogram& data, std::size_t level) {
  if (data.edges.empty()) return data.counts[level];
  return level == 0 ? data.counts.front() : data.counts.back();
}

/// Names have more room at the side than below.
void put_levels_aside(DrawnSurface& drawn) {
  if (drawn.x.levels.empty() || !drawn.y.levels.empty()) return;
  const auto turned = [&](const std::vector<double>& values) {
    std::vector<double> result;
    for (std::size_t j = 0; j < drawn.y.size() && !values.empty(); ++j)
      for (std::size_t i = 0; i < drawn.x.size(); ++i) result.push_back(values[i * drawn.y.size() + j]);
    return result;
  };
  drawn.values = turned(drawn.values);
  drawn.rows = turned(drawn.rows);
  drawn.reach = turned(drawn.reach);
  std::swap(drawn.x, drawn.y);
}

DrawnSide drawn_side(const Subject& subject, std::size_t term, std::size_t coordinate) {
  const std::size_t j = subject.shown.terms[term].features[coordinate];
  const Feature& feature = feature_of(subject, term, coordinate);
  const bool by_value = subject.shown.terms[term].by_value[coordinate];
  DrawnSide side{
      feature.name, units_of(subject.fitted, j), by_value ? feature.repeated : side_points(feature), {}};
  if (has_levels(subject.fitted, j) && feature.kind != FeatureKind::spline)
    side.levels = level_names(subject.fitted, j);
  // A feature of one or two numbers, or whose single values matter, is shown there and not in between.
  if (side.levels.empty() && (by_value || feature.kind == FeatureKind::linear || side.points.size() == 1))
    for (const double point : side.points) side.levels.push_back(value_text(subject.fitted, j, point));
  return side;
}

}  // namespace

Units units_of(const table::TableModel& fitted, std::size_t feature) {
  const table::EncodedFeature& encoded = fitted.encoding.features[feature];
  const table::ColumnType type = column_of(fitted, feature).type;
  const bool dated = type == table::ColumnType::date || type == table::ColumnType::timestamp;
  return dated && encoded.kind == table::EncodedKind::numeric ? Units::days : Units::numbers;
}

bool has_levels(const table::TableModel& fitted, std::size_t feature) {
  return fitted.encoding.features[feature].kind != table::EncodedKind::numeric ||
         column_of(fitted, feature).type == table::ColumnType::boolean;
}

std::vector<std::string> level_names(const table::TableModel& fitted, std::size_t feature) {
  switch (fitted.encoding.features[feature].kind) {
    case table::EncodedKind::category:
      return table::level_names(column_of(fitted, feature));
    case table::EncodedKind::missing_flag:
      return {"has a value", "missing"};
    case table::EncodedKind::indicator:
      return {"no", "yes"};
    case table::EncodedKind::numeric:
      break;
  }
  return {"false", "true"};
}

std::string value_text(const table::TableModel& fitted, std::size_t feature, double value) {
  if (has_levels(fitted, feature)) {
    const std::vector<std::string> names = level_names(fitted, feature);
    return names[std::min(static_cast<std::size_t>(std::max(value, 0.0)), names.size() - 1)];
  }
  if (units_of(fitted, feature) == Units::days) return story::column_text(column_of(fitted, feature), value);
  return readable(value);
}

DrawnCurve drawn_curve(const Subject& subject, std::size_t term) {
  const Model& model = subject.fitted.model;
  const std::size_t j = subject.shown.terms[term].features[0];
  const Feature& feature = model.design.features()[j];
  const std::size_t points = model.design.features().size() > few_features ? coarse_points : curve_points;
  DrawnCurve drawn{feature.name,
                   story::scaled_target(model),
                   units_of(subject.fitted, j),
                   spaced(feature.range, points),
                   {},
                   {},
                   {},
                   {}};
  for (const double x : drawn.x) {
    const double value = term_value(subject.shown, term, std::span(&x, 1));
    const double error = effect_error(subject.shown, term, std::span(&x, 1));
    drawn.effect.push_back(value);
    if (std::isnan(error)) continue;
    drawn.lower.push_back(value - band_width * error);
    drawn.upper.push_back(value + band_width * error);
  }
  if (subject.observed != nullptr) drawn.data = subject.observed->data[j];
  if (const auto values = values_term(subject.shown, j)) {
    drawn.value_places = feature.repeated;
    for (const double x : feature.repeated)
      drawn.value_effects.push_back(term_value(subject.shown, term, std::span(&x, 1)) +
                                    term_value(subject.shown, *values, std::span(&x, 1)));
  }
  return drawn;
}

std::optional<std::size_t> values_term(const Decomposition& shown, std::size_t feature) {
  const std::vector<ShownTerm>& terms = shown.terms;
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (terms[t].order() == 1 && terms[t].any_by_value() && terms[t].features[0] == feature) return t;
  return std::nullopt;
}

DrawnLevels drawn_levels(const Subject& subject, std::size_t term) {
  const Model& model = subject.fitted.model;
  const std::size_t j = subject.shown.terms[term].features[0];
  const std::vector<std::string> names = level_names(subject.fitted, j);
  DrawnLevels drawn{model.design.features()[j].name, story::scaled_target(model), false, {}};
  for (std::size_t level = 0; level < names.size(); ++level) {
    const auto x = static_cast<double>(level);
    const double value = term_value(subject.shown, term, std::span(&x, 1));
    const double error = effect_error(subject.shown, term, std::span(&x, 1));
    drawn.bands = !std::isnan(error);
    const double width = drawn.bands ? band_width * error : 0;
    const double rows = subject.observed == nullptr ? -1 : rows_at(subject.observed->data[j], level);
    drawn.levels.push_back({names[level], value, value - width, value + width, rows});
  }
  return drawn;
}

DrawnSurface drawn_surface(const Subject& subject, std::size_t term, double slice) {
  const Model& model = subject.fitted.model;
  const std::size_t order = subject.shown.terms[term].order();
  DrawnSurface drawn{
      drawn_side(subject, term, 0), drawn_side(subject, term, 1), story::scaled_target(model), {}, {}};
  for (const double x : drawn.x.points)
    for (const double y : drawn.y.points) {
      const double point[]{x, y, slice};
      drawn.values.push_back(term_value(subject.shown, term, std::span(point, order)));
      const double error = effect_error(subject.shown, term, std::span(point, order));
      if (!std::isnan(error)) drawn.reach.push_back(band_width * error);
    }
  if (subject.observed != nullptr) drawn.rows = subject.observed->surfaces[term];
  put_levels_aside(drawn);
  return drawn;
}

std::vector<double> slices(const Subject& subject, std::size_t term) {
  const Feature& last = feature_of(subject, term, 2);
  if (last.kind == FeatureKind::category) {
    std::vector<double> levels(static_cast<std::size_t>(std::min(last.levels, most_slices)));
    std::iota(levels.begin(), levels.end(), 0.0);
    return levels;
  }
  if (last.kind == FeatureKind::linear) return spaced(last.range, 2);
  const bool by_value = subject.shown.terms[term].by_value[2];
  std::vector<double> values;
  for (const double share : {0.1, 0.5, 0.9})
    values.push_back(
        by_value ? last.repeated[static_cast<std::size_t>(share * static_cast<double>(last.repeated.size()))]
                 : value_at(last, share));
  return values;
}

}  // namespace kore::report

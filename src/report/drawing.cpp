#include "report/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kore/error.hpp"
#include "report/drawn_ranges.hpp"
#include "report/numbers.hpp"
#include "story/column_text.hpp"
#include "story/scale.hpp"

namespace kore::report {
namespace {

constexpr double band_width = 1.959963984540054;
constexpr std::size_t few_features = 30;
constexpr std::size_t curve_points = 101;
constexpr std::size_t coarse_points = 61;
constexpr std::size_t far_points = 30;  // outside of what charts show at first
constexpr double first_year = 1500;
constexpr double last_year = 2200;

const Feature& feature_of(const Subject& subject, std::size_t term, std::size_t coordinate) {
  return subject.shown.design.features()[subject.shown.terms[term].features[coordinate]];
}

const table::EncodedColumn& column_of(const table::TableModel& fitted, std::size_t feature) {
  return fitted.encoding.columns[fitted.encoding.features[feature].column];
}

/// The points of a surface along one of its sides; those that rows were counted around.
std::vector<double> side_points(const Subject& subject, std::size_t place) {
  const Feature& feature = subject.shown.design.features()[place];
  if (feature.kind == FeatureKind::category) {
    std::vector<double> positions(static_cast<std::size_t>(feature.levels));
    std::iota(positions.begin(), positions.end(), 0.0);
    return positions;
  }
  return spaced(drawn_range(subject.observed, feature, place),
                feature.kind == FeatureKind::linear ? 2 : surface_points);
}

/// Points of a curve: dense where nearly all rows lie, and some beyond.
std::vector<double> curve_places(const Range& central, const Range& whole, std::size_t count) {
  std::vector<double> points = spaced(central, count);
  for (const Range& outer : {Range{whole.lowest, central.lowest}, Range{central.highest, whole.highest}})
    if (outer.lowest < outer.highest) {
      const std::vector<double> far = spaced(outer, far_points);
      points.insert(points.end(), far.begin(), far.end());
    }
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

/// Rows at a level. A feature that is not a category has two levels, the ends of its range.
double rows_at(const Histogram& data, std::size_t level) {
  if (data.edges.empty()) return data.counts[level];
  return level == 0 ? data.counts.front() : data.counts.back();
}

/// The last level of a category stands for rare ones and unseen ones; without rare ones no row has it.
bool ends_with_unseen_level(const Subject& subject, std::size_t feature) {
  return subject.shown.design.features()[feature].kind == FeatureKind::category &&
         column_of(subject.fitted, feature).rare.empty();
}

/// Leaves out the last place of a side.
void drop_last(DrawnSurface& drawn, bool of_x) {
  const std::size_t width = drawn.x.size();
  const std::size_t height = drawn.y.size();
  for (std::vector<double>* list : {&drawn.values, &drawn.rows, &drawn.reach}) {
    std::vector<double> kept;
    for (std::size_t i = 0; i < list->size(); ++i)
      if (of_x ? i / height + 1 < width : i % height + 1 < height) kept.push_back((*list)[i]);
    *list = std::move(kept);
  }
  DrawnSide& side = of_x ? drawn.x : drawn.y;
  side.points.pop_back();
  side.levels.pop_back();
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
      feature.name, units_of(subject.fitted, j), by_value ? feature.repeated : side_points(subject, j), {}};
  side.single = single_values(subject, j);
  side.years = are_years(feature, side.units);
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
  const table::BooleanWords words = fitted.facts.words_of(column_of(fitted, feature).name);
  return {words.no, words.yes};
}

bool are_years(const Feature& feature, Units units) {
  const auto whole = [](double value) { return value == std::round(value); };
  return units == Units::numbers && feature.range.lowest >= first_year &&
         feature.range.highest <= last_year && whole(feature.range.lowest) && whole(feature.range.highest);
}

std::string value_text(const table::TableModel& fitted, std::size_t feature, double value) {
  if (has_levels(fitted, feature)) {
    const std::vector<std::string> names = level_names(fitted, feature);
    return names[std::min(static_cast<std::size_t>(std::max(value, 0.0)), names.size() - 1)];
  }
  if (units_of(fitted, feature) == Units::days) return story::column_text(column_of(fitted, feature), value);
  if (are_years(fitted.model.design.features()[feature], Units::numbers)) return fmt::format("{:.4g}", value);
  return readable(value);
}

std::vector<double> single_values(const Subject& subject, std::size_t feature) {
  if (subject.observed == nullptr || units_of(subject.fitted, feature) == Units::days) return {};
  const FeatureSample& sample = subject.observed->samples[feature];
  return sample.values.size() > 1 ? sample.values : std::vector<double>{};
}

DrawnCurve drawn_curve(const Subject& subject, std::size_t term) {
  const Model& model = subject.fitted.model;
  const std::size_t j = subject.shown.terms[term].features[0];
  const Feature& feature = model.design.features()[j];
  const std::size_t points = model.design.features().size() > few_features ? coarse_points : curve_points;
  const std::vector<double> single = single_values(subject, j);
  const Range central = drawn_range(subject.observed, feature, j);
  DrawnCurve drawn{feature.name,
                   story::scaled_target(model),
                   units_of(subject.fitted, j),
                   single.empty() ? curve_places(central, feature.range, points) : single,
                   {},
                   {},
                   {},
                   {}};
  drawn.single = !single.empty();
  drawn.years = are_years(feature, drawn.units);
  if (!drawn.single && central.highest - central.lowest < feature.range.highest - feature.range.lowest)
    drawn.central = central;
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
  const std::size_t seen = names.size() - (names.size() > 1 && ends_with_unseen_level(subject, j) ? 1 : 0);
  for (std::size_t level = 0; level < seen; ++level) {
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

DrawnSurface drawn_surface(const Subject& subject, std::size_t term, double slice, std::size_t place) {
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
  if (subject.observed != nullptr) {
    const std::vector<double>& rows = subject.observed->surfaces[term];
    const std::size_t first = place * drawn.values.size();
    if (first + drawn.values.size() <= rows.size())
      drawn.rows.assign(rows.begin() + static_cast<std::ptrdiff_t>(first),
                        rows.begin() + static_cast<std::ptrdiff_t>(first + drawn.values.size()));
  }
  for (const bool of_x : {true, false}) {
    const std::size_t feature = subject.shown.terms[term].features[of_x ? 0 : 1];
    if (ends_with_unseen_level(subject, feature) && (of_x ? drawn.x : drawn.y).size() > 1)
      drop_last(drawn, of_x);
  }
  put_levels_aside(drawn);
  return drawn;
}

}  // namespace kore::report

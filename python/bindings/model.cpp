#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "base/parallel.hpp"
#include "bindings/bindings.hpp"
#include "bindings/explanation.hpp"
#include "bindings/words.hpp"
#include "kore/table_model.hpp"
#include "report/effect_svg.hpp"
#include "report/term_panels.hpp"
#include "story/accuracy.hpp"
#include "story/column_text.hpp"
#include "story/effect_grid.hpp"
#include "story/json.hpp"
#include "story/scale.hpp"
#include "story/summary.hpp"
#include "table/encode_frame.hpp"
#include "table/training.hpp"

namespace kore::python {
namespace {

using table::TableModel;
using Terms = nb::typed<nb::list, nb::typed<nb::dict, nb::str, nb::any>>;

/// Predictions, and warnings about them.
std::pair<Result, std::vector<std::string>> predict_frame(const TableModel& fitted, const table::Frame& frame,
                                                          int threads) {
  std::vector<double> predictions(frame.rows);
  std::vector<std::string> warnings;
  {
    const nb::gil_scoped_release unlocked;
    const table::EncodedFrame encoded = table::encode(frame, fitted.encoding);
    predict(fitted.model, encoded.x, predictions, resolve_threads(threads));
    for (const Message& warning : table::encode_warnings(fitted.encoding, encoded.counts))
      warnings.push_back(worded(warning));
  }
  return {to_numpy(std::move(predictions)), std::move(warnings)};
}

nb::bytes bytes_of(const TableModel& model) {
  const std::vector<std::byte> bytes = table::to_bytes(model);
  return nb::bytes(bytes.data(), bytes.size());
}

TableModel from_bytes(const nb::bytes& bytes) {
  return table::table_model_from_bytes(std::as_bytes(std::span(bytes.c_str(), bytes.size())));
}

/// All columns of the training table, as far as they are known. Columns that were left out come last where
/// their position is not known.
std::vector<std::string> column_names(const TableModel& fitted) {
  if (!fitted.facts.columns.empty()) return fitted.facts.columns;
  std::vector<std::string> names;
  for (const table::EncodedColumn& column : fitted.encoding.columns) names.push_back(column.name);
  for (const table::LeftOutColumn& column : fitted.encoding.left_out) names.push_back(column.name);
  return names;
}

/// The order of the columns is that of the training table.
bool knows_order(const TableModel& fitted) {
  return !fitted.facts.columns.empty() || fitted.encoding.left_out.empty();
}

/// The pairs of the model (in the paper profile the candidates) as pairs of the columns that their features
/// were made from, each once.
std::vector<std::pair<std::string, std::string>> column_pairs(const TableModel& fitted) {
  const auto column = [&](std::size_t feature) -> const std::string& {
    return fitted.encoding.columns[fitted.encoding.features[feature].column].name;
  };
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [i, j] : fitted.model.summary.pairs) {
    const std::pair<std::string, std::string> pair{column(i), column(j)};
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  }
  return pairs;
}

/// The names of a category's levels along an axis of a grid, row by row; None for numbers.
nb::object level_names(const story::EffectGrid& grid, std::size_t feature) {
  if (grid.levels[feature].empty()) return nb::none();
  nb::list names;
  for (std::size_t i = 0; i < grid.values.size(); ++i) names.append(grid.text(feature, i));
  return names;
}

/// The ends of the pointwise 95 % band, NaN where the model has none.
std::pair<std::vector<double>, std::vector<double>> band_of(const story::EffectGrid& grid) {
  std::vector<double> lower(grid.values.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> upper = lower;
  for (std::size_t i = 0; i < grid.errors.size(); ++i) {
    lower[i] = grid.lower(i);
    upper[i] = grid.upper(i);
  }
  return {std::move(lower), std::move(upper)};
}

/// Every term on a grid, the most important first.
Terms effects(const TableModel& fitted, std::size_t points, std::size_t surface_points, bool raw) {
  const Decomposition shown = raw ? as_fitted(fitted.model) : decomposition(fitted.model);
  Terms terms;
  for (const std::size_t t : story::ranked_terms(shown)) {
    story::EffectGrid grid = story::effect_grid(fitted, shown, t, {points, surface_points});
    nb::dict term;
    nb::list levels;
    for (std::size_t c = 0; c < grid.coordinates.size(); ++c) levels.append(level_names(grid, c));
    term["levels"] = levels;
    auto [lower, upper] = band_of(grid);
    term["lower"] = to_numpy(std::move(lower));
    term["upper"] = to_numpy(std::move(upper));
    nb::list coordinates;
    for (std::vector<double>& axis : grid.coordinates) coordinates.append(to_numpy(std::move(axis)));
    term["features"] = story::feature_names(shown, t);
    term["kind"] = story::effect_kind(shown, t);
    term["share"] = shown.effects[t].share;
    term["covariance_share"] = shown.effects[t].covariance_share;
    term["coordinates"] = coordinates;
    term["values"] = to_numpy(std::move(grid.values));
    terms.append(term);
  }
  return terms;
}

std::vector<report::Panel> panels(const TableModel& fitted, std::size_t most) {
  std::vector<report::Panel> shown;
  for (const report::DrawnTerm& term : report::drawn_terms({fitted}, most))
    shown.push_back(report::term_panel(term));
  return shown;
}

std::string chart_svg(const TableModel& fitted, std::size_t most, int columns) {
  return report::effects_svg(report::drawn_terms({fitted}, most), columns);
}

report::Json side_json(const report::DrawnSide& side) {
  return {{"name", side.feature},
          {"points", side.points},
          {"levels", side.levels},
          {"dates", side.units == report::Units::days}};
}

/// What a chart shows, as data.
report::Json data_of(const report::DrawnCurve& curve) {
  return {
      {"kind", "curve"},
      {"target", curve.target},
      {"x", {{"name", curve.feature}, {"points", curve.x}, {"dates", curve.units == report::Units::days}}},
      {"single", curve.single},
      {"values", curve.effect},
      {"lower", curve.lower},
      {"upper", curve.upper},
      {"value_places", curve.value_places},
      {"value_effects", curve.value_effects},
      {"central",
       curve.central ? report::Json{curve.central->lowest, curve.central->highest} : report::Json(nullptr)}};
}

report::Json data_of(const report::DrawnLevels& levels) {
  report::Json data{{"kind", "levels"}, {"target", levels.target}, {"bands", levels.bands}};
  for (const char* list : {"names", "values", "lower", "upper"})
    data[list] = report::Json::array();  // also where all levels are left out
  for (const report::DrawnLevel& level : levels.levels) {
    data["names"].push_back(level.name);
    data["values"].push_back(level.effect);
    data["lower"].push_back(level.lower);
    data["upper"].push_back(level.upper);
  }
  return data;
}

report::Json data_of(const report::DrawnSurface& surface) {
  return {{"kind", "surface"},
          {"target", surface.target},
          {"x", side_json(surface.x)},
          {"y", side_json(surface.y)},
          {"values", surface.values},
          {"limits", surface.limits},
          {"lines", report::drawn_as_lines(surface)}};
}

/// The same as data, for those who draw it themselves.
std::string drawn_json(const TableModel& fitted, std::size_t most) {
  report::Json terms = report::Json::array();
  for (const report::DrawnTerm& term : report::drawn_terms({fitted}, most)) {
    terms.push_back(std::visit([](const auto& drawn) { return data_of(drawn); }, term.drawn));
    terms.back()["name"] = report::term_title(term);
  }
  return terms.dump();
}

std::string chart_json(const TableModel& fitted, std::size_t most, int columns) {
  return report::standalone(panels(fitted, most), columns).dump();
}

std::string chart_page(const TableModel& fitted, std::size_t most) {
  const report::Figure figure{"Deviations from the mean",
                              "In brackets the share of the variance of the fitted values.",
                              panels(fitted, most)};
  return report::to_html({"Effects on " + story::scaled_target(fitted.model), {figure}, {}});
}

/// How much wider the intervals of rows are that lie outside the training range.
Result widening_of(const TableModel& fitted, const table::Frame& frame) {
  std::vector<double> factors;
  {
    const nb::gil_scoped_release unlocked;
    factors = widening(fitted.model, table::encode(frame, fitted.encoding).x);
  }
  return to_numpy(std::move(factors));
}

/// In how many features each row lies outside the training range.
Result outside_of(const TableModel& fitted, const table::Frame& frame) {
  std::vector<double> counts(frame.rows);
  {
    const nb::gil_scoped_release unlocked;
    std::ranges::copy(outside_count(fitted.model, table::encode(frame, fitted.encoding).x), counts.begin());
  }
  return to_numpy(std::move(counts));
}

/// The lower and upper ends of intervals around predictions, as much wider as `widening` says.
std::pair<Result, Result> interval_ends(const TableModel& fitted, const DenseNumbers& predictions,
                                        double level, const std::optional<DenseNumbers>& widening) {
  const IntervalOffsets offsets = interval_offsets(fitted.model, level);
  std::vector<double> lower;
  std::vector<double> upper;
  for (std::size_t r = 0; r < predictions.shape(0); ++r) {
    const double wider = widening ? (*widening)(r) : 1.0;
    const TargetInterval interval = interval_around(fitted.model, offsets, predictions(r), wider);
    lower.push_back(interval.lower);
    upper.push_back(interval.upper);
  }
  return {to_numpy(std::move(lower)), to_numpy(std::move(upper))};
}

std::optional<std::string> weight_note(const TableModel& fitted) {
  const auto note = table::weight_note(fitted.model.summary, "");
  return note ? std::optional(worded(*note)) : std::nullopt;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::enum_<table::OffsetUse>(module, "OffsetUse", "How an offset is taken out of a target.")
      .value("subtracted", table::OffsetUse::subtracted)
      .value("divided", table::OffsetUse::divided)
      .value("exposure", table::OffsetUse::exposure);
  nb::class_<TableModel>(module, "Model", "A fitted model, with how columns become features.")
      .def_static(
          "load", [](const std::string& path) { return table::load_table_model(path); }, nb::arg("path"))
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"))
      .def("to_bytes", &bytes_of)
      .def(
          "save", [](const TableModel& model, const std::string& path) { table::save(model, path); },
          nb::arg("path"))
      .def("predict", &predict_frame, nb::arg("frame"), nb::arg("threads") = 0)
      .def("widening", &widening_of, nb::arg("frame"))
      .def("outside", &outside_of, nb::arg("frame"))
      .def("interval_ends", &interval_ends, nb::arg("predictions"), nb::arg("level"),
           nb::arg("widening") = nb::none())
      .def(
          "interval_warning",
          [](const TableModel& fitted, double level) { return story::interval_warning(fitted.model, level); },
          nb::arg("level"), "What intervals of this level cannot promise; empty where they can.")
      .def("effects", &effects, nb::arg("points") = 101, nb::arg("surface_points") = 41,
           nb::arg("raw") = false)
      .def("explain", &explain_frame, nb::arg("frame"), nb::arg("raw") = false, nb::arg("threads") = 0)
      .def("effect_columns", &effect_columns, "Of each effect, in the order of `explain`.")
      .def("column_shares", &column_shares, "The share of each column of the table; they add up to one.")
      .def("describe", &story::describe, "The story of the fit, in lines of text.")
      .def("to_json", [](const TableModel& model) { return story::fit_json(model).dump(); })
      .def("chart_json", &chart_json, nb::arg("most"), nb::arg("columns"))
      .def(
          "attach",
          [](TableModel& fitted, const std::string& name, const std::string& text) {
            const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
            fitted.model.attachments[name].assign(bytes, bytes + text.size());
          },
          nb::arg("name"), nb::arg("text"), "Keeps a text with the model, under a name.")
      .def(
          "attached",
          [](const TableModel& fitted, const std::string& name) {
            const auto found = fitted.model.attachments.find(name);
            if (found == fitted.model.attachments.end()) return std::string();
            return std::string(reinterpret_cast<const char*>(found->second.data()), found->second.size());
          },
          nb::arg("name"), "Such a text; empty where there is none.")
      .def("drawn_json", &drawn_json, nb::arg("most"))
      .def("chart_svg", &chart_svg, nb::arg("most"), nb::arg("columns"))
      .def("chart_page", &chart_page, nb::arg("most"))
      .def_prop_ro("weight_note", &weight_note, "Weights that may not have been meant as counts; or None.")
      .def_prop_ro("column_names", &column_names)
      .def_prop_ro("knows_order", &knows_order)
      .def_prop_ro("family", [](const TableModel& model) { return model.model.family; })
      .def_prop_ro(
          "target_levels", [](const TableModel& model) { return model.facts.target_levels; },
          "Of a target of two values, what stands for 0 and for 1; empty for others.")
      .def_prop_ro(
          "exposure", [](const TableModel& model) { return model.facts.exposure; },
          "The name of the exposures that targets were divided by; empty where there are none.")
      .def_prop_ro(
          "offset", [](const TableModel& model) { return model.facts.offset; },
          "The name of the offsets that were taken out of the targets; empty where there are none.")
      .def_prop_ro("offset_use", [](const TableModel& model) { return model.facts.offset_use; })
      .def_prop_ro("origin", [](const TableModel& model) { return model.facts.origin; })
      .def_prop_ro("structure", [](const TableModel& model) { return model.facts.structure; })
      .def_prop_ro("column_pairs", &column_pairs)
      .def("__getstate__", &bytes_of)
      .def("__setstate__",
           [](TableModel& model, const nb::bytes& bytes) { new (&model) TableModel(from_bytes(bytes)); })
      .def_prop_ro("constant", [](const TableModel& model) { return decomposition(model.model).constant; })
      .def_prop_ro("target", [](const TableModel& model) { return model.model.target; });
}

}  // namespace kore::python

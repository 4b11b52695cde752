#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "export/export.hpp"
#include "kore/version.hpp"

namespace kore::portable {
namespace {

using Json = nlohmann::ordered_json;

const char* word_for(table::ColumnType type) {
  constexpr std::array words{"number", "boolean", "date", "timestamp", "text"};
  return words.at(static_cast<std::size_t>(type));
}

/// JSON has no infinite numbers: null.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json range_json(const Range& range) {
  return {{"lowest", finite(range.lowest)}, {"highest", finite(range.highest)}};
}

Json input_json(const Input& input) {
  Json json{{"name", input.name}, {"kind", word_for(input.kind)}};
  if (input.category()) {
    json["of"] = word_for(input.type);
    json["levels"] = input.levels;
  } else {
    json["stand_in"] = input.stand_in;
    json["allowed"] = input.allowed ? range_json(*input.allowed) : Json(nullptr);
  }
  return json;
}

Json axis_json(const Axis& axis) {
  Json json{{"input", axis.input}};
  if (axis.curve) {
    const Curve& curve = *axis.curve;
    json["kind"] = "curve";
    json["warp"] = nullptr;
    if (!curve.warp.identity()) json["warp"] = {{"nodes", curve.warp.nodes}, {"values", curve.warp.values}};
    json["first"] = curve.first;
    json["scale"] = curve.scale;
    json["intervals"] = curve.intervals;
    json["degree"] = curve.degree;
    json["outside"] = word_for(curve.outside);
  } else if (axis.single) {
    json["kind"] = "values";
    json["values"] = axis.single->values;
  } else {
    json["kind"] = "codes";
    json["first"] = axis.table->first;
    json["values"] = axis.table->values;
  }
  json["functions"] = axis.functions();
  return json;
}

}  // namespace

std::string to_json(const Portable& model) {
  Json json{{"format", "kore-model"},
            {"version", json_version},
            {"producer", std::string("kore ") + version},
            {"target", model.target},
            {"intercept", model.intercept},
            {"offset", nullptr},
            {"link", word_for(model.link)},
            {"shift", {{"places", model.shift.places}, {"shifts", model.shift.shifts}}},
            {"limits", range_json(model.limits)},
            {"local_polynomials", Json::object()},
            {"inputs", Json::array()},
            {"axes", Json::array()},
            {"terms", Json::array()}};
  for (const Input& input : model.inputs) json["inputs"].push_back(input_json(input));
  for (const Axis& axis : model.axes) {
    json["axes"].push_back(axis_json(axis));
    if (axis.curve)
      json["local_polynomials"][std::to_string(axis.curve->degree)] = local_polynomials(axis.curve->degree);
  }
  for (const Part& term : model.terms)
    json["terms"].push_back({{"name", term.name}, {"axes", term.axes}, {"coefficients", term.coefficients}});
  Json effects = Json::array();
  for (const ReadableEffect& effect : model.effects) {
    Json parts = Json::array();
    for (const Part& part : effect.parts)
      parts.push_back({{"axes", part.axes}, {"coefficients", part.coefficients}});
    effects.push_back({{"name", effect.name}, {"share", effect.share}, {"parts", std::move(parts)}});
  }
  json["decomposition"] = {{"constant", model.constant}, {"effects", std::move(effects)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kore::portable

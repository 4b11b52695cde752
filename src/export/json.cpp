#include <algorithm>
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
    if (curve.period > 0) json["period"] = curve.period;
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

Json decomposition_json(const Sum& sum) {
  Json effects = Json::array();
  for (const ReadableEffect& effect : sum.effects) {
    Json parts = Json::array();
    for (const Part& part : effect.parts)
      parts.push_back({{"axes", part.axes}, {"coefficients", part.coefficients}});
    effects.push_back({{"name", effect.name}, {"share", effect.share}, {"parts", std::move(parts)}});
  }
  return {{"constant", sum.constant}, {"effects", std::move(effects)}};
}

Json sum_json(const Sum& sum) {
  Json json{{"intercept", sum.intercept},
            {"shift", {{"places", sum.shift.places}, {"shifts", sum.shift.shifts}}},
            {"limits", range_json(sum.limits)},
            {"terms", Json::array()}};
  for (const Part& term : sum.terms)
    json["terms"].push_back({{"name", term.name}, {"axes", term.axes}, {"coefficients", term.coefficients}});
  json["decomposition"] = decomposition_json(sum);
  return json;
}

Json classes_json(const Portable& model) {
  Json classes = Json::array();
  for (const Sum& sum : model.sums) {
    Json one{{"name", sum.name}};
    one.update(sum_json(sum));
    classes.push_back(std::move(one));
  }
  return classes;
}

Json known_json(const std::optional<KnownPart>& known) {
  if (!known) return nullptr;
  return {{"input", known->input}, {"use", word_for(known->use)}};
}

}  // namespace

std::string to_json(const Portable& model) {
  // Readers of version 1 know neither offsets nor classes, and those of version 2 no periods.
  const bool plain = !model.known && !model.coupling;
  const bool cyclic =
      std::ranges::any_of(model.axes, [](const Axis& axis) { return axis.curve && axis.curve->period > 0; });
  Json json{{"format", "kore-model"},
            {"version", cyclic  ? json_version
                        : plain ? 1
                                : 2},
            {"producer", std::string("kore ") + version},
            {"target", model.target},
            {"link", word_for(model.link)},
            {"offset", known_json(model.known)},
            {"local_polynomials", Json::object()},
            {"inputs", Json::array()},
            {"axes", Json::array()}};
  for (const Input& input : model.inputs) json["inputs"].push_back(input_json(input));
  for (const Axis& axis : model.axes) {
    json["axes"].push_back(axis_json(axis));
    if (axis.curve)
      json["local_polynomials"][std::to_string(axis.curve->degree)] = local_polynomials(axis.curve->degree);
  }
  if (model.coupling) {
    json["coupling"] = {
        {"yes", model.coupling->yes}, {"no", model.coupling->no}, {"least", least_probability}};
    json["classes"] = classes_json(model);
  } else {
    json.update(sum_json(model.sums.front()));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kore::portable

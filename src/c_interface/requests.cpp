#include "c_interface/requests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "base/memory.hpp"
#include "kore/error.hpp"

namespace kore::c_interface {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(std::string_view reason, std::string_view pattern,
                         std::vector<Argument> arguments = {}) {
  throw Error(ErrorCode::invalid_argument, reason, pattern, std::move(arguments));
}

/// The members of an object. Each is asked for by name and type; what nobody asked for is unknown.
class Members {
 public:
  explicit Members(const char* text) {
    if (text == nullptr) refuse("null_options", "The options are a null pointer.");
    json_ = Json::parse(text, nullptr, false);
    if (!json_.is_object()) refuse("options_not_json", "The options are not a JSON object.");
  }

  const Json* find(const char* name) {
    known_.insert(name);
    const auto found = json_.find(name);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  void read(const char* name, std::string& to) {
    if (const Json* value = find(name)) {
      if (!value->is_string()) wrong(name, "a text");
      to = value->get<std::string>();
    }
  }
  void read(const char* name, std::optional<double>& to) {
    if (const Json* value = find(name)) {
      if (!value->is_number()) wrong(name, "a number");
      to = value->get<double>();
    }
  }
  void read(const char* name, bool& to) {
    if (const Json* value = find(name)) {
      if (!value->is_boolean()) wrong(name, "true or false");
      to = value->get<bool>();
    }
  }
  template <class Integer>
  void read_integer(const char* name, Integer& to) {
    if (const Json* value = find(name)) {
      const double number = value->is_number() ? value->get<double>() : 0.5;
      if (number != static_cast<double>(static_cast<std::int32_t>(std::clamp(number, -1e9, 1e9))))
        wrong(name, "a whole number");
      if (std::is_unsigned_v<Integer> && number < 0) wrong(name, "a whole number of at least 0");
      to = static_cast<Integer>(number);
    }
  }
  void read(const char* name, std::vector<std::string>& to) {
    if (const Json* value = find(name)) {
      if (!value->is_array()) wrong(name, "a list of texts");
      for (const Json& item : *value) {
        if (!item.is_string()) wrong(name, "a list of texts");
        to.push_back(item.get<std::string>());
      }
    }
  }
  /// An object of numbers by name, all of which are `fine`.
  template <class Number>
  void read_numbers(const char* name, std::string_view kind, const std::function<bool(double)>& fine,
                    std::vector<std::pair<std::string, Number>>& to) {
    if (const Json* value = find(name)) {
      if (!value->is_object()) wrong(name, kind);
      for (const auto& [column, item] : value->items()) {
        const double number = item.is_number() ? item.template get<double>() : -1;
        if (!fine(number)) wrong(name, kind);
        to.emplace_back(column, static_cast<Number>(number));
      }
    }
  }
  /// One of the words; its place.
  std::optional<std::size_t> read_choice(const char* name, std::initializer_list<std::string_view> words) {
    std::string word;
    read(name, word);
    if (word.empty()) return std::nullopt;
    std::string listed;
    std::size_t place = 0;
    for (const std::string_view known : words) {
      if (known == word) return place;
      listed += (listed.empty() ? "" : ", ") + std::string(known);
      ++place;
    }
    refuse("unknown_word", "The option '{option}' is '{word}'; it must be one of {words}.",
           {{"option", name}, {"word", word}, {"words", listed}});
  }
  void end() const {
    for (const auto& [name, value] : json_.items())
      if (!known_.contains(name))
        refuse("unknown_option", "There is no option '{option}'.", {{"option", name}});
  }
  [[noreturn]] static void wrong(const char* name, std::string_view kind) {
    refuse("option_of_another_type", "The option '{option}' must be {kind}.",
           {{"option", name}, {"kind", kind}});
  }

 private:
  Json json_;
  std::set<std::string> known_;
};

void read_pairs(Members& members, FitRequest& request) {
  const Json* value = members.find("pairs");
  if (value == nullptr) return;
  if (value->is_string()) {
    if (const auto word = members.read_choice("pairs", {"auto", "all", "none"}))
      request.options.pair_choice = *word == 0   ? PairChoice::automatic
                                    : *word == 1 ? PairChoice::all
                                                 : PairChoice::none;
    return;
  }
  constexpr std::string_view kind = "'auto', 'all', 'none' or a list of pairs of names";
  if (!value->is_array()) Members::wrong("pairs", kind);
  for (const Json& pair : *value) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
      Members::wrong("pairs", kind);
    request.pairs.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
  }
  request.options.pair_choice = PairChoice::given;
}

/// Options that only the default method has.
void read_grown(Members& members, FitRequest& request) {
  const auto scale = members.read_choice("scale", {"auto", "identity", "sqrt", "log"});
  const auto loss = members.read_choice("loss", {"squared", "robust"});
  const bool asked = members.find("max_order") != nullptr || members.find("referee_folds") != nullptr ||
                     scale.value_or(0) > 1 || loss == 1 || members.find("simple") != nullptr ||
                     members.find("max_terms") != nullptr;
  if (request.options.is_published()) {
    if (asked || !request.columns.group.empty())
      refuse("option_of_another_profile",
             "The options max_order, referee_folds, scale, loss, simple, max_terms and group belong to the "
             "default profile.");
    return;
  }
  GrownOptions& grown = request.options.grown();
  members.read_integer("max_order", grown.max_order);
  members.read_integer("referee_folds", grown.folds);
  members.read("simple", grown.simplest);
  members.read_integer("max_terms", grown.max_terms);
  request.scale_given = scale.value_or(0) > 0;
  if (scale) grown.target_scale = static_cast<TargetScale>(*scale);
  if (loss == 1) grown.loss = Loss::robust;
}

/// What single columns are told about their curves.
void read_curves(Members& members, table::CurveChoices& curves) {
  members.read("linear", curves.linear);
  members.read_numbers(
      "cyclic", "an object of periods by column, which are above 0, or 0 where the values tell it",
      [](double period) { return period >= 0 && std::isfinite(period); }, curves.cyclic);
  members.read_numbers(
      "max_resolutions",
      "an object of whole numbers by column, between 1 and " + std::to_string(max_intervals),
      [](double finest) { return finest >= 1 && finest <= max_intervals && finest == std::trunc(finest); },
      curves.max_resolutions);
}

/// The distribution of the target, and the columns and values that go with it.
void read_family(Members& members, FitRequest& request) {
  members.read("family", request.family);
  members.read("positive", request.columns.positive);
  members.read("exposure", request.columns.exposure);
  members.read("offset", request.columns.offset);
  request.columns.classes = request.family == table::multinomial_word;
  request.columns.offset_use = table::offset_use_of(request.family);
}

}  // namespace

FitRequest fit_request(const char* json) {
  Members members(json);
  FitRequest request;
  members.read("target", request.columns.target);
  if (request.columns.target.empty()) refuse("no_target", "The option 'target' must name a column.");
  members.read("weights", request.columns.weights);
  members.read("precision", request.columns.precision);
  members.read("group", request.columns.group);
  read_family(members, request);
  members.read("features", request.columns.features);
  members.read("drop", request.columns.drop);
  members.read("categorical", request.columns.categorical);
  read_curves(members, request.curves);
  members.read("origin", request.origin);
  if (members.read_choice("profile", {"default", "paper"}) == 1) request.profile = table::Profile::paper;
  request.options = table::profile_options(request.profile);
  Options& options = request.options;
  if (const auto structure = members.read_choice("structure", {"auto", "additive", "pairwise"}))
    options.structure = static_cast<StructureChoice>(*structure);
  read_pairs(members, request);
  read_grown(members, request);
  members.read_integer("degree", options.degree);
  members.read_integer("threads", options.threads);
  members.read_integer("max_columns", options.max_columns);
  members.read_integer("max_resolution_additive", options.max_resolution_additive);
  members.read_integer("max_resolution_pairwise", options.max_resolution_pairwise);
  std::size_t most = 0;
  members.read_integer("max_levels", most);
  if (members.find("max_levels") != nullptr) request.levels.max_levels = most;
  members.end();
  table::limit_memory(options, request.profile, default_memory_limit());
  if (!options.is_published()) request.levels.max_columns = options.max_columns;
  return request;
}

PredictRequest predict_request(const char* json) {
  PredictRequest request;
  if (json == nullptr) return request;
  Members members(json);
  members.read("interval", request.interval);
  members.read("band", request.band);
  members.read("errors", request.errors);
  members.read("link", request.link);
  members.read("terms", request.terms);
  members.read("explain", request.explain);
  members.read("raw", request.raw);
  members.read("outside", request.outside);
  members.read_integer("threads", request.threads);
  members.end();
  return request;
}

ExportRequest export_request(const char* json) {
  Members members(json);
  ExportRequest request;
  if (members.read_choice("to", {"sql", "c", "onnx", "json"})) members.read("to", request.to);
  if (request.to.empty()) refuse("no_form", "The option 'to' must be one of sql, c, onnx, json.");
  std::string dialect = "duckdb";
  members.read("dialect", dialect);
  request.sql.dialect = portable::dialect_named(dialect);
  members.read("table", request.sql.table);
  members.read("keep", request.sql.keep);
  members.read("name", request.name);
  members.read("float", request.single);
  members.end();
  return request;
}

}  // namespace kore::c_interface

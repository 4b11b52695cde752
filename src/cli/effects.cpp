#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/effects_csv.hpp"
#include "cli/whole_number.hpp"
#include "kore/error.hpp"
#include "kore/table_model.hpp"
#include "story/effect_grid.hpp"
#include "story/json.hpp"
#include "story/scale.hpp"
#include "story/terms_table.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct EffectsArguments {
  std::string model;
  std::string output;
  std::string format;  ///< Empty: CSV in a folder, a table for people on the standard output.
  GridSize size;
  bool factors = false;
};

/// Effects on the logarithm as factors of the target. Throws where effects add up instead.
void check_factors(const Model& model) {
  if (has_factors(model)) return;
  throw Error(ErrorCode::invalid_argument, "no_factors",
              "--factors needs a model on the logarithmic scale, whose effects multiply. This one is on the "
              "scale '{scale}', where effects add up.",
              {{"scale", word_for(model.target_scale)}});
}

/// Numbers, or the names of levels.
Json points_json(const EffectGrid& grid, std::size_t feature) {
  if (grid.levels[feature].empty()) return grid.coordinates[feature];
  Json names = Json::array();
  for (std::size_t i = 0; i < grid.values.size(); ++i) names.push_back(grid.text(feature, i));
  return names;
}

/// Standard errors, and the band that has the curve with 95 % confidence at each point.
void add_band(const EffectGrid& grid, Json& term) {
  Json lower = Json::array();
  Json upper = Json::array();
  for (std::size_t i = 0; i < grid.values.size(); ++i) {
    lower.push_back(grid.lower(i));
    upper.push_back(grid.upper(i));
  }
  term["standard_error"] = grid.errors;
  term["lower"] = std::move(lower);
  term["upper"] = std::move(upper);
}

Json effects_json(const table::TableModel& fitted, const GridSize& size, bool factors) {
  const Model& model = fitted.model;
  Json terms = Json::array();
  for (const std::size_t t : ranked_terms(model)) {
    const EffectGrid grid = factors ? as_factors(effect_grid(fitted, t, size)) : effect_grid(fitted, t, size);
    Json points = Json::array();
    for (std::size_t c = 0; c < grid.coordinates.size(); ++c) points.push_back(points_json(grid, c));
    terms.push_back({{"features", feature_names(model, t)},
                     {"kind", effect_kind(model, t)},
                     {"share", number(model.effects[t].share)},
                     {"covariance_share", number(model.effects[t].covariance_share)},
                     {"parameters", number(model.effects[t].parameters)},
                     {"p_value", number(model.effects[t].p_value)},
                     {"concurvity", number(model.effects[t].concurvity)},
                     {"points", std::move(points)},
                     {"effect", grid.values}});
    if (!grid.errors.empty()) add_band(grid, terms.back());
  }
  const double constant = anova_constant(model);
  return {{"target", model.target},
          {"scale", word_for(model.target_scale)},
          {"factors", factors},
          {"constant", number(factors ? std::exp(constant) : constant)},
          {"terms", std::move(terms)}};
}

void run(const EffectsArguments& arguments) {
  const table::TableModel fitted = table::load_table_model(arguments.model);
  const Model& model = fitted.model;
  const bool to_folder = !arguments.output.empty();
  if (arguments.factors) check_factors(model);
  if (arguments.format == "json") {
    const std::string text = effects_json(fitted, arguments.size, arguments.factors).dump(1) + "\n";
    if (!to_folder) {
      fmt::print("{}", text);
      return;
    }
    write_effects_json(text, arguments.output);
    fmt::print("{} in effects.json in {}\n", counted(model.effects.size(), "effect"), arguments.output);
    return;
  }
  if (!to_folder && arguments.format == "csv") {
    fmt::print("{}", effects_csv(fitted, arguments.size, arguments.factors));
    return;
  }
  if (to_folder) write_effects_folder(fitted, arguments.size, arguments.output, arguments.factors);
  fmt::print("{}{}", terms_table(model, model.effects.size()), terms_note(model));
  if (to_folder)
    fmt::print("{} in {}, listed in effects.csv\n", counted(model.effects.size(), "effect"),
               arguments.output);
}

}  // namespace

void add_effects(CLI::App& app) {
  auto arguments = std::make_shared<EffectsArguments>();
  CLI::App* command = app.add_subcommand(
      "effects", "Every effect of a model on a grid, main effects and pairs with a 95 % band");
  command->add_option("MODEL", arguments->model, "A model saved by 'kore fit -o'")->required();
  command->add_option(
      "-o,--output", arguments->output,
      "Folder for the effects: a CSV file for each and a list of them, or effects.json. Effects of "
      "an earlier run in the folder are removed");
  command->add_option("--format", arguments->format, "csv or json; without -o it goes to the standard output")
      ->check(CLI::IsMember({"csv", "json"}));
  command->add_flag("--factors", arguments->factors,
                    "Of a model on the logarithmic scale: by what each term multiplies the target, instead "
                    "of what it adds to the logarithm");
  command->add_option("--points", arguments->size.points, "Points of a curve (default 101)")
      ->check(whole_number(2, 100000));
  command
      ->add_option("--surface-points", arguments->size.surface_points,
                   "Points along each side of a surface (default 41)")
      ->check(whole_number(2, 1000));
  command
      ->add_option("--slices", arguments->size.slices,
                   "Surfaces of a triple, at so many values of its last feature (default 3)")
      ->check(whole_number(2, 1000));
  command->footer("Example:  kore effects cars.kore -o effects/");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

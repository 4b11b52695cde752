#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/effects_csv.hpp"
#include "cli/model_argument.hpp"
#include "cli/whole_number.hpp"
#include "kore/error.hpp"
#include "kore/table_model.hpp"
#include "story/effects_json.hpp"
#include "story/scale.hpp"
#include "story/terms_table.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct EffectsArguments {
  ModelArgument model;
  std::string output;
  std::string format;  ///< Empty: CSV in a folder, a table for people on the standard output.
  GridSize size;
  bool factors = false;
  bool raw = false;
};

/// Effects on the logarithm as factors of the target. Throws where effects add up instead.
void check_factors(const Model& model) {
  if (has_factors(model)) return;
  throw Error(ErrorCode::invalid_argument, "no_factors",
              "--factors needs a model on the logarithmic scale, whose effects multiply. This one is on the "
              "scale '{scale}', where effects add up.",
              {{"scale", word_for(model.target_scale)}});
}

void run(const EffectsArguments& arguments) {
  const table::TableModel fitted = load(arguments.model);
  const Model& model = fitted.model;
  const bool to_folder = !arguments.output.empty();
  if (arguments.factors) check_factors(model);
  const Decomposition shown = arguments.raw ? as_fitted(model) : decomposition(model);
  if (arguments.format == "json") {
    const std::string text = effects_json(fitted, shown, arguments.size, arguments.factors).dump(1) + "\n";
    if (!to_folder) {
      fmt::print("{}", text);
      return;
    }
    write_effects_json(text, arguments.output);
    fmt::print("{} in effects.json in {}\n", counted(shown.effects.size(), "effect"), arguments.output);
    return;
  }
  if (!to_folder && arguments.format == "csv") {
    fmt::print("{}", effects_csv(fitted, shown, arguments.size, arguments.factors));
    return;
  }
  if (to_folder) write_effects_folder(fitted, shown, arguments.size, arguments.output, arguments.factors);
  fmt::print("{}{}", terms_table(shown, shown.effects.size()), terms_note(shown));
  if (to_folder)
    fmt::print("{} in {}, listed in effects.csv\n", counted(shown.effects.size(), "effect"),
               arguments.output);
}

}  // namespace

void add_effects(CLI::App& app) {
  auto arguments = std::make_shared<EffectsArguments>();
  CLI::App* command = app.add_subcommand(
      "effects", "Every effect of a model on a grid, main effects and pairs with a 95 % band");
  add_model(*command, arguments->model);
  command->add_option(
      "-o,--output", arguments->output,
      "Folder for the effects: a CSV file for each and a list of them, or effects.json. Effects of "
      "an earlier run in the folder are removed");
  command->add_option("--format", arguments->format, "csv or json; without -o it goes to the standard output")
      ->check(CLI::IsMember({"csv", "json"}));
  command->add_flag("--factors", arguments->factors,
                    "Of a model on the logarithmic scale: by what each term multiplies the target, instead "
                    "of what it adds to the logarithm");
  command->add_flag("--raw", arguments->raw,
                    "The terms as they were fitted. Otherwise what a simpler effect can say, over the "
                    "training rows, is moved there from interactions");
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

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/effects_csv.hpp"
#include "cli/model_argument.hpp"
#include "cli/output.hpp"
#include "cli/whole_number.hpp"
#include "kore/error.hpp"
#include "kore/table_model.hpp"
#include "report/effect_svg.hpp"
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
  std::string drawing;
  std::size_t drawn = 9;
};

/// Effects on the logarithm as factors of the target. Throws where effects add up instead.
void check_factors(const Model& model) {
  if (has_factors(model)) return;
  throw Error(ErrorCode::invalid_argument, "no_factors",
              "--factors needs a model on the logarithmic scale, whose effects multiply. This one is on the "
              "scale '{scale}', where effects add up.",
              {{"scale", word_for(model.target_scale)}});
}

bool is_drawing(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string beginning(4, ' ');
  in.read(beginning.data(), 4);
  return beginning == "<svg";
}

/// The most important effects as one picture.
void draw(const table::TableModel& fitted, const Decomposition& shown, const EffectsArguments& arguments) {
  constexpr int beside = 3;
  if (!arguments.output.empty() || !arguments.format.empty() || arguments.factors)
    throw Error(ErrorCode::invalid_argument, "drawing_and_table",
                "--svg draws effects, and -o, --format and --factors write them as numbers. Run them one "
                "after the other.",
                {});
  refuse_input_as_output(arguments.drawing, {arguments.model.file});
  check_place(arguments.drawing, {"drawing", "a drawing in SVG", is_drawing});
  const std::string svg =
      report::effects_svg(report::drawn_terms({fitted, nullptr, {}, shown}, arguments.drawn), beside);
  write_atomically(arguments.drawing, std::as_bytes(std::span(svg)));
  fmt::print("{} drawn in {}\n", counted(std::min(arguments.drawn, report::drawable_terms(shown)), "effect"),
             arguments.drawing);
}

void run(const EffectsArguments& arguments) {
  const table::TableModel fitted = load(arguments.model);
  const Model& model = fitted.model;
  const bool to_folder = !arguments.output.empty();
  if (arguments.factors) check_factors(model);
  const Decomposition shown = arguments.raw ? as_fitted(model) : decomposition(model);
  if (!arguments.drawing.empty()) {
    draw(fitted, shown, arguments);
    return;
  }
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
  command
      ->add_option(
          "--svg", arguments->drawing,
          "Draw the most important effects in this file, as one picture in SVG; nothing else is written")
      ->check(names_a_file);
  command->add_option("--most", arguments->drawn, "How many effects --svg draws (default 9)")
      ->check(whole_number(1, 1000));
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

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
#include "kore/table_model.hpp"
#include "story/classes.hpp"
#include "story/column_text.hpp"
#include "story/cost.hpp"
#include "story/json.hpp"
#include "story/summary.hpp"
#include "story/terms_table.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

constexpr std::size_t terms_shown = 20;

struct InfoArguments {
  ModelArgument model;
  bool json = false;
  bool profile_time = false;
};

void print_classes(const table::ClassModel& classes, bool json) {
  if (json)
    fmt::print("{}\n", class_json(classes).dump(2));
  else
    fmt::print("{}{}", describe(classes), note_lines(classes.models.front().facts.notes));
}

void run(const InfoArguments& arguments) {
  if (arguments.model.class_name.empty())
    if (const auto classes = load_classes(arguments.model.file))
      return print_classes(*classes, arguments.json);
  const table::TableModel fitted = load(arguments.model);
  if (arguments.json) {
    fmt::print("{}\n", fit_json(fitted).dump(2));
    return;
  }
  const Decomposition shown = decomposition(fitted.model);
  fmt::print("{}{}\n{}{}", describe(fitted), note_lines(fitted.facts.notes), terms_table(shown, terms_shown),
             terms_note(shown));
  std::vector<std::vector<std::string>> rows{{"column", "kind", "range or levels"}};
  for (std::size_t c = 0; c < fitted.encoding.columns.size(); ++c) {
    const table::EncodedColumn& column = fitted.encoding.columns[c];
    std::string detail = column.category ? counted(column.levels.size(), "level") : "";
    for (std::size_t j = 0; j < fitted.encoding.features.size() && !column.category; ++j) {
      const table::EncodedFeature& feature = fitted.encoding.features[j];
      if (feature.column != c || feature.kind != table::EncodedKind::numeric) continue;
      const Feature& own = fitted.model.design.features()[j];
      detail = column_text(fitted, column, own.range.lowest) + " to " +
               column_text(fitted, column, own.range.highest);
      if (own.cyclic)
        detail += fmt::format(", begins again after {:.6g}", own.range.highest - own.range.lowest);
    }
    rows.push_back({column.name, kind_of(column), detail});
  }
  fmt::print("\n{}", aligned(rows, 3));
  if (arguments.profile_time) fmt::print("\n{}\n{}", cost_line(fitted), phases_table(fitted.facts));
}

}  // namespace

void add_info(CLI::App& app) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", "What a saved model is and how it was found");
  add_model(*command, arguments->model);
  command->add_flag("--json", arguments->json, "The JSON object of 'kore fit --json'");
  command->add_flag("--profile-time", arguments->profile_time,
                    "Also say how long each phase of the fit took");
  command->footer("Example:  kore info cars.kore");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

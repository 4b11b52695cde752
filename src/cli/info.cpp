#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "kore/table_model.hpp"
#include "story/json.hpp"
#include "story/summary.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct InfoArguments {
  std::string model;
  bool json = false;
};

/// A value of a column as the table writes it.
std::string value_text(const data::EncodedColumn& column, double value) {
  switch (column.type) {
    case data::ColumnType::boolean:
      return value > 0.5 ? "true" : "false";
    case data::ColumnType::date:
    case data::ColumnType::timestamp:
      break;
    default:
      return short_number(value);
  }
  const double day = std::floor(value);
  if (std::abs(day) > 1e6) return short_number(value) + " days";
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{static_cast<int>(day)}}};
  const std::string text =
      fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()));
  if (column.type == data::ColumnType::date) return text;
  const int minutes = static_cast<int>((value - day) * 24 * 60);
  return text + fmt::format(" {:02}:{:02}", minutes / 60, minutes % 60);
}

void run(const InfoArguments& arguments) {
  const data::TableModel fitted = data::load_table_model(arguments.model);
  if (arguments.json) {
    fmt::print("{}\n", fit_json(fitted).dump(2));
    return;
  }
  fmt::print("{}", describe(fitted));
  std::vector<std::vector<std::string>> rows{{"column", "kind", "range or levels"}};
  for (std::size_t c = 0; c < fitted.encoding.columns.size(); ++c) {
    const data::EncodedColumn& column = fitted.encoding.columns[c];
    std::string detail = column.category ? counted(column.levels.size(), "level") : "";
    for (std::size_t j = 0; j < fitted.encoding.features.size() && !column.category; ++j) {
      const data::EncodedFeature& feature = fitted.encoding.features[j];
      if (feature.column != c || feature.kind != data::FeatureKind::numeric) continue;
      const Range& range = fitted.model.design.features()[j].range;
      detail = value_text(column, range.lowest) + " to " + value_text(column, range.highest);
    }
    rows.push_back({column.name, kind_of(column), detail});
  }
  fmt::print("{}\n{}", note_lines(fitted.facts.notes), aligned(rows, 3));
}

}  // namespace

void add_info(CLI::App& app) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", "What a saved model is and how it was found");
  command->add_option("MODEL", arguments->model, "A model saved by 'kore fit -o'")->required();
  command->add_flag("--json", arguments->json, "The JSON object of 'kore fit --json'");
  command->footer("Example:  kore info cars.kore");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

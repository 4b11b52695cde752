#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/text.hpp"
#include "data/writer.hpp"
#include "kore/error.hpp"
#include "kore/table_model.hpp"

namespace kore::cli {
namespace {

struct EffectsArguments {
  std::string model;
  std::string output;
  std::string format = "csv";
  std::size_t points = 101;
  std::size_t surface_points = 41;
};

/// A term on a grid: one column of coordinates per feature, and the values.
struct Grid {
  std::vector<std::vector<double>> coordinates;
  std::vector<double> values;
};

std::vector<double> points_of(const Feature& feature, std::size_t count) {
  if (feature.range.lowest == feature.range.highest) return {feature.range.lowest};
  if (feature.kind == FeatureKind::linear) count = 2;
  std::vector<double> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    points.push_back(feature.range.lowest * (1 - share) + feature.range.highest * share);
  }
  return points;
}

Grid grid_of(const Model& model, std::size_t term, const EffectsArguments& arguments) {
  const Term& shape = model.design.terms()[term];
  std::vector<std::vector<double>> axes;
  for (const std::size_t j : shape.features)
    axes.push_back(points_of(model.design.features()[j],
                             shape.order() == 1 ? arguments.points : arguments.surface_points));
  Grid grid;
  grid.coordinates.resize(axes.size());
  std::size_t total = 1;
  for (const auto& axis : axes) total *= axis.size();
  std::vector<double> point(axes.size());
  for (std::size_t i = 0; i < total; ++i) {
    std::size_t rest = i;
    for (std::size_t c = axes.size(); c-- > 0;) {
      point[c] = axes[c][rest % axes[c].size()];
      rest /= axes[c].size();
    }
    for (std::size_t c = 0; c < axes.size(); ++c) grid.coordinates[c].push_back(point[c]);
    grid.values.push_back(term_value(model, term, point));
  }
  return grid;
}

std::vector<std::string> names_of(const Model& model, std::size_t term) {
  std::vector<std::string> names;
  for (const std::size_t j : model.design.terms()[term].features)
    names.push_back(model.design.features()[j].name);
  return names;
}

Json effects_json(const Model& model, const EffectsArguments& arguments, std::span<const std::size_t> order) {
  Json terms = Json::array();
  for (const std::size_t t : order) {
    const Grid grid = grid_of(model, t, arguments);
    terms.push_back({{"features", names_of(model, t)},
                     {"share", number(model.effects[t].share)},
                     {"covariance_share", number(model.effects[t].covariance_share)},
                     {"points", grid.coordinates},
                     {"effect", grid.values}});
  }
  return {{"target", model.target}, {"constant", number(anova_constant(model))}, {"terms", std::move(terms)}};
}

// A file name made from a column name: letters, digits and a few signs stay.
std::string file_name(std::size_t rank, const std::vector<std::string>& names) {
  std::string name = fmt::format("{:03}", rank + 1);
  for (const std::string& part : names) {
    name += '_';
    for (const char c : part)
      name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ? c : '_';
  }
  return name.substr(0, 120) + ".csv";
}

void write_csv(const std::filesystem::path& path, std::vector<std::string> columns,
               const std::vector<std::vector<double>>& values) {
  data::Writer writer(path.string(), std::move(columns));
  std::vector<std::span<const double>> views(values.begin(), values.end());
  writer.append(views);
  writer.finish();
}

void write_folder(const Model& model, const EffectsArguments& arguments, std::span<const std::size_t> order) {
  const std::filesystem::path folder = arguments.output;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorCode::io,
                "Cannot make the folder '" + folder.string() + "': " + failure.message() + ".");
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    Grid grid = grid_of(model, order[rank], arguments);
    std::vector<std::string> columns = names_of(model, order[rank]);
    const std::string file = file_name(rank, columns);
    columns.emplace_back("effect");
    for (std::size_t c = 0; c + 1 < columns.size(); ++c)
      if (columns[c] == "effect") columns[c] = "effect (feature)";
    grid.coordinates.push_back(std::move(grid.values));
    write_csv(folder / file, std::move(columns), grid.coordinates);
  }
}

std::string table(const Model& model, std::span<const std::size_t> order) {
  std::vector<std::vector<std::string>> rows{{"term", "share of variance", "share of covariance"}};
  for (const std::size_t t : order)
    rows.push_back({fmt::format("{}", fmt::join(names_of(model, t), " × ")), percent(model.effects[t].share),
                    percent(model.effects[t].covariance_share)});
  return aligned(rows);
}

void run(const EffectsArguments& arguments) {
  const data::TableModel fitted = data::load_table_model(arguments.model);
  const Model& model = fitted.model;
  std::vector<std::size_t> order(model.effects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return model.effects[a].share > model.effects[b].share;
  });
  if (arguments.format == "json") {
    const std::string text = effects_json(model, arguments, order).dump(1) + "\n";
    if (arguments.output.empty()) {
      fmt::print("{}", text);
      return;
    }
    std::error_code failure;
    std::filesystem::create_directories(arguments.output, failure);
    if (failure)
      throw Error(ErrorCode::io,
                  "Cannot make the folder '" + arguments.output + "': " + failure.message() + ".");
    write_atomically(std::filesystem::path(arguments.output) / "effects.json",
                     std::as_bytes(std::span(text)));
    return;
  }
  if (!arguments.output.empty()) write_folder(model, arguments, order);
  fmt::print("{}", table(model, order));
  if (!arguments.output.empty()) fmt::print("{} in {}\n", counted(order.size(), "curve"), arguments.output);
}

}  // namespace

void add_effects(CLI::App& app) {
  auto arguments = std::make_shared<EffectsArguments>();
  CLI::App* command = app.add_subcommand(
      "effects", "Every main effect and pair surface of a model, with its share of variance");
  command->add_option("MODEL", arguments->model, "A model saved by 'kore fit -o'")->required();
  command->add_option("-o,--output", arguments->output, "Folder for the curves, one file each");
  command->add_option("--format", arguments->format, "csv or json")->check(CLI::IsMember({"csv", "json"}));
  command->add_option("--points", arguments->points, "Points of a curve (default 101)")
      ->check(CLI::Range(2, 100000));
  command
      ->add_option("--surface-points", arguments->surface_points,
                   "Points along each side of a surface (default 41)")
      ->check(CLI::Range(2, 1000));
  command->footer("Example:  kore effects cars.kore -o effects/");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

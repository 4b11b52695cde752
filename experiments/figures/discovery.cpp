#include <algorithm>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

constexpr double usual_threshold = 0.02;

/// A row for every threshold and number of features, a column for every density.
report::DataTable by_threshold(const Table& table, const std::string& column, const std::string& caption) {
  report::DataTable shown;
  shown.caption = caption;
  shown.head = {"threshold", "features"};
  for (const std::string& density : distinct(table, "n_per_pair")) shown.head.push_back("n/s = " + density);
  for (const Group& line : group_by(table, {"threshold", "d"})) {
    std::vector<report::Cell> row{line.key[0], line.key[1]};
    for (const Group& cell : group_by(table, {"threshold", "d", "n_per_pair"}))
      if (cell.key[0] == line.key[0] && cell.key[1] == line.key[1])
        row.emplace_back(fixed(mean(numbers(table, column, cell.rows)), 3));
    shown.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(shown.rows, {}, [](const auto& row) { return std::stod(row[0].text); });
  return shown;
}

}  // namespace

Json discovery_chart(const Table& discovery, const std::string& column, double threshold) {
  Json rows = Json::array();
  std::vector<std::string> names;
  for (const std::string& d : distinct(discovery, "d")) names.push_back(dimension_label(d));
  for (const Group& group : group_by(discovery, {"d", "n_per_pair", "threshold"}))
    if (std::stod(group.key[2]) == threshold)
      rows.push_back({{"series", dimension_label(group.key[0])},
                      {"density", std::stod(group.key[1])},
                      {"value", mean(numbers(discovery, column, group.rows))}});
  const bool is_score = column == "f1";
  Json x =
      report::logarithmic("density", "rows per true pair, n/s", distinct_numbers(discovery, "n_per_pair"));
  Json y = report::linear("value", is_score ? "F1 of the pairs found" : "RMSE over that with the true pairs");
  if (is_score) y["scale"]["domain"] = {0, 1.05};
  const Json hints = report::hints(
      {{"series", "features", ""}, {"density", "rows per pair", "d"}, {"value", "mean", ".3f"}});
  std::vector<Json> layers{level_line(1)};
  for (Json& layer : trend_layers({x, y, "series", names, hints})) layers.push_back(std::move(layer));
  return report::layered(std::move(rows), std::move(layers));
}

Showing show_discovery(const Table& table, const std::vector<NamedTable>&) {
  const report::Figure figure{
      "Finding the pairs from the residuals",
      "Means over seeds at the threshold of 0.02, the default. The table has the other thresholds.",
      {{"Pairs found", "F1 rises to one with rows per true pair.",
        discovery_chart(table, "f1", usual_threshold)},
       {"What they are worth", "The error with the pairs found falls to that with the true ones.",
        discovery_chart(table, "rmse_ratio", usual_threshold)}}};
  return {
      "The other experiments are told which pairs interact. Here they are found: pairs that explain at least "
      "a threshold's share "
      "of what an additive fit leaves over are kept, at most as many as there are features.",
      {{figure, {"F1", "RMSE with the discovered"}}},
      {by_threshold(table, "f1", "F1 of the pairs found, mean over seeds"),
       by_threshold(table, "rmse_ratio",
                    "RMSE with the pairs found over that with the true ones, mean over seeds")}};
}

}  // namespace kore::experiments

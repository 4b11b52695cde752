#include <cmath>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

constexpr double additive_slope = -4.0 / 9;
constexpr double pairwise_slope = -4.0 / 10;

/// The reference line is laid through the denser part: where rows are scarce, the stability rule decides.
constexpr double dense_from = 120;

Json reference_rows(const Json& rows, double slope) {
  std::vector<double> density;
  std::vector<double> error;
  double lowest = INFINITY;
  double highest = 0;
  for (const Json& row : rows) {
    lowest = std::min(lowest, row["density"].get<double>());
    highest = std::max(highest, row["density"].get<double>());
    if (row["density"] < dense_from) continue;
    density.push_back(row["density"]);
    error.push_back(row["rmse"]);
  }
  if (density.empty()) return Json::array();
  const PowerLaw law = nearest_power_law(density, error, slope);
  return Json::array(
      {{{"density", lowest}, {"rmse", law(lowest)}}, {{"density", highest}, {"rmse", law(highest)}}});
}

/// Mean resolutions, a row for every density and a column for every dimension.
report::DataTable resolution_table(const Table& table, const std::string& family,
                                   const std::string& caption) {
  report::DataTable shown;
  shown.caption = caption;
  shown.head = {"density"};
  for (const std::string& d : distinct(table, "d")) shown.head.push_back(dimension_label(d));
  for (const Group& line : group_by(table, {"family", "density"})) {
    if (line.key[0] != family) continue;
    std::vector<report::Cell> row{line.key[1]};
    for (const Group& cell : group_by(table, {"family", "density", "d"}))
      if (cell.key[0] == family && cell.key[1] == line.key[1])
        row.emplace_back(fixed(mean(numbers(table, "G", cell.rows)), 1));
    shown.rows.push_back(std::move(row));
  }
  return shown;
}

}  // namespace

Json collapse_chart(const Table& law, const std::string& family, double slope) {
  Json rows = Json::array();
  std::vector<std::string> names;
  for (const std::string& d : distinct(law, "d")) names.push_back(dimension_label(d));
  for (const Group& group : group_by(law, {"family", "d", "density"}))
    if (group.key[0] == family)
      rows.push_back({{"series", dimension_label(group.key[1])},
                      {"density", std::stod(group.key[2])},
                      {"rmse", mean(numbers(law, "rmse", group.rows))},
                      {"G", mean(numbers(law, "G", group.rows))}});
  const bool additive = family == "additive";
  const Json x = report::logarithmic("density", additive ? "rows per feature, n/d" : "rows per pair, n/s",
                                     {30, 60, 120, 240, 480, 720});
  const Json y = report::logarithmic("rmse", "test RMSE");
  const Json hints = report::hints({{"series", "features", ""},
                                    {"density", "density", "d"},
                                    {"rmse", "RMSE", ".5f"},
                                    {"G", "mean resolution", ".1f"}});
  std::vector<Json> layers{
      report::layer({{"type", "line"}, {"strokeDash", {6, 4}}, {"color", "var(--quiet)"}},
                    {{"x", x}, {"y", y}}, reference_rows(rows, slope))};
  for (Json& layer : trend_layers({x, y, "series", names, hints})) layers.push_back(std::move(layer));
  return report::layered(std::move(rows), std::move(layers), 320);
}

Showing show_law(const Table& table, const std::vector<NamedTable>&) {
  const report::Figure figure{"Test error against effective density",
                              "Both axes are logarithmic. Every point is a mean over seeds; the dashed line "
                              "has the slope that the theory "
                              "predicts and is laid through the points from density 120 on.",
                              {{"Additive targets (dashed: slope -4/9)",
                                "RMSE falls with rows per feature, one curve for 10 to 80 features.",
                                collapse_chart(table, "additive", additive_slope)},
                               {"Pairwise targets (dashed: slope -4/10)",
                                "RMSE falls with rows per pair, one curve for 10 to 80 features.",
                                collapse_chart(table, "pairwise", pairwise_slope)}}};
  return {
      "The paper's central claim: what matters is not the number of features but how many rows there are per "
      "component "
      "of the model. With that density fixed, ten and eighty features should need the same resolution and "
      "end at the same "
      "error, and the error should fall along a power law. Noise is 3 %, test labels are clean.",
      {{figure, {"Mean RMSE of additive", "Slope of log RMSE", "The same from density", "Dimensions fall"}}},
      {resolution_table(table, "additive",
                        "Mean selected resolution, additive targets (density: rows per feature)"),
       resolution_table(table, "pairwise",
                        "Mean selected resolution, pairwise targets (density: rows per pair)")}};
}

}  // namespace kore::experiments

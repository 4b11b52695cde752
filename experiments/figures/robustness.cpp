#include <cmath>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

constexpr const char* kore_series = "KORE";
constexpr const char* other_series = "CV";
constexpr const char* truth_series = "true pairs";
constexpr const char* found_series = "pairs found";

/// In this scenario the run has no cross-validation: those columns hold KORE with the true graph.
bool has_wrong_graph(const Group& group) { return group.key[0] == "misspecified graph"; }

/// In few letters, for a phone; the table has the names in full.
std::string condition(const Group& group) {
  const std::string& scenario = group.key[0];
  const std::string shown = scenario == "3-way interactions"   ? "3-way"
                            : scenario == "misspecified graph" ? "wrong graph"
                            : scenario == "correct (control)"  ? "control"
                                                               : scenario;
  return shown + ", " + dimension_label(group.key[1]);
}

report::DataTable condition_table(const Table& table) {
  report::DataTable shown;
  shown.caption = "Mean test RMSE (with a wrong graph, the second column is KORE with the true one)";
  shown.head = {"scenario", "features", "KORE", "cross-validation", "ratio", "KORE, pairs found"};
  for (const Group& group : group_by(table, {"scenario", "d"})) {
    const double kore = mean(numbers(table, "kore_rmse", group.rows));
    const double other = mean(numbers(table, "cv_rmse", group.rows));
    const double found = mean(numbers(table, "disc_rmse", group.rows));
    shown.rows.push_back({group.key[0], group.key[1], fixed(kore, 5), fixed(other, 5), fixed(kore / other, 3),
                          std::isnan(found) ? "" : fixed(found, 5)});
  }
  return shown;
}

}  // namespace

Json robustness_error_chart(const Table& robustness) {
  Json rows = Json::array();
  for (const Group& group : group_by(robustness, {"scenario", "d"})) {
    const auto add = [&](const char* series, const char* column) {
      const double rmse = mean(numbers(robustness, column, group.rows));
      if (std::isfinite(rmse))
        rows.push_back({{"condition", condition(group)}, {"series", series}, {"rmse", rmse}});
    };
    add(kore_series, "kore_rmse");
    add(has_wrong_graph(group) ? truth_series : other_series, "cv_rmse");
    add(found_series, "disc_rmse");
  }
  std::vector<std::string> names{kore_series, other_series, truth_series, found_series};
  Json colour = report::colours("series", "", names);
  Json shape = report::shapes("series", "", names);
  for (Json* channel : {&colour, &shape}) (*channel)["legend"]["columns"] = 2;
  const Json hints = report::hints(
      {{"condition", "condition", ""}, {"series", "selector", ""}, {"rmse", "mean RMSE", ".5f"}});
  const auto conditions = static_cast<int>(group_by(robustness, {"scenario", "d"}).size());
  return report::layered(
      std::move(rows),
      {report::layer(
          {{"type", "point"}, {"size", 90}, {"strokeWidth", 2}},
          {{"x", report::logarithmic("rmse", "test RMSE", {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5})},
           {"y", report::names("condition", "")},
           {"color", colour},
           {"shape", shape},
           {"tooltip", hints}})},
      30 * conditions);
}

Json robustness_ratio_chart(const Table& robustness) {
  Json rows = Json::array();
  for (const Group& group : group_by(robustness, {"scenario", "d"}))
    rows.push_back({{"condition", condition(group)},
                    {"ratio", mean(numbers(robustness, "kore_rmse", group.rows)) /
                                  mean(numbers(robustness, "cv_rmse", group.rows))}});
  return report::stems(std::move(rows),
                       {"condition", "ratio", "RMSE ratio, KORE to the other", 1, ".3f", true});
}

Showing show_robustness(const Table& table, const std::vector<NamedTable>&) {
  const report::Figure figure{
      "When an assumption fails",
      "Means over seeds, 12 and 24 features. The other is cross-validation, and KORE with the true pairs "
      "where the pairs "
      "supplied are wrong ones.",
      {{"Test error", "RMSE of the selectors under four conditions.", robustness_error_chart(table)},
       {"KORE beside the other", "RMSE ratio of KORE under four conditions.",
        robustness_ratio_chart(table)}}};
  return {
      "Targets with three-way interactions, targets with jumps, and a graph of the wrong pairs, beside a "
      "control where all "
      "assumptions hold. Noise is 3 %.",
      {{figure, {"RMSE of KORE", "The same with", "RMSE with a discovered"}}},
      {condition_table(table)}};
}

}  // namespace kore::experiments

// What accuracy costs, and data set by data set against single methods.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/averages.hpp"
#include "experiments/figures/ranking/charts.hpp"
#include "experiments/figures/rows.hpp"
#include "report/chart.hpp"

namespace kore::experiments {
namespace {

using report::Json;

constexpr int line_height = 22;

std::vector<std::string> families_of(const Table& table) {
  std::set<std::string> families;
  for (std::size_t r = 0; r < table.rows.size(); ++r) families.insert(table.text(r, "family"));
  return {families.begin(), families.end()};
}

}  // namespace

Json pareto_chart(const Ranking& ranking, const Table& pareto) {
  double seconds = 1;
  for (std::size_t r = 0; r < pareto.rows.size(); ++r)
    if (pareto.text(r, "method") == ranking.options.reference) seconds = pareto.number(r, "total_fit_time_s");
  Json rows = Json::array();
  for (std::size_t r = 0; r < pareto.rows.size(); ++r) {
    const double time = pareto.number(r, "total_fit_time_s") / seconds;
    const double error = pareto.number(r, "gm_rmse_ratio");
    if (!(time > 0) || !(error > 0)) continue;
    rows.push_back({{"method", pareto.text(r, "method")},
                    {"family", pareto.text(r, "family")},
                    {"time", time},
                    {"error", error}});
  }
  const Json x = report::logarithmic("time", "total time over that of " + ranking.options.reference);
  const Json y =
      report::logarithmic("error", "RMSE ratio, geometric mean", {0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3});
  const Json hints = report::hints({{"method", "", ""},
                                    {"family", "", ""},
                                    {"time", "time ratio", ".3g"},
                                    {"error", "RMSE ratio", ".3f"}});
  const Json text{{"field", "method"}, {"type", "nominal"}};
  return report::layered(std::move(rows),
                         {upright_line(1), level_line(1),
                          report::layer({{"type", "point"}, {"filled", true}, {"size", 90}, {"opacity", 1}},
                                        {{"x", x},
                                         {"y", y},
                                         {"color", report::colours("family", "", families_of(pareto))},
                                         {"shape", report::shapes("family", "", families_of(pareto))},
                                         {"tooltip", hints}}),
                          report::layer({{"type", "text"}, {"dy", -10}, {"fontSize", 10}},
                                        {{"x", x}, {"y", y}, {"text", text}})},
                         420);
}

Json duel_chart(const Ranking& ranking, const std::string& other) {
  Json rows = Json::array();
  double largest = 0;
  for (const LiftPair& pair : lift_pairs(ranking, other)) {
    rows.push_back({{"dataset", pair.dataset}, {"other", pair.other}, {"reference", pair.reference}});
    largest = std::max({largest, pair.other, pair.reference});
  }
  const Json x = report::linear("other", "lift of " + other);
  const Json y = report::linear("reference", "lift of " + ranking.options.reference);
  const Json hints = report::hints(
      {{"dataset", "", ""}, {"other", other, ".4f"}, {"reference", ranking.options.reference, ".4f"}});
  Json diagonal =
      Json::array({{{"other", 0}, {"reference", 0}}, {{"other", largest}, {"reference", largest}}});
  return report::layered(
      std::move(rows),
      {report::layer({{"type", "line"}, {"strokeDash", {4, 3}}}, {{"x", x}, {"y", y}}, std::move(diagonal)),
       report::layer({{"type", "point"}, {"filled", true}, {"size", 60}, {"color", report::colour(1)}},
                     {{"x", x}, {"y", y}, {"tooltip", hints}})},
      360);
}

Json ratio_chart(const Ranking& ranking, const std::vector<std::string>& others) {
  Json rows = Json::array();
  std::set<std::string> datasets;
  for (const std::string& other : others)
    for (const LiftPair& pair : lift_pairs(ranking, other)) {
      datasets.insert(pair.dataset);
      rows.push_back({{"dataset", pair.dataset}, {"method", other}, {"ratio", pair.ratio()}});
    }
  const Json hints = report::hints({{"dataset", "", ""}, {"method", "", ""}, {"ratio", "lift ratio", ".3g"}});
  const Json x =
      report::logarithmic("ratio", "lift of " + ranking.options.reference + " over that of the other");
  return report::layered(
      std::move(rows),
      {upright_line(1), report::layer({{"type", "point"}, {"filled", true}, {"size", 50}, {"opacity", 1}},
                                      {{"y", report::names("dataset", "")},
                                       {"x", x},
                                       {"color", report::colours("method", "", others)},
                                       {"shape", report::shapes("method", "", others)},
                                       {"tooltip", hints}})},
      18 * static_cast<int>(datasets.size()));
}

Json selector_chart(const Ranking& ranking, const std::vector<std::string>& others) {
  Json rows = Json::array();
  Json middles = Json::array();
  for (const std::string& other : others) {
    const std::vector<LiftPair> pairs = lift_pairs(ranking, other);
    const std::vector<double> ratios = lift_ratios(pairs);
    const auto larger = std::ranges::count_if(ratios, [](double ratio) { return ratio > 1; });
    const std::string label =
        other + " (" + std::to_string(larger) + " of " + std::to_string(ratios.size()) + ")";
    for (const LiftPair& pair : pairs)
      rows.push_back({{"method", label}, {"dataset", pair.dataset}, {"ratio", pair.ratio()}});
    middles.push_back({{"method", label}, {"ratio", median(ratios)}});
  }
  const Json x =
      report::logarithmic("ratio", "lift of " + ranking.options.reference + " over that of the selector");
  const Json y = report::names("method", "");
  const Json hints = report::hints({{"dataset", "", ""}, {"ratio", "lift ratio", ".3g"}});
  return report::layered(
      std::move(rows),
      {upright_line(1),
       report::layer({{"type", "point"},
                      {"filled", true},
                      {"size", 40},
                      {"opacity", 0.6},
                      {"color", report::colour(1)}},
                     {{"y", y}, {"x", x}, {"tooltip", hints}}),
       report::layer({{"type", "point"},
                      {"filled", true},
                      {"shape", "diamond"},
                      {"size", 160},
                      {"opacity", 1},
                      {"color", report::colour(2)}},
                     {{"y", y}, {"x", x}, {"tooltip", report::hints({{"ratio", "median", ".3g"}})}},
                     std::move(middles))},
      40 * static_cast<int>(others.size()));
}

Json memory_chart(const Ranking& ranking) {
  std::map<std::string, std::vector<double>> by_method;
  for (const MethodCell& cell : ranking.cells)
    if (cell.peak_megabytes > 0) by_method[cell.method].push_back(cell.peak_megabytes / 1024);
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [method, values] : by_method) order.emplace_back(std::ranges::max(values), method);
  std::ranges::sort(order);
  Json rows = Json::array();
  for (const auto& [largest, method] : order)
    rows.push_back({{"method", method}, {"median", median(by_method[method])}, {"largest", largest}});
  const Json y = report::names("method", "");
  const Json x = report::logarithmic("median", "peak memory of a cell, GiB: median to largest");
  Json end = x;
  end["field"] = "largest";
  const Json hints =
      report::hints({{"method", "", ""}, {"median", "median", ".2f"}, {"largest", "largest", ".2f"}});
  const int height = line_height * static_cast<int>(rows.size());
  return report::layered(
      std::move(rows),
      {report::layer({{"type", "rule"}, {"strokeWidth", 2}, {"stroke", report::colour(1)}},
                     {{"y", y}, {"x", x}, {"x2", {{"field", "largest"}}}}),
       report::layer({{"type", "point"}, {"size", 60}, {"color", report::colour(1)}},
                     {{"y", y}, {"x", x}, {"tooltip", hints}}),
       report::layer(
           {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}, {"color", report::colour(1)}},
           {{"y", y}, {"x", end}, {"tooltip", hints}})},
      height);
}

}  // namespace kore::experiments

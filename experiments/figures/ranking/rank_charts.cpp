// Who is ahead, and of whom that can be said.
#include <algorithm>
#include <cmath>

#include "experiments/claims.hpp"
#include "experiments/figures/ranking/charts.hpp"
#include "experiments/figures/rows.hpp"
#include "experiments/statistics/ranks.hpp"
#include "report/chart.hpp"

namespace kore::experiments {
namespace {

using report::Json;

constexpr int line_height = 22;
/// p-values below this are drawn as if they were it, so that the others stay legible.
constexpr double smallest_p = 1e-30;

std::string words(const std::string& reference, int direction) {
  return direction > 0 ? reference + " better" : direction < 0 ? reference + " worse" : "not told apart";
}

std::string class_label(const SizeClass& size) {
  if (std::isinf(size.above)) return "up to " + fixed(size.up_to, 0);
  if (std::isinf(size.up_to)) return "above " + fixed(size.above, 0);
  return "to " + fixed(size.up_to, 0);
}

}  // namespace

Json rank_chart(const Ranking& ranking, double difference) {
  const Table bootstrap = bootstrap_table(ranking);
  const Table ranks = rank_table(ranking);
  Json rows = Json::array();
  for (std::size_t r = 0; r < ranks.rows.size(); ++r)
    for (std::size_t b = 0; b < bootstrap.rows.size(); ++b)
      if (bootstrap.text(b, "method") == ranks.text(r, "method"))
        rows.push_back(
            {{"method", ranks.text(r, "method")},
             {"rank", ranks.number(r, "mean_rank")},
             {"low", bootstrap.number(b, "ci_lo_2p5")},
             {"high", bootstrap.number(b, "ci_hi_97p5")},
             {"who", ranks.text(r, "method") == ranking.options.reference ? "reference" : "other"}});
  const Json y = report::names("method", "");
  const Json x = report::linear("rank", "mean rank by lift, with a 95 % bootstrap interval");
  Json low = x;
  low["field"] = "low";
  const Json hints = report::hints(
      {{"method", "", ""}, {"rank", "mean rank", ".2f"}, {"low", "from", ".2f"}, {"high", "to", ".2f"}});
  Json colour{{"field", "who"}, {"type", "nominal"}, {"legend", nullptr}};
  colour["scale"] = {{"domain", {"reference", "other"}}, {"range", {report::colour(1), report::colour(2)}}};
  const int height = line_height * static_cast<int>(rows.size());
  const double edge = rows.empty() ? 0 : rows[0]["rank"].get<double>() + difference;
  return report::layered(
      std::move(rows),
      {upright_line(edge),
       report::layer({{"type", "rule"}, {"strokeWidth", 2}},
                     {{"y", y}, {"x", low}, {"x2", {{"field", "high"}}}, {"color", colour}}),
       report::layer({{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}},
                     {{"y", y}, {"x", x}, {"color", colour}, {"tooltip", hints}})},
      height);
}

Json group_chart(const Ranking& ranking, double difference) {
  Json rows = Json::array();
  int number = 0;
  for (const RankGroup& group : rank_groups(ranking, difference)) {
    std::string list;
    for (const std::string& method : group.methods) list += (list.empty() ? "" : ", ") + method;
    rows.push_back({{"group", "group " + std::to_string(++number)},
                    {"from", group.lowest},
                    {"to", group.highest},
                    {"methods", list}});
  }
  const Json hints = report::hints({{"methods", "", ""}, {"from", "from", ".2f"}, {"to", "to", ".2f"}});
  return report::layered(std::move(rows),
                         {report::layer({{"type", "rule"}, {"strokeWidth", 6}, {"stroke", report::colour(1)}},
                                        {{"y", report::names("group", "")},
                                         {"x", report::linear("from", "mean rank")},
                                         {"x2", {{"field", "to"}}},
                                         {"tooltip", hints}})},
                         line_height * std::max(number, 1));
}

Json significance_chart(const Ranking& ranking) {
  std::vector<Versus> list = against_reference(ranking, ranking.options.alpha);
  std::ranges::stable_sort(list, {}, &Versus::p_holm);
  Json rows = Json::array();
  for (const Versus& versus : list)
    rows.push_back({{"method", versus.method},
                    {"p", versus.p_holm},
                    {"power", -std::log10(std::max(versus.p_holm, smallest_p))},
                    {"verdict", words(ranking.options.reference, versus.direction)}});
  const std::string& reference = ranking.options.reference;
  const Json colour =
      report::colours("verdict", "", {words(reference, 1), words(reference, -1), words(reference, 0)});
  Json x = report::linear("power", "minus the power of ten of the adjusted p-value");
  x["scale"]["zero"] = true;
  const Json hints = report::hints({{"method", "", ""}, {"p", "adjusted p", ".2g"}, {"verdict", "", ""}});
  const int height = line_height * static_cast<int>(rows.size());
  return report::layered(
      std::move(rows),
      {report::layer({{"type", "bar"}},
                     {{"y", report::names("method", "")}, {"x", x}, {"color", colour}, {"tooltip", hints}}),
       upright_line(-std::log10(ranking.options.level))},
      height);
}

Json alpha_chart(const Ranking& ranking) {
  const std::string& reference = ranking.options.reference;
  Json rows = Json::array();
  for (const double alpha : {0.0, 0.25, 0.5, 1.0, 2.0}) {
    const std::vector<Versus> list = against_reference(ranking, alpha);
    for (const int direction : {1, -1, 0})
      rows.push_back({{"alpha", alpha},
                      {"verdict", words(reference, direction)},
                      {"count", std::ranges::count(list, direction, &Versus::direction)}});
  }
  Json y = report::linear("count", "methods");
  y["scale"]["zero"] = true;
  const Json hints =
      report::hints({{"alpha", "alpha", ".2f"}, {"verdict", "", ""}, {"count", "methods", "d"}});
  return report::layered(std::move(rows),
                         trend_layers({report::linear("alpha", "weight of the time, alpha"),
                                       y,
                                       "verdict",
                                       {words(reference, 1), words(reference, -1), words(reference, 0)},
                                       hints}));
}

Json size_chart(const Ranking& ranking, const std::vector<SizeClass>& classes) {
  const Panel& panel = ranking.lift_panel;
  Json rows = Json::array();
  for (const SizeClass& size : classes) {
    const std::string label = class_label(size);
    for (std::size_t m = 0; m < panel.methods.size(); ++m)
      rows.push_back({{"size", label},
                      {"method", panel.methods[m]},
                      {"rank", size.mean_ranks[m]},
                      {"datasets", size.datasets},
                      {"who", panel.methods[m] == ranking.options.reference ? "reference" : "other"}});
  }
  Json x = report::names("size", "");
  x["axis"] = {{"labelAngle", 0}};
  const Json y = report::linear("rank", "mean rank by lift");
  const Json hints = report::hints({{"method", "", ""},
                                    {"size", "rows", ""},
                                    {"rank", "mean rank", ".2f"},
                                    {"datasets", "data sets", "d"}});
  const Json is_reference{{"filter", "datum.who == 'reference'"}};
  Json bold = report::layer({{"type", "line"},
                             {"strokeWidth", 3},
                             {"color", report::colour(1)},
                             {"point", {{"filled", true}, {"size", 80}, {"color", report::colour(1)}}}},
                            {{"x", x}, {"y", y}, {"tooltip", hints}});
  bold["transform"] = Json::array({is_reference});
  return report::layered(
      std::move(rows),
      {report::layer(
           {{"type", "line"}, {"strokeWidth", 1}, {"opacity", 0.35}, {"color", report::colour(2)}},
           {{"x", x}, {"y", y}, {"detail", {{"field", "method"}, {"type", "nominal"}}}, {"tooltip", hints}}),
       std::move(bold)});
}

Json feature_chart(const Ranking& ranking) {
  const Panel& panel = ranking.lift_panel;
  const Grid ranks = lift_ranks(panel);
  const std::size_t reference = panel.method(ranking.options.reference);
  Json rows = Json::array();
  if (reference < panel.methods.size())
    for (std::size_t r = 0; r < panel.datasets.size(); ++r)
      rows.push_back({{"dataset", panel.datasets[r]},
                      {"features", features_of(ranking, panel.datasets[r])},
                      {"rank", ranks.at(r, reference)}});
  const Json hints =
      report::hints({{"dataset", "", ""}, {"features", "features", "d"}, {"rank", "rank", ".1f"}});
  return report::layered(
      std::move(rows),
      {upright_line(ranking.options.most_features),
       report::layer({{"type", "point"}, {"filled", true}, {"size", 60}, {"color", report::colour(1)}},
                     {{"x", report::logarithmic("features", "features after dummies")},
                      {"y", report::linear("rank", "rank by lift")},
                      {"tooltip", hints}})});
}

}  // namespace kore::experiments

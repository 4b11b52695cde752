#include "experiments/averages.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

std::string label(const std::string& degree) { return "degree " + degree; }

}  // namespace

Json degree_chart(const Table& degree) {
  Json rows = Json::array();
  Json predicted = Json::array();
  std::vector<std::string> names;
  for (const Group& series : group_by(degree, {"degree", "smoothness_order"})) {
    names.push_back(label(series.key[0]));
    std::vector<double> x;
    std::vector<double> y;
    for (const Group& cell : group_by(degree, {"degree", "density"})) {
      if (cell.key[0] != series.key[0]) continue;
      x.push_back(std::stod(cell.key[1]));
      y.push_back(mean(numbers(degree, "G_dagger", cell.rows)));
      rows.push_back({{"series", names.back()}, {"density", x.back()}, {"G", y.back()}});
    }
    const PowerLaw law = nearest_power_law(x, y, 1 / (2 * std::stod(series.key[1]) + 1));
    for (const double end : {x.front(), x.back()})
      predicted.push_back({{"series", names.back()}, {"density", end}, {"G", law(end)}});
  }
  const Json x = report::logarithmic("density", "rows per feature, n/d", distinct_numbers(degree, "density"));
  const Json y = report::logarithmic("G", "solved resolution", {1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8});
  const Json colour = report::colours("series", "", names);
  const Json hints =
      report::hints({{"series", "spline", ""}, {"density", "density", "d"}, {"G", "mean", ".2f"}});
  return report::layered(std::move(rows),
                         {report::layer({{"type", "line"}, {"strokeDash", {2, 3}}, {"strokeWidth", 1.5}},
                                        {{"x", x}, {"y", y}, {"color", colour}}, std::move(predicted)),
                          report::layer({{"type", "point"}, {"filled", true}, {"size", 65}, {"opacity", 1}},
                                        {{"x", x},
                                         {"y", y},
                                         {"color", colour},
                                         {"shape", report::shapes("series", "", names)},
                                         {"tooltip", hints}})},
                         320);
}

Showing show_degree(const Table& table, const std::vector<NamedTable>& summaries) {
  const report::Figure figure{
      "The exponent follows the order of the spline",
      "Both axes are logarithmic. Points are means over seeds; dotted lines have the predicted exponents "
      "1/7, 1/9 and 1/13 and are "
      "laid through the points.",
      {{"", "The solved resolution grows along the predicted power law at degrees 2, 3 and 5.",
        degree_chart(table)}}};
  return {
      "The law knows the degree of the spline only through its order of smoothness. Other degrees should "
      "therefore show other "
      "exponents of the resolution. Additive targets with 20 features and 10 % noise.",
      {{figure, {"Exponent of the resolution"}}},
      {shown_table("Exponents, predicted and observed",
                   summary_named(summaries, "degree_ablation_summary.csv"),
                   {{"degree", "degree"},
                    {"smoothness_order", "order"},
                    {"predicted_g_exponent", "predicted", 3},
                    {"observed_g_exponent", "observed", 3}})}};
}

}  // namespace kore::experiments

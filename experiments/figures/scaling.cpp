#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

double quotient(const Table& table, const Group& group, const char* above, const char* below) {
  return mean(numbers(table, above, group.rows)) / mean(numbers(table, below, group.rows));
}

Json dimension_axis(const Table& table) {
  Json x = report::logarithmic("d", "features", distinct_numbers(table, "d"));
  return x;
}

report::DataTable scaling_table(const Table& table) {
  report::DataTable shown;
  shown.caption =
      "KORE beside cross-validation, means over seeds; seconds are those of the machine that ran this";
  shown.head = {"family",       "features",         "rows",      "seconds, KORE", "seconds, CV",
                "times faster", "times fewer fits", "RMSE ratio"};
  for (const Group& group : group_by(table, {"family", "d", "n_train"}))
    shown.rows.push_back({group.key[0], group.key[1], group.key[2],
                          fixed(mean(numbers(table, "kore_time", group.rows)), 3),
                          fixed(mean(numbers(table, "cv_time", group.rows)), 3),
                          fixed(quotient(table, group, "cv_time", "kore_time"), 1) + "x",
                          fixed(quotient(table, group, "cv_fits", "kore_fits"), 1) + "x",
                          fixed(quotient(table, group, "kore_rmse", "cv_rmse"), 3)});
  return shown;
}

}  // namespace

Json speedup_chart(const Table& scaling) {
  const std::vector<std::string> families = distinct(scaling, "family");
  Json rows = Json::array();
  for (const Group& group : group_by(scaling, {"family", "d"})) {
    const double d = std::stod(group.key[1]);
    rows.push_back({{"family", group.key[0]},
                    {"d", d},
                    {"counted", "fits"},
                    {"speedup", quotient(scaling, group, "cv_fits", "kore_fits")}});
    rows.push_back({{"family", group.key[0]},
                    {"d", d},
                    {"counted", "time"},
                    {"speedup", quotient(scaling, group, "cv_time", "kore_time")}});
  }
  const Json x = dimension_axis(scaling);
  Json y = report::linear("speedup", "CV over KORE");
  y["scale"]["zero"] = true;
  Json dashes{{"field", "counted"}, {"type", "nominal"}, {"title", nullptr}};
  dashes["scale"] = {{"domain", {"fits", "time"}}, {"range", {{1, 0}, {5, 4}}}};
  const Json colour = report::colours("family", "", families);
  const Json hints = report::hints({{"family", "family", ""},
                                    {"d", "features", "d"},
                                    {"counted", "counted in", ""},
                                    {"speedup", "quotient", ".1f"}});
  return report::layered(
      std::move(rows),
      {level_line(1),
       report::layer({{"type", "line"}}, {{"x", x}, {"y", y}, {"color", colour}, {"strokeDash", dashes}}),
       report::layer({{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}},
                     {{"x", x},
                      {"y", y},
                      {"color", colour},
                      {"shape", report::shapes("family", "", families)},
                      {"tooltip", hints}})});
}

Json scaling_ratio_chart(const Table& scaling) {
  Json rows = Json::array();
  for (const Group& group : group_by(scaling, {"family", "d"}))
    rows.push_back({{"family", group.key[0]},
                    {"d", std::stod(group.key[1])},
                    {"ratio", quotient(scaling, group, "kore_rmse", "cv_rmse")}});
  const Json y = report::linear("ratio", "RMSE ratio, KORE to CV");
  const Json hints =
      report::hints({{"family", "family", ""}, {"d", "features", "d"}, {"ratio", "RMSE ratio", ".3f"}});
  std::vector<Json> layers{level_line(1)};
  for (Json& layer : trend_layers({dimension_axis(scaling), y, "family", distinct(scaling, "family"), hints}))
    layers.push_back(std::move(layer));
  return report::layered(std::move(rows), std::move(layers));
}

Showing show_scaling(const Table& table, const std::vector<NamedTable>&) {
  const report::Figure figure{
      "From 10 to 80 features",
      "Means over seeds. Times are of this engine on the machine that ran it, one selection at a time.",
      {{"Cost saved",
        "Fits and time of cross-validation over those of KORE stay above one at every dimension.",
        speedup_chart(table)},
       {"Accuracy kept", "The RMSE ratio stays near one at every dimension.", scaling_ratio_chart(table)}}};
  return {
      "Is the saving a matter of few features? Rows grow with the features, so that the density stays the "
      "same: 120 rows per "
      "feature, or 240 per pair. Noise is 3 %.",
      {{figure, {"Fits of cross-validation", "The same for pairwise", "Time of", "RMSE ratio"}}},
      {scaling_table(table)}};
}

}  // namespace kore::experiments

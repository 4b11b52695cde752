#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

std::string task(const Table& summary, std::size_t row) {
  return summary.text(row, "family") + ", " + dimension_label(summary.text(row, "d"));
}

}  // namespace

Json cost_chart(const Table& frontier_summary) {
  struct Entry {
    const char* column;
    const char* shown;
  };
  // The four criteria read the same fits, so that one point stands for all.
  constexpr Entry entries[] = {{"kore", "KORE"}, {"gcv", "criteria"}, {"cv", "CV"}};
  Json rows = Json::array();
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.shown);
  for (std::size_t r = 0; r < frontier_summary.rows.size(); ++r)
    for (const Entry& entry : entries)
      rows.push_back({{"task", task(frontier_summary, r)},
                      {"selector", entry.shown},
                      {"fits", frontier_summary.number(r, std::string(entry.column) + "_fits_mean")}});
  Json x = report::linear("fits", "model fits");
  x["scale"]["zero"] = true;
  const Json hints =
      report::hints({{"task", "task", ""}, {"selector", "selector", ""}, {"fits", "fits", ".1f"}});
  return report::layered(std::move(rows),
                         {report::layer({{"type", "point"}, {"filled", true}, {"size", 110}, {"opacity", 1}},
                                        {{"x", x},
                                         {"y", report::names("task", "")},
                                         {"color", report::colours("selector", "", names)},
                                         {"shape", report::shapes("selector", "", names)},
                                         {"tooltip", hints}})},
                         30 * static_cast<int>(frontier_summary.rows.size()));
}

Json task_ratio_chart(const Table& frontier_summary) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < frontier_summary.rows.size(); ++r)
    rows.push_back(
        {{"task", task(frontier_summary, r)}, {"ratio", frontier_summary.number(r, "rmse_ratio_kore_cv")}});
  return report::stems(std::move(rows), {"task", "ratio", "RMSE ratio, KORE to CV", 1});
}

Json method_ratio_chart(const Table& method_summary) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < method_summary.rows.size(); ++r)
    rows.push_back({{"method", method_summary.text(r, "method")},
                    {"ratio", method_summary.number(r, "gm_rmse_ratio_vs_cv")}});
  return report::stems(std::move(rows), {"method", "ratio", "RMSE ratio to CV", 1});
}

Showing show_frontier(const Table&, const std::vector<NamedTable>& summaries) {
  const Table& tasks = summary_named(summaries, "frontier_summary.csv");
  const Table& methods = summary_named(summaries, "frontier_method_summary.csv");
  const report::Figure cost{
      "What a selection costs",
      "Model fits until a resolution and a structure are chosen, task by task. The four criteria (GCV, Cp, "
      "AIC, BIC) read the same fits.",
      {{"", "KORE needs about a tenth of the fits of cross-validation.", cost_chart(tasks)}}};
  const report::Figure accuracy{
      "What it is worth",
      "Below 1 the solved resolution predicts better than the searched one; the labels have three digits.",
      {{"", "Per task, the RMSE of KORE is about that of cross-validation.", task_ratio_chart(tasks)}}};
  const report::Figure summary{
      "Five selectors beside cross-validation",
      "Geometric mean over the six tasks.",
      {{"", "Of the five selectors KORE has the smallest mean RMSE ratio.", method_ratio_chart(methods)}}};
  return {
      "Does solving for the resolution end where searching ends, for less? Three additive tasks with 120 "
      "rows per feature and "
      "three pairwise ones with 240 rows per pair; cross-validation and the four criteria search both grids.",
      {{cost, {"Fits of "}},
       {accuracy, {"RMSE ratio of KORE on"}},
       {summary, {"RMSE of KORE over", "RMSE ratio of"}}},
      {shown_table("Summary over the six tasks", methods,
                   {{"method", "selector"},
                    {"gm_rmse_ratio_vs_cv", "RMSE over cross-validation's", 3},
                    {"gm_fit_speedup_vs_cv", "times fewer fits", 1, "x"}}),
       shown_table("Task by task", tasks,
                   {{"family", "family"},
                    {"d", "features"},
                    {"n_train", "rows"},
                    {"kore_G_mean", "G, KORE", 1},
                    {"cv_G_mean", "G, CV", 1},
                    {"kore_rmse_mean", "RMSE, KORE", 5},
                    {"kore_rmse_std", "deviation", 5},
                    {"cv_rmse_mean", "RMSE, CV", 5},
                    {"cv_rmse_std", "deviation", 5},
                    {"kore_fits_mean", "fits, KORE", 1},
                    {"cv_fits_mean", "fits, CV", 1}})}};
}

}  // namespace kore::experiments

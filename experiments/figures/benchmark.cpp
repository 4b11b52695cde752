#include <algorithm>

#include "experiments/benchmarks.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

bool is_law_aligned(const std::string& equation) {
  return std::ranges::any_of(benchmark_suite(), [&](const Benchmark& known) {
    return known.target.name == equation && known.law_aligned;
  });
}

/// The equations that the law is meant for, or the boundary cases.
Table part(const Table& summary, bool law_aligned) {
  Table result{summary.columns, {}};
  for (std::size_t r = 0; r < summary.rows.size(); ++r)
    if (is_law_aligned(summary.text(r, "equation")) == law_aligned) result.rows.push_back(summary.rows[r]);
  return result;
}

Table by_ratio(Table summary) {
  std::vector<std::size_t> order(summary.rows.size());
  for (std::size_t r = 0; r < order.size(); ++r) order[r] = r;
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return summary.number(r, "ratio_kore_cv"); });
  Table sorted{summary.columns, {}};
  for (const std::size_t r : order) sorted.rows.push_back(summary.rows[r]);
  return sorted;
}

Json equation_rows(const Table& summary, const std::string& column) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < summary.rows.size(); ++r)
    rows.push_back({{"equation", summary.text(r, "equation")}, {"value", summary.number(r, column)}});
  return rows;
}

report::DataTable ladder_table(const Table& summary) {
  // The nine first, as in the paper.
  Table rows = part(summary, true);
  const Table boundary = part(summary, false);
  rows.rows.insert(rows.rows.end(), boundary.rows.begin(), boundary.rows.end());
  return shown_table(
      "RMSE of every selector over that of cross-validation; the last three equations are boundary cases",
      rows,
      {{"equation", "equation"},
       {"d", "features"},
       {"ratio_kore_cv", "KORE", 3},
       {"ratio_gcv_cv", "GCV", 3},
       {"ratio_cp_cv", "Cp", 3},
       {"ratio_aic_cv", "AIC", 3},
       {"ratio_bic_cv", "BIC", 3}});
}

}  // namespace

Json equation_ratio_chart(const Table& benchmark_summary) {
  return report::stems(equation_rows(benchmark_summary, "ratio_kore_cv"),
                       {"equation", "value", "RMSE ratio, KORE to CV", 1});
}

Json equation_speedup_chart(const Table& benchmark_summary) {
  return report::stems(equation_rows(benchmark_summary, "fit_speedup"),
                       {"equation", "value", "fits, CV over KORE", 1, ".1f"});
}

Json forest_chart(const Table& benchmark_summary) {
  struct Entry {
    const char* column;
    const char* shown;
  };
  constexpr Entry entries[] = {{"kore", "KORE"}, {"cv", "CV"}, {"gcv", "GCV"}};
  const Table sorted = by_ratio(benchmark_summary);
  Json rows = Json::array();
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.shown);
  for (std::size_t r = 0; r < sorted.rows.size(); ++r)
    for (const Entry& entry : entries)
      rows.push_back({{"equation", sorted.text(r, "equation")},
                      {"selector", entry.shown},
                      {"rmse", sorted.number(r, std::string(entry.column) + "_rmse_mean")}});
  const Json hints =
      report::hints({{"equation", "equation", ""}, {"selector", "selector", ""}, {"rmse", "RMSE", ".6f"}});
  return report::layered(
      std::move(rows),
      {report::layer(
          {{"type", "point"}, {"size", 80}, {"strokeWidth", 2}, {"opacity", 0.9}},
          {{"x", report::logarithmic("rmse", "test RMSE",
                                     {0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1})},
           {"y", report::names("equation", "")},
           {"color", report::colours("selector", "", names)},
           {"shape", report::shapes("selector", "", names)},
           {"tooltip", hints}})},
      28 * static_cast<int>(sorted.rows.size()));
}

Showing show_benchmark(const Table&, const std::vector<NamedTable>& summaries) {
  const Table& all = summary_named(summaries, "benchmark_summary.csv");
  const Table nine = part(all, true);
  const report::Figure aligned{
      "Nine equations that are smooth and of low order",
      "Means over seeds. Below 1 in the first panel KORE predicts better; the third is the geometric mean "
      "over the nine.",
      {{"RMSE beside cross-validation", "RMSE ratios of KORE, equation by equation.",
        equation_ratio_chart(by_ratio(nine))},
       {"Times fewer fits", "How many times fewer fits KORE needs, equation by equation.",
        equation_speedup_chart(by_ratio(nine))},
       {"Five selectors", "Mean RMSE ratios of the five selectors.",
        method_ratio_chart(summary_named(summaries, "benchmark_method_summary_main.csv"))}}};
  const report::Figure forest{
      "All twelve equations",
      "Ordered by the ratio of the errors of KORE and cross-validation, the best for KORE first. The last "
      "three have more than "
      "one length scale, which a single resolution cannot serve.",
      {{"", "Test RMSE of KORE, cross-validation and GCV on twelve equations.", forest_chart(all)}}};
  return {
      "Named equations of the literature instead of targets made for the law: nine smooth ones of low order, "
      "and three that "
      "the paper expects to be hard for a single resolution. Noise is 1 %.",
      {{aligned,
        {"RMSE of KORE over", "Fits of cross-validation", "RMSE ratio of GCV", "RMSE ratio of Cp",
         "RMSE ratio of AIC", "RMSE ratio of BIC", "Equations on which"}},
       {forest, {"RMSE ratio on", "RMSE ratio of KORE over all"}}},
      {shown_table("All twelve equations", all,
                   {{"equation", "equation"},
                    {"d", "features"},
                    {"n_train", "rows"},
                    {"kore_rmse_mean", "RMSE, KORE", 6},
                    {"cv_rmse_mean", "RMSE, CV", 6},
                    {"ratio_kore_cv", "KORE over CV", 3},
                    {"fit_speedup", "times fewer fits", 1, "x"}}),
       ladder_table(all)}};
}

}  // namespace kore::experiments

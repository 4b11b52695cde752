#include "experiments/claims.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Json;

/// The rows of the summary that a band and its middle are drawn from.
Json band_rows(const Table& summary, const std::string& low, const std::string& middle,
               const std::string& high) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < summary.rows.size(); ++r)
    rows.push_back({{"n", summary.number(r, "n_train")},
                    {"low", summary.number(r, low)},
                    {"middle", summary.number(r, middle)},
                    {"high", summary.number(r, high)}});
  return rows;
}

Json size_axis(const Table& summary) {
  return report::logarithmic("n", "training rows", distinct_numbers(summary, "n_train"));
}

Json band(const Json& x, const Json& y, int number) {
  Json low = y;
  low["field"] = "low";
  return report::layer({{"type", "area"}, {"opacity", 0.22}, {"color", report::colour(number)}},
                       {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}});
}

Json middle(const Json& x, const Json& y, int number, const char* title) {
  Json hints = report::hints(
      {{"n", "rows", "d"}, {"middle", title, ".3f"}, {"low", "from", ".3f"}, {"high", "to", ".3f"}});
  return report::layer({{"type", "line"},
                        {"point", {{"filled", true}, {"size", 55}, {"color", report::colour(number)}}},
                        {"color", report::colour(number)}},
                       {{"x", x}, {"y", y}, {"tooltip", std::move(hints)}});
}

report::DataTable settling_table(const Table& summary) {
  report::DataTable shown;
  shown.caption = "The numbers behind these figures";
  shown.head = {"rows",      "A, median",     "quartiles", "tau, median",
                "quartiles", "plug-in, mean", "deviation", "optimum"};
  for (std::size_t r = 0; r < summary.rows.size(); ++r) {
    const auto number = [&](const char* column, int digits) {
      return fixed(summary.number(r, column), digits);
    };
    const auto range = [&](const char* low, const char* high) {
      return fixed_range(summary.number(r, low), summary.number(r, high), 3);
    };
    shown.rows.push_back({summary.text(r, "n_train"), number("A_ratio_median", 3),
                          range("A_ratio_q25", "A_ratio_q75"), number("tau_ratio_median", 3),
                          range("tau_ratio_q25", "tau_ratio_q75"), number("G_dagger_mean", 2),
                          number("G_dagger_std", 2), number("G_bullet", 2)});
  }
  return shown;
}

}  // namespace

Json recovery_chart(const Table& consistency_summary, const std::string& constant) {
  const std::string column = constant + "_ratio_";
  const Json rows = band_rows(consistency_summary, column + "q25", column + "median", column + "q75");
  const Json x = size_axis(consistency_summary);
  const Json y = report::logarithmic("middle", "estimate over true value",
                                     {0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 2, 5, 10, 20, 40});
  return report::layered(rows, {band(x, y, 1), level_line(1), middle(x, y, 1, "median")});
}

Json plug_in_chart(const Table& consistency_summary) {
  const Table& table = consistency_summary;
  Json rows = Json::array();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const double mean = table.number(r, "G_dagger_mean");
    const double spread = table.number(r, "G_dagger_std");
    rows.push_back({{"n", table.number(r, "n_train")},
                    {"low", mean - spread},
                    {"middle", mean},
                    {"high", mean + spread},
                    {"target", table.number(r, "G_bullet")}});
  }
  const Json x = size_axis(table);
  const Json y = report::linear("middle", "resolution");
  Json target = y;
  target["field"] = "target";
  const Json diamonds = report::layer(
      {{"type", "point"},
       {"shape", "diamond"},
       {"size", 160},
       {"color", report::colour(2)},
       {"strokeWidth", 2}},
      {{"x", x},
       {"y", target},
       {"tooltip", report::hints({{"n", "rows", "d"}, {"target", "anchored optimum", ".3f"}})}});
  return report::layered(rows, {band(x, y, 1), middle(x, y, 1, "mean plug-in"), diamonds});
}

Showing show_consistency(const Table&, const std::vector<NamedTable>& summaries) {
  const Table& summary = summary_named(summaries, "plugin_consistency_summary.csv");
  const report::Figure bias{"The bias scale A",
                            "Median over seeds and band between the quartiles of the estimate over the value "
                            "that the largest size settles on.",
                            {{"", "The ratio of the estimated to the anchored bias scale approaches one.",
                              recovery_chart(summary, "A")}}};
  const report::Figure noise{
      "The variance scale tau",
      "Median and quartiles as above, over the variance of the noise. The logarithmic axis is ours: at the "
      "smallest size the "
      "upper pilot is so coarse that what is left of the signal passes for noise.",
      {{"", "The ratio of the estimated variance scale to the noise variance falls to one.",
        recovery_chart(summary, "tau")}}};
  const report::Figure plug_in{"The solved resolution",
                               "Mean over seeds with a band of one standard deviation; diamonds are the "
                               "optimum with the true constants.",
                               {{"", "The plug-in resolution follows the anchored optimum as rows are added.",
                                 plug_in_chart(summary)}}};
  return {
      "Do the two constants, read off two pilot fits, settle at the true ones as rows are added, and with "
      "them the solved "
      "resolution? Additive targets with 20 features and 10 % noise, from 300 to 19,200 rows.",
      {{bias, {"Median ratios"}},
       {noise, {"The band of the variance"}},
       {plug_in, {"Distance of the mean plug-in"}}},
      {settling_table(summary)}};
}

}  // namespace kore::experiments

#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {

using report::Json;

Json noise_chart(const Table& noise_summary, const std::string& column, double reference) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < noise_summary.rows.size(); ++r)
    rows.push_back(
        {{"noise", noise_summary.number(r, "noise_frac")}, {"value", noise_summary.number(r, column)}});
  const Json x = report::logarithmic("noise", "noise over signal (standard deviations)",
                                     distinct_numbers(noise_summary, "noise_frac"));
  const Json y =
      report::linear("value", column == "signal_score" ? "signal score" : "RMSE over that of the mean");
  const Json hints = report::hints({{"noise", "noise", ".2f"}, {"value", "mean", ".3f"}});
  return report::layered(
      std::move(rows),
      {level_line(reference),
       report::layer({{"type", "line"},
                      {"color", report::colour(1)},
                      {"point", {{"filled", true}, {"size", 55}, {"color", report::colour(1)}}}},
                     {{"x", x}, {"y", y}, {"tooltip", hints}})});
}

Showing show_noise(const Table&, const std::vector<NamedTable>& summaries) {
  const Table& summary = summary_named(summaries, "noise_sweep_summary.csv");
  const report::Figure figure{"When a structured fit is worth having",
                              "The paper gives these numbers as a table; so do we below. Above the dashed "
                              "line the score says that there is structure; "
                              "below the other one the model predicts better than the mean of the target.",
                              {{"Signal score", "The signal score falls below one as noise grows.",
                                noise_chart(summary, "signal_score", 1)},
                               {"Gain over predicting the mean",
                                "The RMSE ratio to predicting the mean rises above one as noise grows.",
                                noise_chart(summary, "ratio_kore_null", 1)}}};
  return {
      "The safety check: does it give way just when the fit stops being useful? Additive targets with 10 "
      "features and 200 rows, "
      "with noise from a twentieth of the signal to twice as much.",
      {{figure, {"Signal score", "RMSE over that of the mean", "Both checks"}}},
      {shown_table("The safety check level by level, means over seeds", summary,
                   {{"noise_frac", "noise"},
                    {"signal_score", "signal score", 2},
                    {"ratio_kore_null", "RMSE over that of the mean", 3},
                    {"bracketed_rate", "share bracketed", 1},
                    {"use_rate", "share both checks pass", 1}})}};
}

}  // namespace kore::experiments

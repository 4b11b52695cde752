#include "experiments/figures/figures.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {

using report::Json;

Json concentration_chart(const Table& concentration, const std::string& constant) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < concentration.rows.size(); ++r)
    rows.push_back({{"n", concentration.number(r, "n")},
                    {"deviation", concentration.number(r, "std_" + constant + "_hat")},
                    {"envelope", concentration.number(r, "predicted_envelope_" + constant)}});
  const Json x = report::logarithmic("n", "training rows", distinct_numbers(concentration, "n"));
  const Json y = report::logarithmic("deviation", "standard deviation over draws");
  Json envelope = y;
  envelope["field"] = "envelope";
  const Json hints = report::hints(
      {{"n", "rows", "d"}, {"deviation", "deviation", ".3g"}, {"envelope", "1/sqrt(n)", ".3g"}});
  return report::layered(
      std::move(rows),
      {report::layer({{"type", "line"}, {"strokeDash", {6, 4}}, {"color", "var(--quiet)"}},
                     {{"x", x}, {"y", envelope}}),
       report::layer(
           {{"type", "point"}, {"filled", true}, {"size", 70}, {"color", report::colour(1)}, {"opacity", 1}},
           {{"x", x}, {"y", y}, {"tooltip", hints}})});
}

Showing show_concentration(const Table& table, const std::vector<NamedTable>&) {
  const report::Figure figure{
      "How fast the constants settle",
      "Both axes are logarithmic. The dashed curve is c/sqrt(n) with the c nearest to the points.",
      {{"Bias scale A", "The deviation of the bias scale falls like one over the root of the rows.",
        concentration_chart(table, "A")},
       {"Variance scale tau", "The deviation of the variance scale falls like one over the root of the rows.",
        concentration_chart(table, "tau")}}};
  return {
      "The same inputs with a hundred draws of the noise: how much do the two constants vary from draw to "
      "draw? Ten features, noise "
      "of standard deviation 0.5.",
      {{figure, {"Deviations over draws", "Exponent of the deviation"}}},
      {shown_table("Standard deviations over draws of the noise", table,
                   {{"n", "rows"},
                    {"std_A_hat", "A", 5},
                    {"predicted_envelope_A", "its envelope", 5},
                    {"std_tau_hat", "tau", 5},
                    {"predicted_envelope_tau", "its envelope", 5}})}};
}

}  // namespace kore::experiments

#include "report/error_charts.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "report/chart.hpp"
#include "report/numbers.hpp"
#include "report/units.hpp"

namespace kore::report {
namespace {

constexpr double band_width = 1.959963984540054;
constexpr double normal_quartile = 0.674489750196082;
constexpr int height = 240;
constexpr int level_height = 20;

std::string fitted_title(const std::string& target) {
  return target.empty() ? "prediction" : "predicted " + shortened(target, 30);
}

Json zero_line() {
  return layer({{"type", "rule"}, {"strokeDash", {2, 3}}}, {{"y", fixed_at(0)}},
               Json::array({Json::object()}));
}

/// Mean errors with their intervals; bins without rows are left out.
Json mean_rows(const std::vector<ErrorBin>& bins, Units units) {
  Json rows = Json::array();
  for (const ErrorBin& bin : bins) {
    if (!(bin.weight > 0)) continue;
    const double half = band_width * bin.standard_error();
    rows.push_back({{"at", in_units(bin.at, units)},
                    {"mean", rounded(bin.mean)},
                    {"lower", rounded(bin.mean - half)},
                    {"upper", rounded(bin.mean + half)},
                    {"rows", rounded(bin.weight)}});
  }
  return rows;
}

double normal_quantile(double rank) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * rank); }

}  // namespace

Json errors_by_fitted_chart(const Observed& observed, const std::string& target) {
  const CountGrid& grid = observed.by_fitted;
  const std::size_t rows_of_grid = grid.y_edges.size() - 1;
  Json cells = Json::array();
  double most = 1;
  for (std::size_t i = 0; i < grid.counts.size(); ++i) {
    if (!(grid.counts[i] > 0)) continue;
    most = std::max(most, grid.counts[i]);
    const std::size_t x = i / rows_of_grid;
    const std::size_t y = i % rows_of_grid;
    cells.push_back({{"x", rounded(grid.x_edges[x])},
                     {"x_end", rounded(grid.x_edges[x + 1])},
                     {"y", rounded(grid.y_edges[y])},
                     {"y_end", rounded(grid.y_edges[y + 1])},
                     {"rows", rounded(grid.counts[i])}});
  }
  Json x = linear("x", fitted_title(target));
  x["scale"]["nice"] = false;
  const Json y = linear("y", observed.training ? "error when left out" : "error");
  const Json depth{{"field", "rows"},
                   {"type", "quantitative"},
                   {"legend", nullptr},
                   {"scale", {{"type", "sqrt"}, {"domain", {0, most}}, {"range", {0.12, 1}}}}};
  const Json tooltip =
      hints({{"rows", "rows", ".4~g"}, {"x", "predicted from", ".3~g"}, {"y", "error from", ".3~g"}});
  Json mean_x = linear("at", fitted_title(target));
  mean_x["scale"]["nice"] = false;
  return layered(
      std::move(cells),
      {layer({{"type", "rect"}, {"color", colour(1)}}, {{"x", x},
                                                        {"x2", {{"field", "x_end"}}},
                                                        {"y", y},
                                                        {"y2", {{"field", "y_end"}}},
                                                        {"opacity", depth},
                                                        {"tooltip", tooltip}}),
       zero_line(),
       layer({{"type", "line"}, {"color", colour(2)}, {"strokeWidth", 2.2}, {"clip", true}},
             {{"x", mean_x}, {"y", linear("mean", "")}}, mean_rows(observed.fitted_bins, Units::numbers))},
      height);
}

Json errors_by_feature_chart(const std::vector<ErrorBin>& bins, const ErrorsAlong& along) {
  const std::vector<std::string>& levels = along.levels;
  Json rows = mean_rows(bins, along.units);
  const Json values = hints({{"mean", "mean error", ".3~g"},
                             {"lower", "95 % from", ".3~g"},
                             {"upper", "to", ".3~g"},
                             {"rows", "rows", ".4~g"}});
  if (levels.empty()) {
    const Json x = whole_numbers_axis("at", along.feature, along.units, along.years, along.single);
    return layered(
        std::move(rows),
        {zero_line(),
         layer({{"type", "rule"}, {"color", colour(1)}, {"opacity", 0.5}, {"strokeWidth", 3}},
               {{"x", x},
                {"y", linear("lower", "mean error")},
                {"y2", {{"field", "upper"}}},
                {"tooltip", values}}),
         layer({{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}, {"color", colour(1)}},
               {{"x", x}, {"y", linear("mean", "mean error")}, {"tooltip", values}})},
        180);
  }
  const std::vector<std::string> names_of_levels = shortened_apart(levels, 60, letters_beside_bars);
  for (Json& row : rows) {
    const auto level = static_cast<std::size_t>(row["at"].get<double>());
    row["level"] = names_of_levels[std::min(level, levels.size() - 1)];
  }
  if (rows.size() > most_error_levels) {
    std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
      return std::abs(a["mean"].get<double>()) > std::abs(b["mean"].get<double>());
    });
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most_error_levels), rows.end());
  }
  Json y = names("level", "");
  y["axis"] = {{"labelLimit", 100}, {"labelOverlap", false}};
  const int levels_height = std::max(60, level_height * static_cast<int>(rows.size()));
  return layered(
      std::move(rows),
      {layer({{"type", "rule"}, {"strokeDash", {2, 3}}}, {{"x", fixed_at(0)}}, Json::array({Json::object()})),
       layer({{"type", "rule"}, {"color", colour(1)}, {"opacity", 0.5}, {"strokeWidth", 3}},
             {{"y", y},
              {"x", linear("lower", "mean error")},
              {"x2", {{"field", "upper"}}},
              {"tooltip", values}}),
       layer({{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}, {"color", colour(1)}},
             {{"y", y}, {"x", linear("mean", "mean error")}, {"tooltip", values}})},
      levels_height);
}

Json quantile_chart(const std::vector<double>& sorted) {
  const auto count = static_cast<double>(sorted.size());
  const double middle = sorted[sorted.size() / 2];
  const double spread = (sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4]) / (2 * normal_quartile);
  Json rows = Json::array();
  for (std::size_t i = 0; i < sorted.size(); ++i)
    rows.push_back(
        {{"normal", rounded(middle + spread * normal_quantile((static_cast<double>(i) + 0.5) / count))},
         {"error", rounded(sorted[i])}});
  const double low = rows.front()["normal"].get<double>();
  const double high = rows.back()["normal"].get<double>();
  const Json ends = Json::array({{{"normal", low}, {"error", low}}, {{"normal", high}, {"error", high}}});
  const Json x = linear("normal", "if errors were normal");
  const Json y = linear("error", "errors");
  return layered(
      std::move(rows),
      {layer({{"type", "line"}, {"color", "var(--quiet)"}, {"strokeDash", {4, 3}}}, {{"x", x}, {"y", y}},
             ends),
       layer({{"type", "point"}, {"filled", true}, {"size", 22}, {"opacity", 0.8}, {"color", colour(1)}},
             {{"x", x},
              {"y", y},
              {"tooltip", hints({{"error", "error", ".3~g"}, {"normal", "normal", ".3~g"}})}})},
      height);
}

Json groups_chart(const std::vector<PredictionGroup>& groups, bool shares, const std::string& what) {
  Json rows = Json::array();
  for (const PredictionGroup& group : groups)
    rows.push_back({{"predicted", rounded(group.predicted)},
                    {"observed", rounded(group.observed)},
                    {"low", rounded(group.low)},
                    {"high", rounded(group.high)},
                    {"rows", rounded(group.weight)}});
  const double low = std::min(groups.front().predicted, groups.front().observed);
  const double high = std::max(groups.back().predicted, groups.back().observed);
  const Json ends =
      Json::array({{{"predicted", low}, {"observed", low}}, {{"predicted", high}, {"observed", high}}});
  const std::string format = shares ? ".1%" : ",.4~r";
  Json x = linear("predicted", shares ? "predicted " + what : "prediction");
  Json y = linear("observed", shares ? "observed share" : "observed");
  Json from = y;
  from["field"] = "low";
  for (Json* axis : {&x, &y, &from}) (*axis)["axis"]["format"] = shares ? Json(".0%") : Json(",.4~r");
  const Json tooltip = shares ? hints({{"predicted", "mean prediction", format},
                                       {"observed", "observed share", format},
                                       {"rows", "rows", ",.4~r"}})
                              : hints({{"predicted", "mean prediction", format},
                                       {"observed", "observed mean", format},
                                       {"low", "80 % from", format},
                                       {"high", "to", format},
                                       {"rows", "rows", ",.4~r"}});
  std::vector<Json> layers{layer({{"type", "line"}, {"color", "var(--quiet)"}, {"strokeDash", {4, 3}}},
                                 {{"x", x}, {"y", y}}, ends)};
  if (!shares)
    layers.push_back(layer({{"type", "rule"}, {"color", colour(1)}, {"opacity", 0.5}, {"strokeWidth", 3}},
                           {{"x", x}, {"y", from}, {"y2", {{"field", "high"}}}, {"tooltip", tooltip}}));
  layers.push_back(
      layer({{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}, {"color", colour(1)}},
            {{"x", x}, {"y", y}, {"tooltip", tooltip}}));
  return layered(std::move(rows), std::move(layers), height);
}

Json coverage_chart(const std::vector<ErrorBin>& bins, const std::string& target) {
  Json rows = Json::array();
  double lowest = 0.8;
  for (const ErrorBin& bin : bins) {
    if (!(bin.weight > 0)) continue;
    // Wilson's interval for a share.
    const double z2 = band_width * band_width / bin.weight;
    const double middle = (bin.covered + z2 / 2) / (1 + z2);
    const double half =
        band_width / (1 + z2) * std::sqrt((bin.covered * (1 - bin.covered) + z2 / 4) / bin.weight);
    lowest = std::min(lowest, middle - half);
    rows.push_back({{"at", rounded(bin.at)},
                    {"share", rounded(bin.covered)},
                    {"lower", rounded(middle - half)},
                    {"upper", rounded(std::min(1.0, middle + half))},
                    {"rows", rounded(bin.weight)}});
  }
  Json x = linear("at", fitted_title(target));
  x["scale"]["nice"] = false;
  x["scale"]["padding"] = 8;
  const auto y = [lowest](const char* field) {
    Json axis = linear(field, "rows within their 90 % interval");
    axis["scale"] = {{"domain", {lowest, 1}}};
    axis["axis"]["format"] = ".0%";
    return axis;
  };
  Json nominal = fixed_at(0.9);  // with the same scale, or its own would begin at zero
  nominal["scale"] = {{"domain", {lowest, 1}}};
  const Json tooltip =
      hints({{"share", "within", ".1%"}, {"rows", "rows", ".4~g"}, {"at", "prediction near", ".3~g"}});
  return layered(
      std::move(rows),
      {layer({{"type", "rule"}, {"strokeDash", {4, 3}}}, {{"y", nominal}}, Json::array({Json::object()})),
       layer({{"type", "rule"}, {"color", colour(1)}, {"opacity", 0.5}, {"strokeWidth", 3}},
             {{"x", x}, {"y", y("lower")}, {"y2", {{"field", "upper"}}}, {"tooltip", tooltip}}),
       layer({{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}, {"color", colour(1)}},
             {{"x", x}, {"y", y("share")}, {"tooltip", tooltip}})},
      height);
}

Json leverage_chart(const Histogram& leverages) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < leverages.counts.size(); ++i)
    rows.push_back({{"from", rounded(leverages.edges[i])},
                    {"to", rounded(leverages.edges[i + 1])},
                    {"rows", rounded(leverages.counts[i])}});
  Json y{{"field", "rows"}, {"type", "quantitative"}, {"title", "rows"}, {"axis", {{"tickCount", 5}}}};
  Json x = linear("from", "leverage");
  x["scale"]["nice"] = false;
  return layered(
      std::move(rows),
      {layer(
          {{"type", "bar"}, {"color", colour(1)}, {"opacity", 0.6}, {"binSpacing", 1}},
          {{"x", x},
           {"x2", {{"field", "to"}}},
           {"y", y},
           {"y2", fixed_at(0)},
           {"tooltip", hints({{"from", "from", ".3~g"}, {"to", "to", ".3~g"}, {"rows", "rows", ".4~g"}})}})},
      height);
}

}  // namespace kore::report

#include "report/resolution_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/chart.hpp"

namespace kore::report {
namespace {

/// What a resolution was fitted for, with a colour that is the same in every chart.
struct Role {
  const char* name;
  const char* colour;
};
constexpr Role chosen{"chosen", "var(--series-1)"};
constexpr Role pilot{"pilot", "var(--series-2)"};
constexpr Role certificate{"certificate", "var(--series-3)"};
constexpr Role bridge{"gap bridge", "var(--series-4)"};
constexpr Role not_needed{"not needed", "var(--quiet)"};
constexpr int curve_steps = 120;

/// The chosen resolution is shown as such, whatever else it was fitted for.
const Role& role_of(const Selection& selection, int resolution) {
  const auto among = [&](const std::vector<int>& list) {
    return std::ranges::find(list, resolution) != list.end();
  };
  if (resolution == selection.resolution) return chosen;
  if (among(selection.pilots)) return pilot;
  return among(selection.certificate) ? certificate : bridge;
}

Json measured_rows(const SolvedResolution& solved) {
  Json rows = Json::array();
  const auto add = [&](int resolution, double loo, const Role& role) {
    if (std::isfinite(loo)) rows.push_back({{"G", resolution}, {"error", loo}, {"role", role.name}});
  };
  for (const auto& [resolution, score] : solved.selection.curve)
    add(resolution, score.loo, role_of(solved.selection, resolution));
  for (const auto& [resolution, loo] : solved.others)
    if (!solved.selection.curve.contains(resolution)) add(resolution, loo, not_needed);
  return rows;
}

/// The roles that occur, as the name, colour and shape of points.
struct RoleChannels {
  Json colour;
  Json shape;
};

RoleChannels role_channels(const Json& points) {
  std::vector<std::string> names;
  std::vector<std::string> range;
  for (const Role& role : {chosen, pilot, certificate, bridge, not_needed})
    if (std::ranges::any_of(points, [&](const Json& row) { return row["role"] == role.name; })) {
      names.emplace_back(role.name);
      range.emplace_back(role.colour);
    }
  RoleChannels channels{colours("role", "", names), shapes("role", "", names)};
  channels.colour["scale"]["range"] = range;
  return channels;
}

double largest_resolution(const SolvedResolution& solved) {
  int largest = solved.selection.curve.empty() ? 1 : solved.selection.curve.rbegin()->first;
  if (!solved.others.empty()) largest = std::max(largest, solved.others.rbegin()->first);
  return largest;
}

double squared_bias(const SolvedResolution& solved, double resolution) {
  return solved.selection.law.bias_scale * std::pow(resolution, -2 * solved.beta);
}

double variance(const SolvedResolution& solved, double resolution) {
  return solved.selection.law.variance_scale * solved.size(resolution) / solved.n;
}

/// The error that the pilots' system expects of left-out rows: `A G^(-2 beta) + tau n / (n - p)`.
double expected_error(const SolvedResolution& solved, double resolution) {
  const double degrees_left = std::max(solved.n - solved.size(resolution), 1.0);
  return squared_bias(solved, resolution) + solved.selection.law.variance_scale * solved.n / degrees_left;
}

/// Evenly spaced on a logarithmic axis.
std::vector<double> resolutions(const SolvedResolution& solved) {
  std::vector<double> result;
  for (int i = 0; i <= curve_steps; ++i)
    result.push_back(std::pow(largest_resolution(solved), static_cast<double>(i) / curve_steps));
  return result;
}

Json resolution_axis(const SolvedResolution& solved) {
  Json x = logarithmic("G", "resolution G", {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40});
  x["scale"]["domain"] = {1, largest_resolution(solved)};
  return x;
}

/// Errors as people write them, or with powers of ten where zeros would take the room of the chart.
const char* error_format(double lowest) { return lowest < 1e-2 ? "~e" : ",.3~r"; }

/// A line at the solution, and a star where it meets the curve.
std::vector<Json> solution(const SolvedResolution& solved, const Json& x, const Json& y, double error) {
  const Json row = Json::array({{{"G", solved.selection.plug_in}, {"error", error}}});
  return {layer({{"type", "rule"}, {"color", colour(1)}, {"strokeDash", {4, 3}}}, {{"x", x}}, row),
          layer({{"type", "text"}, {"text", "\u2605"}, {"fontSize", 22}, {"color", colour(1)}},
                {{"x", x}, {"y", y}, {"tooltip", hints({{"G", "solved resolution", ".2f"}})}}, row)};
}

}  // namespace

Json measured_chart(const SolvedResolution& solved) {
  const Json points = measured_rows(solved);
  const Json x = resolution_axis(solved);
  Json y = logarithmic("error", solved.loss);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Json& point : points) lowest = std::min(lowest, point["error"].get<double>());
  y["axis"]["format"] = error_format(lowest);
  const RoleChannels role = role_channels(points);
  std::vector<Json> layers;
  if (solved.selection.law.usable()) {
    Json curve = Json::array();
    for (const double g : resolutions(solved))
      curve.push_back({{"G", g}, {"error", expected_error(solved, g)}});
    layers.push_back(
        layer({{"type", "line"}, {"color", "var(--quiet)"}, {"strokeDash", {6, 4}}, {"strokeWidth", 1.5}},
              {{"x", x}, {"y", y}}, curve));
    const std::vector<Json> star = solution(solved, x, y, expected_error(solved, solved.selection.plug_in));
    layers.insert(layers.end(), star.begin(), star.end());
  }
  layers.push_back(layer(
      {{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}},
      {{"x", x},
       {"y", y},
       {"color", role.colour},
       {"shape", role.shape},
       {"tooltip", hints({{"G", "resolution", "d"}, {"error", "error", ".4g"}, {"role", "role", ""}})}}));
  return layered(points, std::move(layers), 320);
}

Json law_chart(const SolvedResolution& solved) {
  const std::vector<std::string> parts{"sum", "squared bias", "variance"};
  Json rows = Json::array();
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0;
  for (const double g : resolutions(solved)) {
    const double bias = squared_bias(solved, g);
    const double spread = variance(solved, g);
    rows.push_back({{"G", g}, {"error", bias + spread}, {"part", parts[0]}});
    rows.push_back({{"G", g}, {"error", bias}, {"part", parts[1]}});
    rows.push_back({{"G", g}, {"error", spread}, {"part", parts[2]}});
    lowest = std::min(lowest, bias + spread);
    highest = std::max(highest, bias + spread);
  }
  const Json x = resolution_axis(solved);
  Json y = logarithmic("error", "excess error by the law");
  y["axis"]["format"] = error_format(lowest);
  // The axis spans the sum: the bias soon falls far below it.
  y["scale"]["domain"] = {lowest / 5, highest * 1.3};
  Json dashes{{"field", "part"}, {"type", "nominal"}, {"title", nullptr}};
  dashes["scale"] = {{"domain", parts}, {"range", {{1, 0}, {6, 4}, {2, 3}}}};
  std::vector<Json> layers{
      layer({{"type", "line"}, {"clip", true}, {"strokeWidth", 2}},
            {{"x", x}, {"y", y}, {"strokeDash", dashes}, {"color", colours("part", "", parts)}})};
  const double plug_in = solved.selection.plug_in;
  const std::vector<Json> star =
      solution(solved, x, y, squared_bias(solved, plug_in) + variance(solved, plug_in));
  layers.insert(layers.end(), star.begin(), star.end());
  return layered(rows, std::move(layers), 320);
}

}  // namespace kore::report

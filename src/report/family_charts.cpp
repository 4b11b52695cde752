#include "report/family_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/numbers.hpp"

namespace kore::report {
namespace {

constexpr double band_width = 1.959963984540054;
constexpr int height = 260;
constexpr std::size_t most_points = 200;

Json shares_axis(const char* field, const char* title) {
  Json axis = linear(field, title);
  axis["scale"] = {{"domain", {0, 1}}};
  axis["axis"]["format"] = ".0%";
  return axis;
}

Json dashed(Json x, Json y, double low, double high) {
  const std::string x_field = x["field"];
  const std::string y_field = y["field"];
  const Json ends = Json::array({{{x_field, low}, {y_field, low}}, {{x_field, high}, {y_field, high}}});
  return layer({{"type", "line"}, {"color", "var(--quiet)"}, {"strokeDash", {4, 3}}},
               {{"x", std::move(x)}, {"y", std::move(y)}}, ends);
}

/// What is found above each threshold, the highest one first; at most `most_points` of them.
struct Found {
  double yes = 0;
  double no = 0;
};

std::vector<Found> found_by_falling_threshold(const std::vector<YesAndNo>& ranks) {
  std::vector<Found> all{{0, 0}};
  for (std::size_t i = ranks.size(); i-- > 0;)
    all.push_back({all.back().yes + ranks[i].yes, all.back().no + ranks[i].no});
  const std::size_t step = (all.size() + most_points - 1) / most_points;
  std::vector<Found> thinned;
  for (std::size_t i = 0; i < all.size(); i += step) thinned.push_back(all[i]);
  if ((all.size() - 1) % step != 0) thinned.push_back(all.back());
  return thinned;
}

}  // namespace

MeanInterval mean_interval(const Tenth& tenth, bool shares) {
  if (!shares) {
    const double half = band_width * tenth.standard_error();
    return {tenth.observed - half, tenth.observed + half};
  }
  const double z2 = band_width * band_width / tenth.weight;
  const double middle = (tenth.observed + z2 / 2) / (1 + z2);
  const double half =
      band_width / (1 + z2) * std::sqrt((tenth.observed * (1 - tenth.observed) + z2 / 4) / tenth.weight);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Json calibration_chart(const std::vector<Tenth>& tenths, bool shares, const std::string& what) {
  Json rows = Json::array();
  double high = 0;
  for (const Tenth& tenth : tenths) {
    const MeanInterval interval = mean_interval(tenth, shares);
    high = std::max({high, tenth.predicted, interval.upper});
    rows.push_back({{"predicted", rounded(tenth.predicted)},
                    {"observed", rounded(tenth.observed)},
                    {"lower", rounded(interval.lower)},
                    {"upper", rounded(interval.upper)},
                    {"rows", rounded(tenth.weight)}});
  }
  const auto axis = [&](const char* field, const std::string& title) {
    Json made = linear(field, title);
    made["scale"] = {{"domain", {0, high}}, {"nice", true}};
    if (shares) made["axis"]["format"] = ".0%";
    return made;
  };
  const std::string title = shortened(what, 40);
  const Json x = axis("predicted", "predicted " + title);
  const Json y = axis("observed", "observed " + title);
  const char* const digits = shares ? ".1%" : ".3~g";
  const Json tooltip = hints({{"predicted", "predicted", digits},
                              {"observed", "observed", digits},
                              {"lower", "from", digits},
                              {"upper", "to", digits},
                              {"rows", "rows", ".4~g"}});
  return layered(
      std::move(rows),
      {dashed(x, y, 0, high),
       layer({{"type", "area"}, {"color", colour(1)}, {"opacity", 0.18}},
             {{"x", x}, {"y", axis("lower", "observed " + title)}, {"y2", {{"field", "upper"}}}}),
       layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2}}, {{"x", x}, {"y", y}}),
       layer({{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}, {"color", colour(1)}},
             {{"x", x}, {"y", y}, {"tooltip", tooltip}})},
      height);
}

Json roc_chart(const std::vector<YesAndNo>& ranks) {
  const std::vector<Found> found = found_by_falling_threshold(ranks);
  Json rows = Json::array();
  for (const Found& at : found)
    rows.push_back({{"no", rounded(at.no / found.back().no)}, {"yes", rounded(at.yes / found.back().yes)}});
  const Json x = shares_axis("no", "share of no that are called yes");
  const Json y = shares_axis("yes", "share of yes that are found");
  const Json tooltip = hints({{"yes", "yes found", ".1%"}, {"no", "no called yes", ".1%"}});
  return layered(
      std::move(rows),
      {dashed(x, y, 0, 1), layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2}},
                                 {{"x", x}, {"y", y}, {"order", {{"field", "no"}}}, {"tooltip", tooltip}})},
      height);
}

Json precision_chart(const std::vector<YesAndNo>& ranks) {
  const std::vector<Found> found = found_by_falling_threshold(ranks);
  const double base = found.back().yes / (found.back().yes + found.back().no);
  Json rows = Json::array();
  for (const Found& at : found)
    if (at.yes + at.no > 0)
      rows.push_back(
          {{"found", rounded(at.yes / found.back().yes)}, {"right", rounded(at.yes / (at.yes + at.no))}});
  const Json x = shares_axis("found", "share of yes that are found (recall)");
  const Json y = shares_axis("right", "share of yes among them (precision)");
  Json level = fixed_at(base);
  level["scale"] = {{"domain", {0, 1}}};
  return layered(std::move(rows),
                 {layer({{"type", "rule"}, {"color", "var(--quiet)"}, {"strokeDash", {4, 3}}}, {{"y", level}},
                        Json::array({Json::object()})),
                  layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2}},
                        {{"x", x},
                         {"y", y},
                         {"order", {{"field", "found"}}},
                         {"tooltip", hints({{"found", "yes found", ".1%"}, {"right", "right", ".1%"}})}})},
                 height);
}

Json gains_chart(const std::vector<Tenth>& tenths, const std::string& what) {
  double weight = 0;
  double sum = 0;
  for (const Tenth& tenth : tenths) {
    weight += tenth.weight;
    sum += tenth.weight * tenth.observed;
  }
  Json rows = Json::array({{{"rows", 0}, {"share", 0}}});
  double taken = 0;
  double gained = 0;
  for (std::size_t i = tenths.size(); i-- > 0;) {
    taken += tenths[i].weight;
    gained += tenths[i].weight * tenths[i].observed;
    rows.push_back({{"rows", rounded(taken / weight)}, {"share", rounded(sum > 0 ? gained / sum : 0)}});
  }
  const Json x = shares_axis("rows", "share of rows, highest predictions first");
  const std::string title = "share of " + shortened(what, 40);
  const Json y = shares_axis("share", title.c_str());
  const Json tooltip = hints({{"rows", "rows", ".0%"}, {"share", "share", ".1%"}});
  return layered(
      std::move(rows),
      {dashed(x, y, 0, 1),
       layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2}}, {{"x", x}, {"y", y}}),
       layer({{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}, {"color", colour(1)}},
             {{"x", x}, {"y", y}, {"tooltip", tooltip}})},
      height);
}

Json rootogram(const std::vector<CountBin>& counts, const std::string& target) {
  Json rows = Json::array();
  for (const CountBin& bin : counts) {
    const std::string name = !std::isfinite(bin.last) ? fmt::format("{:.0f}+", bin.first)
                             : bin.first == bin.last  ? fmt::format("{:.0f}", bin.first)
                                                      : fmt::format("{:.0f}–{:.0f}", bin.first, bin.last);
    rows.push_back(
        {{"count", name}, {"observed", rounded(bin.observed)}, {"expected", rounded(bin.expected)}});
  }
  Json x = names("count", target.empty() ? "count" : shortened(target, 40));
  x["axis"] = {{"labelAngle", 0}, {"labelOverlap", true}};
  const auto y = [](const char* field) {
    Json axis = linear(field, "rows (axis of square roots)");
    axis["scale"] = {{"type", "sqrt"}, {"zero", true}};
    return axis;
  };
  const Json tooltip =
      hints({{"count", "count", ""}, {"observed", "rows", ",.4~g"}, {"expected", "expected", ",.4~g"}});
  return layered(
      std::move(rows),
      {layer({{"type", "bar"}, {"color", colour(1)}, {"opacity", 0.45}},
             {{"x", x}, {"y", y("observed")}, {"tooltip", tooltip}}),
       layer({{"type", "line"}, {"color", colour(2)}, {"strokeWidth", 1.5}},
             {{"x", x}, {"y", y("expected")}}),
       layer({{"type", "point"}, {"filled", true}, {"size", 50}, {"opacity", 1}, {"color", colour(2)}},
             {{"x", x}, {"y", y("expected")}, {"tooltip", tooltip}})},
      height);
}

}  // namespace kore::report

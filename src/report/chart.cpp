#include "report/chart.hpp"

namespace kore::report {
namespace {

/// The height of a row of names, large enough to read.
constexpr int row_height = 30;

Json column(std::string_view field, std::string_view title, const char* type) {
  Json axis{{"field", field}, {"type", type}};
  // A null title means none; a missing one would show the field's name.
  axis["title"] = title.empty() ? Json(nullptr) : Json(title);
  return axis;
}

Json series(std::string_view field, std::string_view title, const std::vector<std::string>& names,
            Json range) {
  Json channel = column(field, title, "nominal");
  channel["scale"] = {{"domain", names}, {"range", std::move(range)}};
  // Two columns of long names fit a phone.
  channel["legend"] = {{"columns", names.size() > 4 ? 3 : static_cast<int>(names.size())}};
  return channel;
}

}  // namespace

Json layered(Json rows, std::vector<Json> layers, int height) {
  return {{"data", {{"values", std::move(rows)}}},
          {"width", "container"},
          {"height", height},
          {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
          // To the right there is room for half of the last label of the axis.
          {"padding", {{"left", 2}, {"top", 5}, {"right", 16}, {"bottom", 5}}},
          {"layer", std::move(layers)}};
}

Json layer(Json mark, Json encoding) {
  return {{"mark", std::move(mark)}, {"encoding", std::move(encoding)}};
}

Json layer(Json mark, Json encoding, Json rows) {
  Json result = layer(std::move(mark), std::move(encoding));
  result["data"] = {{"values", std::move(rows)}};
  return result;
}

Json linear(std::string_view field, std::string_view title) {
  Json axis = column(field, title, "quantitative");
  axis["scale"] = {{"zero", false}};
  axis["axis"] = {{"tickCount", 6}, {"labelOverlap", "greedy"}, {"labelSeparation", 4}};
  return axis;
}

Json logarithmic(std::string_view field, std::string_view title, const std::vector<double>& labels) {
  Json axis = column(field, title, "quantitative");
  axis["scale"] = {{"type", "log"}, {"nice", false}, {"padding", 10}};  // no mark on the frame
  axis["axis"] = {{"labelOverlap", "greedy"}};
  if (labels.empty())
    axis["axis"]["tickCount"] = 5;
  else
    axis["axis"]["values"] = labels;
  return axis;
}

Json names(std::string_view field, std::string_view title) {
  Json axis = column(field, title, "nominal");
  axis["sort"] = nullptr;
  return axis;
}

Json fixed_at(double value) { return {{"datum", value}}; }

std::string colour(int number) { return "var(--series-" + std::to_string(number) + ")"; }

Json colours(std::string_view field, std::string_view title, const std::vector<std::string>& names) {
  Json range = Json::array();
  for (int i = 1; i <= static_cast<int>(names.size()); ++i) range.push_back(colour(i));
  return series(field, title, names, std::move(range));
}

Json shapes(std::string_view field, std::string_view title, const std::vector<std::string>& names) {
  const Json all{"circle", "square", "triangle-up", "diamond", "triangle-down", "cross"};
  Json range = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) range.push_back(all[i % all.size()]);
  return series(field, title, names, std::move(range));
}

Json hints(std::initializer_list<Hint> list) {
  Json result = Json::array();
  for (const Hint& hint : list) {
    Json channel = column(hint.field, hint.title, hint.format.empty() ? "nominal" : "quantitative");
    if (!hint.format.empty()) channel["format"] = hint.format;
    result.push_back(std::move(channel));
  }
  return result;
}

Json stems(Json rows, const Stems& what) {
  const int height = row_height * static_cast<int>(rows.size());
  const Json y = names(what.name, "");
  Json x = what.ratios ? logarithmic(what.value, what.title, {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100})
                       : linear(what.value, what.title);
  x["scale"]["nice"] = false;
  x["scale"]["padding"] = 24;  // room for the numbers
  const Json hint = hints({{what.name, "", ""}, {what.value, what.title, what.format}});
  const Json number{{"field", what.value}, {"type", "quantitative"}, {"format", what.format}};
  const Json at{{"y", y}, {"x", x}, {"text", number}};
  // The numbers have an outline in the colour of the background, so that crossing lines do not hide them.
  const Json outline{{"type", "text"},           {"dy", -11},        {"fontSize", 11},
                     {"stroke", "var(--paper)"}, {"strokeWidth", 4}, {"aria", false}};
  return layered(
      std::move(rows),
      {layer({{"type", "rule"}, {"strokeDash", {4, 3}}}, {{"x", fixed_at(what.reference)}},
             Json::array({Json::object()})),
       layer({{"type", "rule"}, {"stroke", colour(1)}, {"strokeWidth", 3}},
             {{"y", y}, {"x", x}, {"x2", fixed_at(what.reference)}}),
       layer({{"type", "point"}, {"filled", true}, {"size", 90}, {"color", colour(1)}, {"opacity", 1}},
             {{"y", y}, {"x", x}, {"tooltip", hint}}),
       layer(outline, at), layer({{"type", "text"}, {"dy", -11}, {"fontSize", 11}}, at)},
      height);
}

}  // namespace kore::report

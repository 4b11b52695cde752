#include "report/units.hpp"

#include <cmath>

#include "report/chart.hpp"
#include "report/numbers.hpp"

namespace kore::report {

double in_units(double value, Units units) {
  constexpr double milliseconds_per_day = 86'400'000;
  return units == Units::days ? std::round(value * milliseconds_per_day) : rounded(value);
}

Json units_axis(std::string_view field, const std::string& title, Units units) {
  Json channel = linear(field, shortened(title));
  channel["scale"]["nice"] = false;
  channel["axis"]["tickCount"] = 5;
  if (units == Units::days) {
    channel["type"] = "temporal";
    channel["scale"] = {{"type", "utc"}};
    channel["axis"]["labelOverlap"] = "greedy";
  }
  return channel;
}

Json years_axis(std::string_view field, const std::string& title) {
  Json channel = units_axis(field, title, Units::numbers);
  channel["axis"]["format"] = "d";
  channel["axis"]["tickMinStep"] = 1;
  return channel;
}

Json whole_numbers_axis(std::string_view field, const std::string& title, Units units, bool years,
                        const std::vector<double>& single) {
  Json channel = years ? years_axis(field, title) : units_axis(field, title, units);
  if (single.empty()) return channel;
  channel["axis"]["values"] = single;
  channel["axis"]["format"] = "d";
  channel["scale"]["padding"] = 18;
  return channel;
}

Json units_hint(std::string_view field, const std::string& title, Units units, bool years) {
  Json channel{{"field", field}, {"title", shortened(title, 60)}};
  if (units == Units::days) {
    channel["type"] = "temporal";
    channel["timeUnit"] = "utcyearmonthdate";
  } else {
    channel["type"] = "quantitative";
    channel["format"] = years ? ".1~f" : ",.4~r";
  }
  return channel;
}

}  // namespace kore::report

#include "experiments/figures/rows.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "kore/error.hpp"

namespace kore::experiments {

using report::Json;

const Table& summary_named(const std::vector<NamedTable>& summaries, const std::string& file) {
  const auto found = std::ranges::find(summaries, file, &NamedTable::file);
  if (found == summaries.end()) throw Error(ErrorCode::invalid_data, "There is no summary '" + file + "'.");
  return found->table;
}

std::vector<std::string> distinct(const Table& table, const std::string& column) {
  std::vector<std::string> result;
  for (const Group& group : group_by(table, {column})) result.push_back(group.key[0]);
  return result;
}

std::vector<double> distinct_numbers(const Table& table, const std::string& column) {
  std::vector<double> result;
  for (const Group& group : group_by(table, {column}))
    result.push_back(table.number(group.rows.front(), column));
  return result;
}

std::string dimension_label(const std::string& features) { return "d = " + features; }

std::vector<Json> trend_layers(const Trend& trend) {
  const Json colour = report::colours(trend.series, "", trend.names);
  return {report::layer({{"type", "line"}, {"strokeWidth", 1.5}},
                        {{"x", trend.x}, {"y", trend.y}, {"color", colour}}),
          report::layer({{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}},
                        {{"x", trend.x},
                         {"y", trend.y},
                         {"color", colour},
                         {"shape", report::shapes(trend.series, "", trend.names)},
                         {"tooltip", trend.hints}})};
}

namespace {

Json reference_line(const char* axis, double value) {
  // One row of its own: otherwise the line would be drawn once for every row of the chart.
  return report::layer({{"type", "rule"}, {"strokeDash", {4, 3}}}, {{axis, report::fixed_at(value)}},
                       Json::array({Json::object()}));
}

}  // namespace

Json level_line(double value) { return reference_line("y", value); }

Json upright_line(double value) { return reference_line("x", value); }

double PowerLaw::operator()(double x) const { return scale * std::pow(x, exponent); }

PowerLaw nearest_power_law(const std::vector<double>& x, const std::vector<double>& y, double exponent) {
  std::vector<double> scales;
  for (std::size_t i = 0; i < x.size(); ++i) scales.push_back(y[i] * std::pow(x[i], -exponent));
  return {exponent, geometric_mean(scales)};
}

report::DataTable shown_table(const std::string& caption, const Table& table,
                              const std::vector<ShownColumn>& columns) {
  report::DataTable shown;
  shown.caption = caption;
  for (const ShownColumn& column : columns) shown.head.push_back(column.title);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<report::Cell> row;
    for (const ShownColumn& column : columns)
      row.emplace_back((column.digits < 0 ? table.text(r, column.column)
                                          : fixed(table.number(r, column.column), column.digits)) +
                       column.unit);
    shown.rows.push_back(std::move(row));
  }
  return shown;
}

}  // namespace kore::experiments

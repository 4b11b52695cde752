#pragma once

#include <string>
#include <vector>

#include "experiments/study.hpp"
#include "report/chart.hpp"

// What the figures share.
namespace kore::experiments {

/// The summary of that file. Throws `invalid_data` where there is none.
const Table& summary_named(const std::vector<NamedTable>& summaries, const std::string& file);

/// Values of a column without repetition, in the order of their appearance.
std::vector<std::string> distinct(const Table& table, const std::string& column);
std::vector<double> distinct_numbers(const Table& table, const std::string& column);

/// "d = 10".
std::string dimension_label(const std::string& features);

/// Lines with points, one per series.
struct Trend {
  report::Json x;
  report::Json y;
  std::string series;              ///< Field that names the series.
  std::vector<std::string> names;  ///< Of the series, in the order of their colours.
  report::Json hints;
};
std::vector<report::Json> trend_layers(const Trend& trend);

/// A horizontal line that results are held against.
report::Json level_line(double value);
/// A vertical one.
report::Json upright_line(double value);

/// Ends of the curve `y = c x^exponent` that is nearest to the points in the logarithm.
struct PowerLaw {
  double exponent = 0;
  double scale = 0;

  double operator()(double x) const;
};
PowerLaw nearest_power_law(const std::vector<double>& x, const std::vector<double>& y, double exponent);

/// A table of the page from rows of results: chosen columns under other titles, numbers with so many digits.
struct ShownColumn {
  std::string column;
  std::string title;
  int digits = -1;  ///< Less than 0: as it stands in the file.
  std::string unit = {};
};
report::DataTable shown_table(const std::string& caption, const Table& table,
                              const std::vector<ShownColumn>& columns);

}  // namespace kore::experiments

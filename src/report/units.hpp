#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/page.hpp"
#include "report/term_chart.hpp"

/// Columns in their own units on axes: numbers as they are, days as dates.
namespace kore::report {

/// A value as it stands in a chart's rows: Vega counts time in milliseconds.
double in_units(double value, Units units);
/// An axis that ends where the data do.
Json units_axis(std::string_view field, const std::string& title, Units units);
/// The same for years, which have no commas.
Json years_axis(std::string_view field, const std::string& title);
/// The axis of years, of the few whole numbers that there are, or of other numbers and dates.
Json whole_numbers_axis(std::string_view field, const std::string& title, Units units, bool years,
                        const std::vector<double>& single);
/// One line of what is shown under the pointer.
Json units_hint(std::string_view field, const std::string& title, Units units = Units::numbers,
                bool years = false);

}  // namespace kore::report

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/model_report.hpp"
#include "report/term_chart.hpp"

/// Terms of a model as they are drawn, with counts of rows where these are known.
namespace kore::report {

/// How the numbers of a feature are shown.
Units units_of(const table::TableModel& fitted, std::size_t feature);
/// Whether a feature is a choice between names: a category, an indicator, a flag or a boolean.
bool has_levels(const table::TableModel& fitted, std::size_t feature);
/// The names of the choices.
std::vector<std::string> level_names(const table::TableModel& fitted, std::size_t feature);
/// Whether the numbers of a feature look like years, which have no commas.
bool are_years(const Feature& feature, Units units);
/// A value as the table writes it.
std::string value_text(const table::TableModel& fitted, std::size_t feature, double value);

/// The few whole numbers that a feature has, if rows tell that it has no others; of dates none.
std::vector<double> single_values(const Subject& subject, std::size_t feature);

DrawnCurve drawn_curve(const Subject& subject, std::size_t term);
/// The term with the effects of single values of a feature, if the model has it.
std::optional<std::size_t> values_term(const Decomposition& shown, std::size_t feature);
DrawnLevels drawn_levels(const Subject& subject, std::size_t term);
/// A pair, or a triple with its last feature held at the value `slice`, which is the `place`-th of its
/// slices.
DrawnSurface drawn_surface(const Subject& subject, std::size_t term, double slice = 0, std::size_t place = 0);

}  // namespace kore::report

#pragma once

#include <string>

#include "kore/table_model.hpp"

/// Words for targets of every family: numbers, yes or no, counts and positive amounts.
namespace kore::report {

/// Whether intervals around predictions mean something: not for yes or no, nor for rates, whose spread
/// depends on the exposure.
bool has_intervals(const table::TableModel& fitted);
/// Intervals are those of the distribution of counts around their mean, not of errors that were seen.
bool intervals_by_family(const Model& model);
/// What terms add up to, as in "adds to the prediction".
std::string sum_words(const Model& model);
/// The same of all rows, for families other than the normal one: "log odds" or "logarithms of the mean".
std::string link_words(const Model& model);
/// The mean loss of left-out rows as an axis names it.
std::string loss_axis(const Model& model);
/// The name of yes, of a target of two values.
std::string yes_of(const table::TableModel& fitted);
/// What a mean of the target is: "probability of yes", "rate", "mean count" or "mean".
std::string mean_words(const table::TableModel& fitted);

}  // namespace kore::report

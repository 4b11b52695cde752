#pragma once

#include <string>
#include <vector>

#include "kore/model.hpp"

/// Whether intervals hold everywhere: a check on left-out rows that may fail.
namespace kore::story {

/// "tenth", "fifth", ...: the name of one of so many equal parts.
std::string part_name(std::size_t parts);
/// "the tenth with the largest predictions", "the 3rd tenth of the predictions".
std::string part_words(std::size_t part, std::size_t parts);

/// Clearly fewer rows than nine tenths lie within their 90 % intervals: below 85 %, and by more than three
/// standard errors.
bool too_narrow(const PredictionGroup& group);

struct IntervalCheck {
  bool holds = true;
  std::string sentence;  ///< Without a full stop; empty where there is nothing to check.
};
IntervalCheck interval_check(const FitSummary& summary);

/// How much smaller the error is than that of the mean of the target; empty where that is not known.
std::string gain_over_mean(const FitSummary& summary);

}  // namespace kore::story

#pragma once

#include "report/model_report.hpp"

namespace kore::report {

/// The model as JSON: the object of `kore info --json`, and everything that predictions need: how columns
/// become features, the bases and coefficients of the terms, the quantiles of left-out errors. The what-if
/// panel of the page evaluates it.
Json model_json(const Subject& subject);

}  // namespace kore::report

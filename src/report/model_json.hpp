#pragma once

#include "report/model_report.hpp"

namespace kore::report {

/// The model for machines: its story as `kore info --json` tells it, and everything that predicts: how
/// columns become features, the bases and coefficients of the terms, the quantiles of left-out errors. The
/// page's what-if computes from it.
Json model_json(const Subject& subject);

}  // namespace kore::report

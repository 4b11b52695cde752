#pragma once

#include <string>
#include <vector>

#include "kore/decomposition.hpp"
#include "kore/table_model.hpp"

namespace kore::story {

/// The columns of a table of explained rows: "prediction", "sum", "constant", and "effect of ..." for each
/// effect, so that they can stand beside the columns of the features themselves. No two are equal.
std::vector<std::string> explanation_columns(const Decomposition& shown);

/// What each column of the encoding contributes to the variance of the fitted values: covariance shares of
/// its effects, those of interactions in equal parts. They add up to one, unless the model is a constant.
std::vector<double> column_shares(const table::TableModel& fitted, const Decomposition& shown);

}  // namespace kore::story

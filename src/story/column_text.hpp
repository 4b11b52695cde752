#pragma once

#include <string>

#include "kore/table_model.hpp"

namespace kore::story {

/// A value of a column as a text: a date, true or false, or a number.
std::string column_text(const table::EncodedColumn& column, double value);
/// The same of a model's column, with truth values as its table writes them: yes and no.
std::string column_text(const table::TableModel& fitted, const table::EncodedColumn& column, double value);

}  // namespace kore::story

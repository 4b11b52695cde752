#pragma once

#include <string>

#include "kore/encoding.hpp"

namespace kore::story {

/// A value of a column as the table writes it: a date, yes or no, or a number.
std::string column_text(const table::EncodedColumn& column, double value);

}  // namespace kore::story

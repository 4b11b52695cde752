#pragma once

#include <string>
#include <vector>

#include "duckdb/table.hpp"

namespace kore::duckdb {

/// The files that a table is read from. Of a query, those that it names by a text in quotes; a name that it
/// puts together while it runs is not found.
std::vector<std::string> input_files(const Table& table);

}  // namespace kore::duckdb

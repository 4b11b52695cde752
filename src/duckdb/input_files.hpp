#pragma once

#include <string>
#include <vector>

#include "duckdb/table.hpp"

namespace kore::duckdb {

/// The files that a table is read from. For a query, the files that it names in quotes; a name that the query
/// computes is not found.
std::vector<std::string> input_files(const Database& database, const Origin& origin);
std::vector<std::string> input_files(const Table& table);

}  // namespace kore::duckdb

#pragma once

#include <string>

namespace kore::duckdb {

/// Refuses a file whose name ends with .gz unless it can be expanded to its end and its sums are right.
/// DuckDB takes what it can expand for the whole table, so that rows would be missing without a word. Costs
/// about a second per 300 MB of expanded text. Throws `invalid_data`.
void check_compressed(const std::string& file);

/// Whether a file begins as gzip does.
bool begins_as_gzip(const std::string& file);

}  // namespace kore::duckdb

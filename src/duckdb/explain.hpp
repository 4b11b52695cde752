#pragma once

#include "duckdb/database.hpp"
#include "duckdb/origin.hpp"
#include "kore/error.hpp"

namespace kore::duckdb {

/// What DuckDB said about a table, as a sentence for people: what is wrong, in which file and line, and what
/// to do.
Error explained(const SqlError& error, const Origin& origin);

/// Runs work that reads a table, and turns errors of DuckDB into errors of KORE.
template <typename Work>
auto explaining(const Origin& origin, const Work& work) {
  try {
    return work();
  } catch (const SqlError& error) {
    throw explained(error, origin);
  }
}

}  // namespace kore::duckdb

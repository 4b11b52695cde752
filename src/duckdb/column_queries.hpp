#pragma once

#include <string>
#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/summarize.hpp"
#include "duckdb/table.hpp"
#include "kore/design.hpp"

/// Questions about columns that one pass of aggregates does not answer.
namespace kore::duckdb {

/// Medians of DOUBLE columns of a relation, NULLs left out; `counts` are the numbers of values that are not
/// NULL, at least one each. In one query if the values fit into `bytes`, else in passes with little memory.
std::vector<double> medians(const Database& database, const std::vector<std::string>& columns,
                            const std::string& relation, const std::vector<std::uint64_t>& counts,
                            std::uint64_t bytes);

/// Whether DOUBLE columns of a relation have no values but their minimum and their maximum.
std::vector<bool> have_two_values(const Database& database, const std::vector<std::string>& columns,
                                  const std::string& relation, const std::vector<Range>& ranges);

struct LevelCounts {
  std::uint64_t distinct = 0;
  std::vector<table::Level> levels;   ///< At most the limit, the most frequent.
  std::uint64_t numeric_texts = 0;    ///< Rows whose text reads as a number.
  std::string odd_text;               ///< The first text, in the order of texts, that does not.
  std::uint64_t formatted_texts = 0;  ///< Rows whose text is a number with signs in it: "37%", "12,345".
  std::string formatted_text;         ///< The first of them.
};

/// How often each text of each VARCHAR column occurs.
std::vector<LevelCounts> level_counts(const Database& database, const std::vector<std::string>& columns,
                                      const std::string& relation, std::size_t limit);

}  // namespace kore::duckdb

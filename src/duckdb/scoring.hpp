#pragma once

#include <functional>
#include <string>
#include <vector>

#include "duckdb/table.hpp"
#include "kore/encoder.hpp"
#include "kore/rows.hpp"

namespace kore::duckdb {

/// Columns of the input that are copied to the output, unchanged and of any type.
class KeptRows;

/// Consecutive rows of a table to predict for.
struct ScoringBlock {
  MatrixView x;          ///< Encoded features.
  const KeptRows& kept;  ///< For `Writer::append`.
};

/// What to read as text when a table is opened for a model: its categories.
std::vector<std::string> category_names(const table::Encoding& encoding);

/// The named columns in the order they are named in, each once. Throws `invalid_argument` where one is not
/// there.
std::vector<TableColumn> kept_columns(const Table& table, const std::vector<std::string>& keep);

/// Visits all rows of a table in its order, encoded, together with the columns to keep. Throws `invalid_data`
/// where the table lacks a column or has one of another kind. Returns counts of values that training did not
/// have (see `table::encode_warnings`).
table::EncodeCounts for_each_scoring_block(const Table& table, const table::Encoder& encoder,
                                           const std::vector<std::string>& keep,
                                           const std::function<void(const ScoringBlock&)>& visit);

}  // namespace kore::duckdb

#include "duckdb/scoring.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "duckdb/chunk_encoder.hpp"
#include "duckdb/explain.hpp"
#include "duckdb/kept_rows.hpp"
#include "duckdb/sql.hpp"

namespace kore::duckdb {
namespace {

/// Most rows that a chunk of DuckDB can have: a block is visited when another chunk might not fit.
std::size_t chunk_rows() { return duckdb_vector_size(); }

}  // namespace

std::vector<std::string> category_names(const table::Encoding& encoding) {
  std::vector<std::string> names;
  for (const table::EncodedColumn& column : encoding.columns)
    if (column.category) names.push_back(column.name);
  return names;
}

std::vector<TableColumn> kept_columns(const Table& table, const std::vector<std::string>& keep) {
  std::vector<TableColumn> columns;
  for (const std::string& name : keep) {
    const bool known = std::any_of(columns.begin(), columns.end(),
                                   [&](const TableColumn& column) { return column.name == name; });
    if (!known) columns.push_back(table.column(name));
  }
  // The members of an enumeration belong to the input's catalog; the output has their texts.
  for (TableColumn& column : columns)
    if (column.sql_type.starts_with("ENUM(")) column.sql_type = "VARCHAR";
  return columns;
}

table::EncodeCounts for_each_scoring_block(const Table& table, const table::Encoder& encoder,
                                           const std::vector<std::string>& keep,
                                           const std::function<void(const ScoringBlock&)>& visit) {
  std::vector<std::string> selected = encoding_expressions(table, encoder.encoding());
  const std::size_t inputs = selected.size();
  for (const TableColumn& column : kept_columns(table, keep))
    selected.push_back(column.sql_type == "VARCHAR" ? fmt::format("CAST({} AS VARCHAR)", as_sql(column.name))
                                                    : as_sql(column.name));
  return explaining(table.origin(), [&] {
    const std::size_t features = encoder.encoding().features.size();
    std::vector<double> x(features * block_rows);
    std::size_t filled = 0;
    table::EncodeCounts counts;
    KeptRows kept;
    kept.first_column = inputs;
    ChunkEncoder chunks(encoder);
    const auto flush = [&] {
      if (filled > 0) visit({view_rows(x, features, filled, block_rows), kept});
      kept.chunks.clear();
      filled = 0;
    };
    Stream rows = table.database().stream(
        fmt::format("SELECT {} FROM {}", fmt::join(selected, ", "), table.relation()));
    while (auto chunk = rows.next()) {
      chunks.load(*chunk);
      chunks.encode(0, chunk->rows(), std::span(x).subspan(filled), block_rows, counts);
      filled += chunk->rows();
      kept.chunks.push_back(std::move(*chunk));
      if (filled + chunk_rows() > block_rows) flush();
    }
    flush();
    return counts;
  });
}

}  // namespace kore::duckdb

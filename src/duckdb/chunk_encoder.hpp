#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/table.hpp"
#include "kore/encoder.hpp"
#include "kore/rows.hpp"

namespace kore::duckdb {

/// Rows of an encoded block: large enough to keep threads busy, small enough to stay in the cache.
constexpr std::size_t block_rows = 8 * 2048;

/// What to select from a table to feed an encoding: one expression per column of the encoding. Throws
/// `invalid_data` where the table lacks a column, or has one of another type than the encoding was
/// made for.
std::vector<std::string> encoding_expressions(const Table& table, const table::Encoding& encoding);

/// What to select for the groups of rows: texts where the column holds texts, or numbers that a double may
/// not hold exactly, such as long identifiers; otherwise numbers. NULL where a value is missing.
std::string group_expression(const TableColumn& column);
bool groups_are_texts(const TableColumn& column);

/// Encodes the rows of a chunk whose first columns are those of the encoding.
class ChunkEncoder {
 public:
  explicit ChunkEncoder(const table::Encoder& encoder);

  /// Takes the values of a chunk, which must live until the next one is loaded.
  void load(const Chunk& chunk);
  /// Writes `rows` rows from `first` on; feature `j` goes to `out[j * stride]` and on.
  void encode(std::size_t first, std::size_t rows, std::span<double> out, std::size_t stride,
              table::EncodeCounts& counts);

 private:
  const table::Encoder& encoder_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::vector<std::string_view>> texts_;
  std::vector<table::RawColumn> raw_;
};

/// The first `rows` rows of column-major numbers with room for more.
MatrixView view_rows(std::span<const double> values, std::size_t columns, std::size_t rows,
                     std::size_t stride);

}  // namespace kore::duckdb

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "duckdb/origin.hpp"
#include "kore/encoding.hpp"

namespace kore::duckdb {

class Database;
class SpooledInput;

struct ReadOptions {
  unsigned threads = 0;  ///< 0: one per core.
  std::uint64_t memory_limit =
      0;  ///< Bytes for reading, beside what the caller keeps; 0: half of the machine's memory.
  /// Columns of CSV files to read as texts, letter by letter ("007" is not 7, "T" is not true). Names that
  /// are not there are ignored.
  std::vector<std::string> text_columns;
  /// Columns that must be numbers: the target and the weights. Their texts may be numbers in any kind of
  /// table; those of other columns only in text files, because a column with a type is what its owner made
  /// it. Names that are not there are ignored.
  std::vector<std::string> number_columns;
  /// Keep the rows of queries and of small text files, so that every pass is fast and sees the same rows. If
  /// false, each pass reads the input again, which is right where there is only one pass, as for predictions.
  bool keep_rows = true;
  /// How the dates of CSV files are written, such as "%d/%m/%Y". Empty: as they look.
  std::string date_format;
  /// How they were written where a model was trained. It decides where day and month cannot be told apart.
  std::string date_format_before;
};

struct TableColumn {
  std::string name;
  std::optional<table::ColumnType> type;  ///< Empty: values that are neither numbers nor texts.
  std::string sql_type;      ///< May be a text type though `type` is a number: all the texts are numbers.
  std::uint64_t marked = 0;  ///< Rows of such texts that hold a marker for a missing value instead.
  std::string marker;        ///< One of those markers, as it is written.
};

/// A table that was opened: a file, several files, or a query, with the columns it has. Cheap to copy.
class Table {
 public:
  Table(Origin origin, std::shared_ptr<const Database> database, std::string relation,
        std::shared_ptr<const SpooledInput> spooled = nullptr);
  /// Texts that are all numbers, but for markers of missing values, become numbers: in text files those of
  /// all columns, in other tables those of the columns that must be numbers.
  void read_texts_as_numbers(const std::vector<std::string>& number_columns);

  const Origin& origin() const { return origin_; }
  const std::vector<TableColumn>& columns() const { return columns_; }
  std::vector<std::string> column_names() const;
  /// The column of that name. Throws `invalid_argument` with the nearest name if there is none.
  const TableColumn& column(std::string_view name) const;

  // Only for files in src/duckdb.
  const Database& database() const { return *database_; }
  const std::shared_ptr<const Database>& shared_database() const { return database_; }
  /// The SQL after FROM.
  const std::string& relation() const { return relation_; }

 private:
  Origin origin_;
  std::shared_ptr<const SpooledInput> spooled_;  ///< Destroyed after the database, which reads it.
  std::shared_ptr<const Database> database_;
  std::string relation_;
  std::vector<TableColumn> columns_;
};

/// Opens what a person typed in place of DATA: the name of a .csv, .tsv, .parquet, .json or .ndjson file
/// (also with .gz), a pattern for several, "-" for CSV on the standard input, or a query that begins with
/// FROM, SELECT or WITH. In CSV files an empty field is a missing value, and so is a marker such as NA where
/// the other values are numbers. The rows of a query, and of a text file that is small beside the memory
/// limit, are read now and kept, so that every pass sees the same rows; other files are read again in each
/// pass.
Table open_table(std::string_view text, const ReadOptions& options = {});

}  // namespace kore::duckdb

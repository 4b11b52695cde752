#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kore/encoding.hpp"

namespace kore::duckdb {

enum class TableFormat { csv, tsv, parquet, json, query };

/// Where a table comes from: what a person typed in place of DATA.
struct Origin {
  std::string text;
  TableFormat format = TableFormat::csv;
  bool pattern = false;         ///< A glob that may stand for several files.
  bool standard_input = false;  ///< `text` is where it is kept.
  bool decimal_comma = false;   ///< Its numbers are written as 0,25. Known once it is open.
  // Of CSV files, once they are open; see `DateReading`.
  std::string date_format = {};
  std::string other_date_format = {};
  std::string date_column = {};
  std::vector<table::BooleanWords> words = {};  ///< Of columns of booleans, once it is open.

  bool is_query() const { return format == TableFormat::query; }
  /// A file of text, which does not say what is a number. The columns of any other table have types.
  bool is_text_file() const { return format != TableFormat::parquet && format != TableFormat::query; }
  /// As it appears in the middle of a sentence: "the file 'cars.csv'", "the files 'sales/*.csv'", "the
  /// query".
  std::string name() const;
  /// The same for one of its files.
  std::string name_of(const std::string& file) const;
};

/// Distinguishes files from queries, and the kinds of files by their ending. Throws `io` where there is no
/// such file, `invalid_data` where it is empty, and `invalid_argument` for an unknown ending.
Origin parse_origin(std::string_view text);

}  // namespace kore::duckdb

#pragma once

#include <string>
#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/origin.hpp"

namespace kore::duckdb {

/// One or several CSV files with the same header, as DuckDB should read them: strictly, with the delimiter
/// the header uses, an empty field and nothing else for a missing value, and column types found by looking at
/// the values.
class CsvRelation {
 public:
  enum class Sample { beginning, everything };

  /// Reads the header lines. Throws `invalid_data` where a file has none, holds numbers in its place, or
  /// differs from the first file.
  CsvRelation(const Database& database, const Origin& origin, std::vector<std::string> files);

  const std::vector<std::string>& names() const { return names_; }
  /// Whether numbers are written as 0,25: possible where something else separates the columns, and looked for
  /// when the first relation is made.
  bool decimal_comma() const { return decimal_comma_; }
  void read_as_text(const std::vector<std::string>& columns);
  /// How dates are written, such as "%d/%m/%Y". Without it DuckDB looks for a format that fits.
  void read_dates_as(std::string format) { date_format_ = std::move(format); }
  /// What DuckDB found.
  std::string found_date_format() const;

  /// The SQL after FROM. Throws SqlError with the line at fault if the values do not fit the header.
  std::string relation(Sample sample);

 private:
  /// A column of texts that are all numbers, or markers of missing ones, if a comma is the decimal point.
  struct CommaColumn {
    std::string name;
    bool certain = false;  ///< At least one of them cannot be a number of thousands.
  };

  void check_same_columns(const std::vector<std::string>& names, const std::string& file) const;
  std::string read_csv(const std::string& more) const;
  std::string typed_relation(Sample sample) const;
  std::vector<CommaColumn> comma_columns(const std::string& relation) const;

  const Database& database_;
  std::vector<std::string> files_;
  char delimiter_ = ',';
  bool decimal_comma_ = false;
  bool by_name_ = false;  ///< The columns of some files stand in another order.
  std::string date_format_;
  std::vector<std::string> names_;
  std::vector<std::string> text_columns_;
};

}  // namespace kore::duckdb

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "duckdb/csv_relation.hpp"

namespace kore::duckdb {

/// How the dates of a text file are written, where day and month could be mistaken for each other.
struct DateReading {
  std::string format;  ///< "%d/%m/%Y"; empty where dates are written in a way that leaves no doubt.
  std::string
      otherwise;  ///< The other reading, where every date could also be read so and neither is more regular.
  std::string column;  ///< Of these dates, one column of them.
};

/// The same format with day and month exchanged; empty for formats that begin with neither.
std::string exchanged(const std::string& format);

/// Decides how dates are read, and tells the relation. Each file by itself may allow both readings: the one
/// is taken that makes dates of more columns and of all files; then the one that makes the dates evenly
/// spaced; then `before`, how a model's training rows were written; then the day comes first. Costs a look at
/// the beginning of each file and, where there is doubt, a pass over the dates.
DateReading settle_dates(const Database& database, CsvRelation& csv, const std::string& before);

}  // namespace kore::duckdb

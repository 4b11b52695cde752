#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "duckdb/scoring.hpp"
#include "duckdb/table.hpp"

namespace kore::duckdb {

/// Writes a table of numbers, and columns kept from an input, as CSV (.csv, .tsv, also with .gz) or Parquet
/// by the ending of the file's name. Rows stay in the order they are appended in. The file appears whole on
/// `finish`, or not at all. "-" is the standard output, as CSV. Numbers are written with the fewest digits
/// that give the same number when read.
class Writer {
 public:
  /// Throws `io` at once where nothing can be written, `invalid_argument` for an unknown ending or a name
  /// that occurs twice.
  Writer(const std::string& file, std::vector<std::string> computed);
  /// With columns of `input` beside the computed ones.
  Writer(const std::string& file, std::vector<std::string> computed, const Table& input,
         const std::vector<std::string>& keep);
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  /// Writes a computed column as texts: its numbers are positions of these labels.
  void show_as(const std::string& column, std::vector<std::string> labels);
  /// One array per computed column, all of the same length.
  void append(std::span<const std::span<const double>> computed);
  /// The same for the rows of a block of the input.
  void append(std::span<const std::span<const double>> computed, const KeptRows& kept);
  void finish();

 private:
  class Output;
  std::unique_ptr<Output> output_;
};

}  // namespace kore::duckdb

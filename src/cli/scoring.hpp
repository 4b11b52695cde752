#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kore/rows.hpp"
#include "kore/table_model.hpp"

namespace kore::cli {

/// What commands that compute something for each row of a table are told.
struct ScoringArguments {
  std::string model;
  std::string data;
  std::string output = "-";
  std::vector<std::string> keep;
  int threads = 0;
  std::string date_format;
  bool quiet = false;
};
void add_scoring_options(CLI::App& command, ScoringArguments& arguments);

/// Numbers that are computed for each row, block by block.
class RowScores {
 public:
  virtual ~RowScores() = default;
  virtual std::vector<std::string> columns() const = 0;
  /// Of columns that are written as texts: what their numbers are positions of.
  virtual std::map<std::string, std::vector<std::string>> labels() const { return {}; }
  /// The columns of some rows, valid until the next call. `known` has the exposures or offsets of the rows,
  /// where the model has and the table has them; `first_row` is the place of the block in the table.
  virtual std::vector<std::span<const double>> of(const MatrixView& x, const std::optional<ColumnView>& known,
                                                  std::size_t first_row) = 0;
};

/// Reads a table as the model encodes it, and writes the scores of its rows. `done` says what has happened to
/// them; `warnings` are printed beside those about the rows.
void score_table(const ScoringArguments& arguments, const table::TableModel& fitted, RowScores& scores,
                 const char* done, const std::vector<std::string>& warnings = {});

}  // namespace kore::cli

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "duckdb/table.hpp"
#include "kore/column_choice.hpp"
#include "kore/options.hpp"
#include "kore/phases.hpp"
#include "kore/rows.hpp"
#include "table/training.hpp"

namespace CLI {
class App;
}

namespace kore::cli {

using table::Profile;

/// The arguments of the commands that fit a table.
struct TrainingArguments {
  std::string data;
  table::ColumnChoice columns;  ///< Target, weights and group. The lists below are as they were typed.
  std::vector<std::string> features;
  std::vector<std::string> drop;
  std::vector<std::string> categorical;
  std::vector<std::string> linear;
  std::vector<std::string> cyclic;
  std::vector<std::string> max_resolutions;
  Profile profile = Profile::standard;
  std::string structure = "auto";
  std::string family = "auto";
  std::string pairs = "auto";
  int degree = 3;
  std::optional<int> max_order;  ///< These three: empty means the default of the profile.
  std::optional<int> folds;
  bool robust = false;
  bool simple = false;
  std::optional<int> max_terms;
  std::optional<std::string> scale;
  std::optional<int> max_g_additive;
  std::optional<int> max_g_pairwise;
  std::optional<std::size_t> max_columns;
  std::optional<std::size_t> max_levels;  ///< Empty: as many as the rows carry.
  int threads = 0;
  std::uint64_t memory_limit = 0;  ///< Bytes; 0: half of the machine's memory.
  std::string date_format;         ///< Empty: as the dates look.
  bool json = false;
  bool quiet = false;
};

/// A larger number is most likely a typing error.
inline constexpr int most_threads = 1024;

inline constexpr const char* date_format_help =
    "How dates are written in a CSV file, such as %d/%m/%Y or %m/%d/%Y (default: as they look)";
/// What is wrong with the format of a date; empty where nothing is.
std::string is_date_format(const std::string& text);

void add_training_options(CLI::App& command, TrainingArguments& arguments);

/// A table that is ready for a fit.
struct TrainingData {
  std::string origin;              ///< As it appears in a sentence: "the file 'cars.csv'".
  std::vector<std::string> files;  ///< The files it was read from, as far as they are known.
  table::Preparation prepared;
  std::unique_ptr<RowSource> rows;
  Family family = Family::normal;

  /// Read again in every pass, because it does not fit into the memory limit.
  bool streamed() const { return !rows->in_memory(); }
};

/// A table that was opened and summarised, but not encoded yet.
struct OpenedTable {
  duckdb::Table table;
  table::TableSummary summary;
};
OpenedTable open_training_table(const TrainingArguments& arguments, PhaseTimes* phases = nullptr);
/// Encodes the rows by the profile of the arguments.
TrainingData encode_training_table(const OpenedTable& opened, const TrainingArguments& arguments,
                                   PhaseTimes* phases = nullptr);
/// Refuses a target of three classes or more, for commands that look at one model.
void require_one_model(const TrainingData& data);
/// Both at once.
TrainingData read_training_data(const TrainingArguments& arguments, PhaseTimes* phases = nullptr);

/// The engine's options: the profile, what the user changed, pairs by column name, the memory limit, and what
/// follows from the columns.
Options engine_options(const TrainingArguments& arguments, const table::Preparation& prepared,
                       Family family = Family::normal);

}  // namespace kore::cli

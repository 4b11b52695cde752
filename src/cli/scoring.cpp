#include "cli/scoring.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/name_list.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/training.hpp"
#include "cli/whole_number.hpp"
#include "cli/words.hpp"
#include "duckdb/input_files.hpp"
#include "duckdb/scoring.hpp"
#include "duckdb/table.hpp"
#include "duckdb/writer.hpp"
#include "story/far_rows.hpp"
#include "story/text.hpp"
#include "table/predict_rows.hpp"

namespace kore::cli {
namespace {

std::vector<std::string> inputs_of(const ScoringArguments& arguments, const duckdb::Table& table) {
  std::vector<std::string> files = duckdb::input_files(table);
  files.push_back(arguments.model);
  return files;
}

/// Whether the table has the column of exposures or offsets that the model needs.
bool has_known_column(const table::TableModel& fitted, const duckdb::Table& table) {
  const std::string& name = table::known_column(fitted.facts);
  return !name.empty() && std::ranges::count(table.column_names(), name) > 0;
}

/// The encoding with that column as one more number. A row without it counts as one unit.
table::Encoding with_known_column(const table::TableModel& fitted) {
  table::Encoding encoding = fitted.encoding;
  table::EncodedColumn column;
  column.name = table::known_column(fitted.facts);
  column.median = table::usual_known_part(fitted.facts);
  encoding.features.push_back({column.name, table::EncodedKind::numeric, encoding.columns.size(), 0});
  encoding.columns.push_back(std::move(column));
  return encoding;
}

MatrixView without_last(const MatrixView& rows) {
  std::vector<ColumnView> columns;
  for (std::size_t j = 0; j + 1 < rows.columns(); ++j) columns.push_back(rows.column(j));
  return {std::move(columns), rows.rows()};
}

void print_warnings(const table::TableModel& fitted, bool known, const table::EncodeCounts& counts,
                    const FarRows& far, const std::vector<std::string>& others) {
  if (const std::string sentence = table::missing_known_part(fitted.facts); !known && !sentence.empty())
    fmt::print(stderr, "kore: {}\n", sentence);
  std::vector<std::string> all = in_words_of_the_command(table::encode_warnings(fitted.encoding, counts));
  if (const std::string outside = far.warning(); !outside.empty()) all.push_back(outside);
  all.insert(all.end(), others.begin(), others.end());
  for (const std::string& warning : all) fmt::print(stderr, "kore: {}\n", warning);
}

}  // namespace

void add_scoring_options(CLI::App& command, ScoringArguments& arguments) {
  command.add_option("MODEL", arguments.model, "A model saved by 'kore fit -o'")->required();
  command.add_option("DATA", arguments.data, "A table, as in 'kore fit'; columns are matched by name")
      ->required();
  command
      .add_option("-o,--output", arguments.output,
                  "A .csv or .parquet file (default: CSV on the standard output)")
      ->check(names_a_file);
  command.add_option("--keep", arguments.keep, "Columns of DATA to repeat in the output (a,b)")
      ->allow_extra_args(false);
  command.add_option("--date-format", arguments.date_format, date_format_help)->check(is_date_format);
  command.add_option("--threads", arguments.threads, "Threads; 0: all cores")
      ->check(whole_number(0, most_threads));
  command.add_flag("-q,--quiet", arguments.quiet, "Print nothing but errors and the rows");
}

void score_table(const ScoringArguments& arguments, const table::TableModel& fitted, RowScores& scores,
                 const char* done, const std::vector<std::string>& warnings) {
  duckdb::ReadOptions reading;
  reading.threads = static_cast<unsigned>(resolve_threads(arguments.threads));
  reading.text_columns = duckdb::category_names(fitted.encoding);
  reading.keep_rows = false;
  reading.date_format = arguments.date_format;
  reading.date_format_before = fitted.facts.date_format;
  const duckdb::Table table = duckdb::open_table(arguments.data, reading);
  const bool known = has_known_column(fitted, table);
  refuse_input_as_output(arguments.output, inputs_of(arguments, table));
  const std::vector<std::string> keep = names_in(arguments.keep, table.column_names());
  duckdb::Writer writer(arguments.output, scores.columns(), table, keep);
  for (auto& [column, labels] : scores.labels()) writer.show_as(column, labels);
  FarRows far(fitted);
  std::size_t rows = 0;
  ProgressLine progress(arguments.quiet || arguments.output == "-");
  const table::EncodeCounts counts = duckdb::for_each_scoring_block(
      table, table::Encoder(known ? with_known_column(fitted) : fitted.encoding), keep,
      [&](const duckdb::ScoringBlock& block) {
        const MatrixView x = known ? without_last(block.x) : block.x;
        std::optional<ColumnView> part;
        if (known) part = block.x.column(block.x.columns() - 1);
        writer.append(scores.of(x, part, rows), block.kept);
        far.add(x);
        rows += x.rows();
        progress.show(counted(rows, "row"));
      });
  writer.finish();
  progress.clear();
  if (arguments.quiet) return;
  print_warnings(fitted, known, counts, far, warnings);
  if (arguments.output != "-")
    fmt::print("{} of '{}' {} in {}\n", counted(rows, "row"), fitted.model.target, done, arguments.output);
}

}  // namespace kore::cli

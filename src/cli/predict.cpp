#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
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
#include "kore/class_model.hpp"
#include "kore/error.hpp"
#include "story/accuracy.hpp"
#include "story/far_rows.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct PredictArguments {
  std::string model;
  std::string data;
  std::string output = "-";
  std::optional<double> interval;
  std::vector<std::string> keep;
  int threads = 0;
  std::string date_format;
  bool outside = false;
  bool quiet = false;
};

std::vector<std::string> inputs_of(const PredictArguments& arguments, const duckdb::Table& table) {
  std::vector<std::string> files = duckdb::input_files(table);
  files.push_back(arguments.model);
  return files;
}

/// The column that predictions are multiplied by (an exposure), or that is put back into them (an offset);
/// empty where there is none.
const std::string& known_part(const table::TableModel& fitted) {
  return fitted.facts.offset.empty() ? fitted.facts.exposure : fitted.facts.offset;
}

/// Whether the table has it.
bool has_known_part(const table::TableModel& fitted, const duckdb::Table& table) {
  const std::string& name = known_part(fitted);
  return !name.empty() && std::ranges::count(table.column_names(), name) > 0;
}

/// The encoding with that column as one more number. A row without it counts as one unit.
table::Encoding with_known_part(const table::TableModel& fitted) {
  table::Encoding encoding = fitted.encoding;
  table::EncodedColumn column;
  column.name = known_part(fitted);
  column.median = fitted.facts.offset.empty() ? 1 : 0;
  encoding.features.push_back({column.name, table::EncodedKind::numeric, encoding.columns.size(), 0});
  encoding.columns.push_back(std::move(column));
  return encoding;
}

/// A prediction with its known part.
double put_back(const table::FitFacts& facts, double prediction, double known) {
  if (facts.offset.empty()) return prediction * known;
  return facts.offset_use == table::OffsetUse::subtracted ? prediction + known : prediction * std::exp(known);
}

std::vector<std::string> warnings(const PredictArguments& arguments, const table::TableModel& fitted,
                                  const table::EncodeCounts& counts, const FarRows& far) {
  std::vector<std::string> all = in_words_of_the_command(table::encode_warnings(fitted.encoding, counts));
  const std::string outside = far.warning();
  if (!outside.empty()) all.push_back(outside);
  if (arguments.interval && fitted.model.family != "binomial") {
    const std::string warning = story::interval_warning(fitted.model, *arguments.interval);
    if (!warning.empty()) all.push_back(warning);
  }
  return all;
}

/// Predictions, and interval ends and counts of columns outside the training range if asked for, block by
/// block.
class Scores {
 public:
  /// With `known_part`, the last column of the rows is their exposure or offset.
  Scores(const table::TableModel& fitted, std::optional<double> interval, bool outside, bool known_part,
         int threads)
      : fitted_(fitted),
        model_(fitted.model),
        threads_(threads),
        far_(fitted),
        outside_(outside),
        known_part_(known_part) {
    if (interval && model_.family == "binomial")
      band_ = interval;
    else if (interval)
      offsets_ = interval_offsets(model_, *interval);
  }

  std::vector<std::string> columns() const {
    std::vector<std::string> names{"prediction"};
    if (offsets_ || band_) names.insert(names.end(), {"lower", "upper"});
    if (outside_) names.emplace_back("outside");
    return names;
  }

  std::vector<std::span<const double>> of(const MatrixView& rows) {
    const MatrixView x = known_part_ ? without_last(rows) : rows;
    for (auto& column : values_) column.resize(x.rows());
    predict(model_, x, values_[0], threads_, done_);
    done_ += x.rows();
    far_.add(x);
    std::vector<std::span<const double>> columns{values_[0]};
    // The interval of a count depends on its exposure; other known parts move intervals as they are.
    const bool counts = known_part_ && !fitted_.facts.exposure.empty();
    if (offsets_ && !counts) add_intervals(widening(model_, x));
    if (known_part_) put_known_part_back(rows.column(rows.columns() - 1), offsets_ && !counts);
    if (offsets_) {
      if (counts) add_intervals(widening(model_, x));
      columns.insert(columns.end(), {values_[1], values_[2]});
    }
    if (band_) {
      ProbabilityBands bands = probability_bands(model_, x, *band_, threads_);
      values_[1] = std::move(bands.lower);
      values_[2] = std::move(bands.upper);
      columns.insert(columns.end(), {values_[1], values_[2]});
    }
    if (outside_) {
      std::ranges::copy(outside_count(model_, x), values_[3].begin());
      columns.emplace_back(values_[3]);
    }
    return columns;
  }
  std::uint64_t done() const { return done_; }
  const FarRows& far() const { return far_; }

 private:
  static MatrixView without_last(const MatrixView& rows) {
    std::vector<ColumnView> columns;
    for (std::size_t j = 0; j + 1 < rows.columns(); ++j) columns.push_back(rows.column(j));
    return {std::move(columns), rows.rows()};
  }
  void put_known_part_back(const ColumnView& known, bool intervals) {
    for (std::size_t c = 0; c < (intervals ? 3U : 1U); ++c)
      for (std::size_t r = 0; r < values_[c].size(); ++r)
        values_[c][r] = put_back(fitted_.facts, values_[c][r], known[r]);
  }

  void add_intervals(const std::vector<double>& widening) {
    for (std::size_t r = 0; r < widening.size(); ++r) {
      const TargetInterval interval = interval_around(model_, *offsets_, values_[0][r], widening[r]);
      values_[1][r] = interval.lower;
      values_[2][r] = interval.upper;
    }
  }

  const table::TableModel& fitted_;
  const Model& model_;
  int threads_;
  FarRows far_;
  bool outside_;
  bool known_part_;
  std::optional<IntervalOffsets> offsets_;
  std::optional<double> band_;  ///< The level of bands of probabilities.
  std::array<std::vector<double>, 4> values_;
  std::uint64_t done_ = 0;
};

/// What new rows are read by: the model that its words are about, and how columns become features.
struct ReadBy {
  const table::TableModel& fitted;
  table::Encoding encoding;
};

/// Predicts the table block by block and writes the columns of `scores`; `prepare` sees the writer first.
void write_scores(const PredictArguments& arguments, const ReadBy& by, const duckdb::Table& table,
                  auto& scores, const auto& prepare) {
  refuse_input_as_output(arguments.output, inputs_of(arguments, table));
  const std::vector<std::string> keep = names_in(arguments.keep, table.column_names());
  duckdb::Writer writer(arguments.output, scores.columns(), table, keep);
  prepare(writer);
  ProgressLine progress(arguments.quiet || arguments.output == "-");
  const table::EncodeCounts counts = duckdb::for_each_scoring_block(
      table, table::Encoder(by.encoding), keep, [&](const duckdb::ScoringBlock& block) {
        writer.append(scores.of(block.x), block.kept);
        progress.show(counted(scores.done(), "row"));
      });
  writer.finish();
  progress.clear();
  if (arguments.quiet) return;
  for (const std::string& warning : warnings(arguments, by.fitted, counts, scores.far()))
    fmt::print(stderr, "kore: {}\n", warning);
  if (arguments.output != "-")
    fmt::print("{} of '{}' predicted in {}\n", counted(scores.done(), "row"), by.fitted.model.target,
               arguments.output);
}

/// The most probable class of each row and the probability of every class, block by block.
class ClassScores {
 public:
  ClassScores(const table::ClassModel& model, bool outside, int threads)
      : model_(model), threads_(threads), far_(model.models.front()), outside_(outside) {}

  std::vector<std::string> columns() const {
    std::vector<std::string> names{"class"};
    for (const std::string& name : model_.classes) names.push_back("probability:" + name);
    if (outside_) names.emplace_back("outside");
    return names;
  }

  std::vector<std::span<const double>> of(const MatrixView& x) {
    probabilities_ = predict_classes(model_, x, threads_, done_);
    class_.resize(x.rows());
    for (std::size_t r = 0; r < x.rows(); ++r) class_[r] = static_cast<double>(most_probable(r));
    done_ += x.rows();
    far_.add(x);
    std::vector<std::span<const double>> columns{class_};
    columns.insert(columns.end(), probabilities_.begin(), probabilities_.end());
    if (outside_) {
      const std::vector<std::size_t> counts = outside_count(model_.models.front().model, x);
      outside_counts_.assign(counts.begin(), counts.end());
      columns.emplace_back(outside_counts_);
    }
    return columns;
  }
  std::uint64_t done() const { return done_; }
  const FarRows& far() const { return far_; }

 private:
  std::size_t most_probable(std::size_t row) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < probabilities_.size(); ++k)
      if (probabilities_[k][row] > probabilities_[best][row]) best = k;
    return best;
  }

  const table::ClassModel& model_;
  int threads_;
  FarRows far_;
  bool outside_;
  std::vector<std::vector<double>> probabilities_;
  std::vector<double> class_;
  std::vector<double> outside_counts_;
  std::uint64_t done_ = 0;
};

duckdb::Table open_new_rows(const PredictArguments& arguments, const table::TableModel& fitted, int threads) {
  duckdb::ReadOptions reading;
  reading.threads = static_cast<unsigned>(threads);
  reading.text_columns = duckdb::category_names(fitted.encoding);
  reading.keep_rows = false;
  reading.date_format = arguments.date_format;
  reading.date_format_before = fitted.facts.date_format;
  return duckdb::open_table(arguments.data, reading);
}

void run_classes(const PredictArguments& arguments, const table::ClassModel& model) {
  if (arguments.interval)
    throw Error(
        ErrorCode::invalid_argument, "interval_of_classes",
        "--interval is about numbers. This model tells classes apart, and predicts the probability of "
        "each.");
  const int threads = resolve_threads(arguments.threads);
  const table::TableModel& first = model.models.front();
  const duckdb::Table table = open_new_rows(arguments, first, threads);
  ClassScores scores(model, arguments.outside, threads);
  const auto show_classes = [&](duckdb::Writer& writer) { writer.show_as("class", model.classes); };
  write_scores(arguments, {first, first.encoding}, table, scores, show_classes);
}

void run(const PredictArguments& arguments) {
  if (const auto classes = load_classes(arguments.model)) return run_classes(arguments, *classes);
  const table::TableModel fitted = table::load_table_model(arguments.model);
  const int threads = resolve_threads(arguments.threads);
  const duckdb::Table table = open_new_rows(arguments, fitted, threads);
  const bool known = has_known_part(fitted, table);
  Scores scores(fitted, arguments.interval, arguments.outside, known, threads);
  if (!known && !known_part(fitted).empty() && !arguments.quiet)
    fmt::print(stderr, "kore: The table has no column '{}', so that predictions are {}.\n",
               known_part(fitted),
               fitted.facts.offset.empty() ? fmt::format("rates per unit of '{}'", fitted.facts.exposure)
                                           : "those of an offset of 0");
  write_scores(arguments, {fitted, known ? with_known_part(fitted) : fitted.encoding}, table, scores,
               [](duckdb::Writer&) {});
}

}  // namespace

void add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "Predict the rows of a table with a saved model");
  command->add_option("MODEL", arguments->model, "A model saved by 'kore fit -o'")->required();
  command->add_option("DATA", arguments->data, "A table, as in 'kore fit'; columns are matched by name")
      ->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "A .csv or .parquet file (default: CSV on the standard output)")
      ->check(names_a_file);
  command->add_option(
      "--interval", arguments->interval,
      "Also columns lower and upper: an interval that covers the target with this probability, such as 0.9; "
      "of yes or no, a band that covers the true probability");
  command->add_flag("--outside", arguments->outside,
                    "Also a column outside: in how many columns the row lies outside the training range");
  command->add_option("--keep", arguments->keep, "Columns of DATA to repeat in the output (a,b)")
      ->allow_extra_args(false);
  command->add_option("--date-format", arguments->date_format, date_format_help)->check(is_date_format);
  command->add_option("--threads", arguments->threads, "Threads; 0: all cores")
      ->check(whole_number(0, most_threads));
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors and predictions");
  command->footer("Example:  kore predict cars.kore new.csv --interval 0.9 --keep id -o predicted.parquet");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

#include "cli/training.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/memory_size.hpp"
#include "cli/name_list.hpp"
#include "cli/option_help.hpp"
#include "duckdb/input_files.hpp"
#include "duckdb/table_source.hpp"
#include "fit/option_records.hpp"
#include "kore/error.hpp"
#include "table/equal_columns.hpp"
#include "table/feature_options.hpp"
#include "table/owned_rows.hpp"

namespace kore::cli {
namespace {

// How the memory limit is shared between rows that are kept, reading, and fits.
constexpr std::uint64_t rows_share = 2;
constexpr std::uint64_t reading_share = 4;
constexpr double bytes_per_squared_column = 60;

constexpr int most_intervals = 1000;  // more would only be a mistyped number

std::vector<FeaturePair> named_pairs(const std::string& text, const TrainingData& data) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (const std::string& part : split_outside_quotes(text, ',')) {
    const std::vector<std::string> ends = split_outside_quotes(part, ':');
    if (ends.size() != 2)
      throw Error(
          ErrorCode::invalid_argument,
          "'" + part +
              "' is not a pair. --pairs takes auto, all, none, or pairs of column names such as a:b,c:d.");
    columns.emplace_back(without_quotes(ends[0]), without_quotes(ends[1]));
  }
  return table::pairs_of_features(data.encoding, columns);
}

std::uint64_t memory_limit(const TrainingArguments& arguments) {
  return arguments.memory_limit > 0 ? arguments.memory_limit : default_memory_limit();
}

/// What a person should know about how the table was read.
std::vector<std::string> notes_on(const TrainingData& data) {
  std::vector<std::string> notes = data.summary.notes;
  for (std::string& note : table::encoding_notes(data.summary.columns, data.encoding))
    notes.push_back(std::move(note));
  for (std::string& note : table::equal_column_notes(data.summary.columns, data.encoding, *data.rows))
    notes.push_back(std::move(note));
  const std::uint64_t missing = data.summary.missing_target;
  if (missing > 0)
    notes.push_back(std::to_string(missing) + (missing == 1 ? " row has" : " rows have") +
                    " no value in the target '" + data.summary.target + "' and " +
                    (missing == 1 ? "is" : "are") + " left out.");
  return notes;
}

std::vector<std::string> words_of(const OptionRecord& record) {
  return {record.choices.begin(), record.choices.end()};
}

/// The range of an integer; `most` where more would only be a mistyped number.
CLI::Range range_of(std::string_view option, int most = std::numeric_limits<int>::max()) {
  const OptionRecord& record = option_record(option);
  return {static_cast<int>(record.lowest), std::min(static_cast<int>(record.highest), most)};
}

/// `--family` once was what `--structure` is.
void add_family_refusal(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--family",
          [](const std::string& value) {
            throw Error(ErrorCode::invalid_argument, "family_is_structure",
                        "--family {value} is not an option any more: the family of a model is the "
                        "distribution of its response. Which terms a model may have is --structure auto, "
                        "additive or pairwise.",
                        {{"value", value}});
          })
      ->group("");  // in neither the help nor the completion
}

StructureChoice structure_named(const std::string& word) {
  return word == "additive"   ? StructureChoice::additive
         : word == "pairwise" ? StructureChoice::pairwise
                              : StructureChoice::automatic;
}

}  // namespace

const char* to_string(Profile profile) { return profile == Profile::paper ? "paper" : "default"; }

void add_training_options(CLI::App& command, TrainingArguments& a) {
  command
      .add_option(
          "DATA", a.data,
          "A .csv, .tsv, .parquet, .json or .ndjson file (also .gz), a pattern for several, - for CSV on the "
          "standard input, or a SQL query")
      ->required();
  command.add_option("-t,--target", a.columns.target, "The column to predict")->required();
  // One argument each, so that what follows can be DATA; lists are taken apart when the columns are known.
  command.add_option("--features", a.features, "Use these columns only (a,b,c)")->allow_extra_args(false);
  command.add_option("--drop", a.drop, "Do not use these columns (a,b,c)")->allow_extra_args(false);
  command.add_option("--categorical", a.categorical, "Treat these columns as categories (a,b,c)")
      ->allow_extra_args(false);
  command.add_option("--weights", a.columns.weights, "Column of row weights: 2 counts as two rows");
  command
      .add_option_function<std::string>(
          "--profile",
          [&a](const std::string& name) { a.profile = name == "paper" ? Profile::paper : Profile::standard; },
          "default: curves as smooth as the rows ask for, with interactions that left-out rows confirm; "
          "paper: "
          "the published algorithm")
      ->check(CLI::IsMember({"default", "paper"}));
  command.add_option("--structure", a.structure, option_help("structure"))
      ->check(CLI::IsMember(words_of(option_record("structure"))));
  add_family_refusal(command);
  command.add_option("--pairs", a.pairs,
                     "Pairs of columns that may interact: a:b,c:d, all, none, or auto (default): those that "
                     "promise most, with --profile paper all");
  command.add_option("--degree", a.degree, option_help("degree"))->check(range_of("degree"));
  command.add_option("--max-order", a.max_order, option_help("max_order"))->check(range_of("max_order"));
  command.add_option("--max-g-additive", a.max_g_additive, option_help("max_resolution_additive"))
      ->check(range_of("max_resolution_additive", most_intervals));
  command.add_option("--max-g-pairwise", a.max_g_pairwise, option_help("max_resolution_pairwise"))
      ->check(range_of("max_resolution_pairwise", most_intervals));
  command
      .add_option("--max-levels", a.max_levels,
                  "Levels of a category with an effect of their own (default 50); rarer ones share one. With "
                  "--profile "
                  "paper every level has its own")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--threads", a.threads, option_help("threads"))
      ->check(range_of("threads", most_threads));
  command.add_option_function<std::string>(
      "--memory-limit", [&a](const std::string& text) { a.memory_limit = parse_memory_size(text); },
      "Memory to stay within, such as 1GB; a larger table is read in passes (default: half of the "
      "machine's)");
  command.add_flag("--json", a.json, "One JSON object instead of text");
  command.add_flag("-q,--quiet", a.quiet, "Print nothing but errors");
}

Names TrainingData::names() const { return table::names_of(encoding, summary.target); }

OpenedTable open_training_table(const TrainingArguments& arguments) {
  duckdb::ReadOptions reading;
  reading.threads = static_cast<unsigned>(std::max(0, arguments.threads));
  reading.memory_limit = memory_limit(arguments) / reading_share;
  reading.text_columns = names_in(arguments.categorical, arguments.categorical);
  for (std::string& name : names_in(arguments.categorical, {}))
    reading.text_columns.push_back(std::move(name));
  duckdb::Table table = duckdb::open_table(arguments.data, reading);
  table::ColumnChoice columns = arguments.columns;
  columns.features = names_in(arguments.features, table.column_names());
  columns.drop = names_in(arguments.drop, table.column_names());
  columns.categorical = names_in(arguments.categorical, table.column_names());
  duckdb::TableSummary summary = duckdb::summarize(table, columns);
  return {std::move(table), std::move(summary)};
}

TrainingData encode_training_table(const OpenedTable& opened, const TrainingArguments& arguments) {
  TrainingData result;
  result.origin = opened.table.origin().name();
  result.files = duckdb::input_files(opened.table);
  result.summary = opened.summary;
  table::EncodingOptions encoding =
      arguments.profile == Profile::paper ? table::EncodingOptions::paper() : table::EncodingOptions{};
  encoding.max_levels = arguments.max_levels;
  result.encoding = table::make_encoding(result.summary.columns, encoding);
  auto source = std::make_unique<duckdb::TableSource>(opened.table, result.encoding, result.summary);
  const bool weighted = !result.summary.weights.empty();
  result.streamed = table::encoded_bytes(result.encoding, result.summary.rows, weighted) >
                    memory_limit(arguments) / rows_share;
  if (result.streamed)
    result.rows = std::move(source);
  else
    result.rows = std::make_unique<table::OwnedRows>(table::materialize(*source, result.summary.rows));
  result.notes = notes_on(result);
  return result;
}

TrainingData read_training_data(const TrainingArguments& arguments) {
  return encode_training_table(open_training_table(arguments), arguments);
}

std::string memory_note(const Options& options, const Model& model) {
  const std::size_t usual = Options{}.max_columns;
  if (options.max_columns == 0 || options.max_columns >= usual) return {};
  const auto& features = model.design.features();
  const auto leaves_out = [&](const std::vector<FeaturePair>& pairs, int max_resolution) {
    const BasisCount size = basis_count(features, pairs, options.degree);
    for (int g = 1; g <= max_resolution; ++g)
      if (size(g) > static_cast<double>(options.max_columns) && size(g) <= static_cast<double>(usual) &&
          size(g) < options.stability * model.summary.weight_sum)
        return true;
    return false;
  };
  // A model that has grown beyond half of the limit may have been kept from the next step, which doubles.
  const bool kept_small = std::ranges::any_of(model.summary.stages, [&](const StageSummary& stage) {
    return 2 * stage.columns > options.max_columns;
  });
  const bool pairs = options.structure != StructureChoice::additive &&
                     options.pair_choice != PairChoice::none &&
                     (options.is_published() || options.grown().max_order > 1);
  const bool left_out =
      kept_small || leaves_out({}, options.max_resolution_additive) ||
      (pairs &&
       leaves_out(options.pair_choice == PairChoice::given ? options.pairs : all_pairs(features.size()),
                  options.max_resolution_pairwise));
  if (!left_out) return {};
  return "The memory limit leaves room for models of " + std::to_string(options.max_columns) +
         " columns instead of " + std::to_string(usual) +
         ", so that larger ones were not tried. A higher --memory-limit may give another model.";
}

Options engine_options(const TrainingArguments& arguments, const TrainingData& data) {
  const bool paper = arguments.profile == Profile::paper;
  Options options = paper ? Options::paper() : Options{};
  options.degree = arguments.degree;
  if (paper && arguments.max_order)
    throw Error(
        ErrorCode::invalid_argument,
        "--max-order belongs to the default profile. With --profile paper, --structure chooses between "
        "main effects and pairs.");
  if (arguments.max_order) options.grown().max_order = *arguments.max_order;
  options.max_resolution_additive = arguments.max_g_additive.value_or(options.max_resolution_additive);
  options.max_resolution_pairwise = arguments.max_g_pairwise.value_or(options.max_resolution_pairwise);
  options.threads = arguments.threads;
  options.structure = structure_named(arguments.structure);
  if (arguments.pairs == "all") {
    options.pair_choice = PairChoice::all;
  } else if (arguments.pairs == "none") {
    options.pair_choice = PairChoice::none;
  } else if (arguments.pairs != "auto") {
    options.pair_choice = PairChoice::given;
    options.pairs = named_pairs(arguments.pairs, data);
  }
  const std::uint64_t budget = memory_limit(arguments) / reading_share;
  if (paper) {
    options.published().memory_budget = budget;
    return options;
  }
  const auto affordable =
      static_cast<std::size_t>(std::sqrt(static_cast<double>(budget) / bytes_per_squared_column));
  options.max_columns = std::min(options.max_columns, affordable);
  table::set_feature_options(options, data.encoding, data.summary.columns);
  return options;
}

}  // namespace kore::cli

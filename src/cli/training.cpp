#include "cli/training.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>

#include "base/memory.hpp"
#include "cli/curve_words.hpp"
#include "cli/memory_size.hpp"
#include "cli/name_list.hpp"
#include "cli/option_help.hpp"
#include "cli/whole_number.hpp"
#include "duckdb/input_files.hpp"
#include "duckdb/summarize.hpp"
#include "duckdb/table_source.hpp"
#include "fit/option_records.hpp"
#include "kore/error.hpp"
#include "table/curve_choices.hpp"
#include "table/feature_options.hpp"

namespace kore::cli {
namespace {

constexpr int most_intervals = 1000;  // a larger number is most likely a typing error

std::vector<FeaturePair> named_pairs(const std::string& text, const table::Encoding& encoding) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (const std::string& part : split_outside_quotes(text, ',')) {
    const std::vector<std::string> ends = split_outside_quotes(part, ':');
    if (ends.size() != 2)
      throw Error(ErrorCode::invalid_argument, "not_a_pair",
                  "'{text}' is not a pair. --pairs takes auto, all, none, or pairs of column names such as "
                  "a:b,c:d.",
                  {{"text", part}});
    columns.emplace_back(without_quotes(ends[0]), without_quotes(ends[1]));
  }
  return table::pairs_of_features(encoding, columns);
}

std::uint64_t memory_limit(const TrainingArguments& arguments) {
  return arguments.memory_limit > 0 ? arguments.memory_limit : default_memory_limit();
}

/// Of a model in the default profile, as far as the memory limit goes.
std::size_t most_columns(const TrainingArguments& arguments) {
  Options options;
  table::limit_memory(options, Profile::standard, memory_limit(arguments));
  return options.max_columns;
}

std::vector<std::string> words_of(const OptionRecord& record) {
  return {record.choices.begin(), record.choices.end()};
}

/// The range of an integer; at most `most`, beyond which a number is most likely a typing error.
CLI::Validator range_of(std::string_view option, int most = std::numeric_limits<int>::max()) {
  const OptionRecord& record = option_record(option);
  return whole_number(static_cast<std::int64_t>(record.lowest),
                      std::min<std::int64_t>(static_cast<std::int64_t>(record.highest), most));
}

/// An empty name, such as that of a variable that is not set, would mean no column.
std::string names_a_column(const std::string& name) {
  return name.empty() ? "it must name a column, and got an empty text" : "";
}

/// `--family` was once the name of `--structure`.
void add_family(CLI::App& command, TrainingArguments& a) {
  std::vector<std::string> words = words_of(option_record("family"));
  words.insert(words.begin(), "auto");
  words.emplace_back(table::multinomial_word);
  command
      .add_option_function<std::string>(
          "--family",
          [&a](const std::string& value) {
            if (value == "additive" || value == "pairwise")
              throw Error(ErrorCode::invalid_argument, "family_is_structure",
                          "--family {value} is not an option any more: the family of a model is the "
                          "distribution of its target. Which terms a model may have is --structure auto, "
                          "additive or pairwise.",
                          {{"value", value}});
            a.family = value;
            a.columns.classes = value == table::multinomial_word;
          },
          "The distribution of the target. auto: binomial where it has two values, multinomial where it "
          "has more texts, normal otherwise; multinomial: classes; " +
              option_help("family"))
      ->check([words](const std::string& value) {
        const bool old = value == "additive" || value == "pairwise";
        return old ? std::string() : CLI::IsMember(words)(value);
      });
  command
      .add_option("--positive", a.columns.positive,
                  "The value of the target that counts as yes; all others count as no")
      ->check(names_a_column);
  command
      .add_option(
          "--offset", a.columns.offset,
          "Column that is part of the linear predictor with a coefficient of one: the logarithm of an "
          "exposure (poisson), of a factor (gamma), or a part of the target (normal)")
      ->check(names_a_column);
  command
      .add_option("--exposure", a.columns.exposure,
                  "Column that counts grow with, such as time or people: a poisson model of rates, counts "
                  "per unit of it")
      ->check(names_a_column);
}

void set_simplicity(const TrainingArguments& arguments, Options& options) {
  if (!arguments.simple && !arguments.max_terms) return;
  if (options.is_published())
    throw Error(ErrorCode::invalid_argument, "simplicity_of_another_profile",
                "--simple and --terms belong to the default profile. The paper profile keeps all terms of a "
                "structure.");
  GrownOptions& grown = options.grown();
  if (arguments.simple && grown.folds == 1)
    throw Error(ErrorCode::invalid_argument, "simple_without_referee",
                "--simple compares errors on left-out rows, and --referee-folds 1 leaves no rows out.");
  grown.simplest = arguments.simple;
  grown.max_terms = arguments.max_terms.value_or(0);
}

StructureChoice structure_named(const std::string& word) {
  return word == "additive"   ? StructureChoice::additive
         : word == "pairwise" ? StructureChoice::pairwise
                              : StructureChoice::automatic;
}

/// The paper profile fits the target as it is, so there is nothing to set unless another scale is asked for.
decltype(Options::method) with_scale(const Options& options, const std::string& word) {
  auto method = options.method;
  if (auto* grown = std::get_if<GrownOptions>(&method))
    grown->target_scale = scale_named(word);
  else if (word == "sqrt" || word == "log")
    throw Error(ErrorCode::invalid_argument, "scale_of_another_profile",
                "--scale {scale} belongs to the default profile. The paper profile fits the target as it is.",
                {{"scale", word}});
  return method;
}

}  // namespace

void add_training_options(CLI::App& command, TrainingArguments& a) {
  command
      .add_option(
          "DATA", a.data,
          "A .csv, .tsv, .parquet, .json or .ndjson file (also .gz), a pattern for several, - for CSV on the "
          "standard input, or a SQL query")
      ->required();
  command.add_option("-t,--target", a.columns.target, "The column to predict")->required();
  // Each takes one argument, so that the next one can be DATA. Lists are split when the columns are known.
  command.add_option("--features", a.features, "Use these columns only (a,b,c)")->allow_extra_args(false);
  command.add_option("--drop", a.drop, "Do not use these columns (a,b,c)")->allow_extra_args(false);
  command.add_option("--categorical", a.categorical, "Treat these columns as categories (a,b,c)")
      ->allow_extra_args(false);
  command
      .add_option("--linear", a.linear, "Fit a straight line to these columns in place of a curve (a,b,c)")
      ->allow_extra_args(false);
  command
      .add_option("--cyclic", a.cyclic,
                  "Columns whose values begin again, so that curves meet themselves: hour,wind:360 gives the "
                  "period of wind; that of hour is told by its values, which are 0 to 23")
      ->allow_extra_args(false);
  command
      .add_option("--max-resolution", a.max_resolutions,
                  "The largest number of knot intervals of single columns (hour:24,age:8)")
      ->allow_extra_args(false);
  command.add_option("--weights", a.columns.weights, "Column of row weights: 2 counts as two rows")
      ->check(names_a_column);
  command
      .add_option("--precision", a.columns.precision,
                  "Column of precisions in place of weights: inverse variances, of which only ratios matter")
      ->check(names_a_column);
  command
      .add_option("--group", a.columns.group,
                  "Column that tells groups of rows apart, such as patients or shops: whole groups are left "
                  "out, so that errors are those for new groups")
      ->check(names_a_column);
  command
      .add_option_function<std::string>(
          "--profile", [&a](const std::string& name) { a.profile = table::profile_named(name); },
          "default: curves as smooth as the rows ask for, with interactions that left-out rows confirm; "
          "paper: "
          "the published algorithm")
      ->check(CLI::IsMember({"default", "paper"}));
  command.add_option("--structure", a.structure, option_help("structure"))
      ->check(CLI::IsMember(words_of(option_record("structure"))));
  add_family(command, a);
  command.add_option("--pairs", a.pairs,
                     "Pairs of columns that may interact: a:b,c:d, all, none, or auto (default): those that "
                     "explain most, with --profile paper all");
  command.add_option("--degree", a.degree, option_help("degree"))->check(range_of("degree"));
  command.add_option("--max-order", a.max_order, option_help("max_order"))->check(range_of("max_order"));
  command.add_option("--referee-folds", a.folds, option_help("folds"))->check(range_of("folds"));
  command.add_flag("--robust", a.robust,
                   "Minimise a loss that levels off instead of squared errors, so that gross errors in the "
                   "target cannot bend the fit; default profile only");
  command.add_flag("--simple", a.simple, option_help("simplest"));
  command
      .add_option(
          "--terms", a.max_terms,
          "The most terms of the model: those that matter most are kept, and fitted again without the "
          "others")
      ->check(whole_number(1, 1'000'000));
  command.add_option("--scale", a.scale, option_help("target_scale"))
      ->check(CLI::IsMember(words_of(option_record("target_scale"))));
  command.add_option("--max-g-additive", a.max_g_additive, option_help("max_resolution_additive"))
      ->check(range_of("max_resolution_additive", most_intervals));
  command.add_option("--max-g-pairwise", a.max_g_pairwise, option_help("max_resolution_pairwise"))
      ->check(range_of("max_resolution_pairwise", most_intervals));
  command
      .add_option("--max-levels", a.max_levels,
                  "Levels of a category with an effect of their own; rarer ones share one (default: the 50 "
                  "most frequent, and all with three rows or more, 500 in all columns). With --profile paper "
                  "every level has its own")
      ->check(whole_number(1, 1'000'000));
  command
      .add_option(
          "--max-columns", a.max_columns,
          "Models with more columns (coefficients) are not tried (default 2500; with --profile paper no "
          "limit)")
      ->check(whole_number(1, 1'000'000));
  command.add_option("--threads", a.threads, option_help("threads"))
      ->check(range_of("threads", most_threads));
  command.add_option_function<std::string>(
      "--memory-limit", [&a](const std::string& text) { a.memory_limit = parse_memory_size(text); },
      "Memory to stay within, such as 1GB; a larger table is read in passes (default: half of the "
      "machine's)");
  command.add_option("--date-format", a.date_format, date_format_help)->check(is_date_format);
  command.add_flag("--json", a.json, "One JSON object instead of text");
  command.add_flag("-q,--quiet", a.quiet, "Print nothing but errors");
}

std::string is_date_format(const std::string& text) {
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  const bool whole = has("%d") && (has("%m") || has("%b") || has("%B")) && (has("%Y") || has("%y"));
  return whole ? "" : "'" + text + "' does not say where day, month and year stand, as %d/%m/%Y does";
}

OpenedTable open_training_table(const TrainingArguments& arguments, PhaseTimes* phases) {
  const PhaseTimer timer(phases, "reading");
  duckdb::ReadOptions reading;
  reading.threads = static_cast<unsigned>(std::max(0, arguments.threads));
  reading.memory_limit = memory_for_reading(memory_limit(arguments));
  reading.text_columns = names_in(arguments.categorical, arguments.categorical);
  for (std::string& name : names_in(arguments.categorical, {}))
    reading.text_columns.push_back(std::move(name));
  reading.number_columns = {arguments.columns.weights, arguments.columns.precision,
                            arguments.columns.exposure, arguments.columns.offset};
  if (arguments.columns.positive.empty() && !arguments.columns.classes)
    reading.number_columns.push_back(arguments.columns.target);
  reading.date_format = arguments.date_format;
  duckdb::Table table = duckdb::open_table(arguments.data, reading);
  table::ColumnChoice columns = arguments.columns;
  columns.offset_use = table::offset_use_of(arguments.family);
  columns.features = names_in(arguments.features, table.column_names());
  columns.drop = names_in(arguments.drop, table.column_names());
  columns.categorical = names_in(arguments.categorical, table.column_names());
  table::TableSummary summary = duckdb::summarize(table, columns);
  return {std::move(table), std::move(summary)};
}

TrainingData encode_training_table(const OpenedTable& opened, const TrainingArguments& arguments,
                                   PhaseTimes* phases) {
  const PhaseTimer timer(phases, "encoding");
  TrainingData result;
  result.origin = opened.table.origin().name();
  result.files = duckdb::input_files(opened.table);
  result.prepared =
      table::prepare(opened.summary, arguments.profile, {arguments.max_levels, most_columns(arguments)});
  const table::Preparation& prepared = result.prepared;
  result.rows = table::kept_in_memory(
      std::make_unique<duckdb::TableSource>(opened.table, prepared.encoding, prepared.summary),
      prepared.encoding, prepared.summary, memory_for_rows(memory_limit(arguments)));
  table::add_notes_on_rows(result.prepared, *result.rows);
  // A scale or a loss of the normal family is a choice of it.
  const bool normal = arguments.robust || (arguments.scale && *arguments.scale != "auto");
  result.family = table::choose_family(result.prepared,
                                       normal && arguments.family == "auto" ? "normal" : arguments.family);
  return result;
}

void require_one_model(const TrainingData& data) {
  if (!data.prepared.summary.has_classes()) return;
  throw Error(
      ErrorCode::invalid_argument, "one_class_at_a_time",
      "The target '{target}' has {number} classes, each with a model of its own. Look at one of them: "
      "name it with --positive.",
      {{"target", data.prepared.summary.target}, {"number", data.prepared.summary.target_levels.size()}});
}

TrainingData read_training_data(const TrainingArguments& arguments, PhaseTimes* phases) {
  return encode_training_table(open_training_table(arguments, phases), arguments, phases);
}

Options engine_options(const TrainingArguments& arguments, const table::Preparation& prepared,
                       Family family) {
  Options options = table::profile_options(arguments.profile);
  table::set_family(options, prepared, family);
  options.degree = arguments.degree;
  if (arguments.profile == Profile::paper && arguments.max_order)
    throw Error(
        ErrorCode::invalid_argument, "max_order_of_another_profile",
        "--max-order belongs to the default profile. With --profile paper, --structure chooses between "
        "main effects and pairs.");
  if (arguments.max_order) options.grown().max_order = *arguments.max_order;
  if (arguments.profile == Profile::paper && arguments.max_levels)
    throw Error(ErrorCode::invalid_argument, "max_levels_of_another_profile",
                "--max-levels {levels} belongs to the default profile. With --profile paper every level has "
                "an effect "
                "of its own.",
                {{"levels", *arguments.max_levels}});
  if (arguments.structure == "additive" && arguments.pairs != "auto" && arguments.pairs != "none")
    throw Error(
        ErrorCode::invalid_argument, "pairs_of_additive_structure",
        "--pairs {pairs} contradicts --structure additive, which has main effects alone. Leave one of them "
        "out.",
        {{"pairs", arguments.pairs}});
  if (arguments.profile == Profile::paper && arguments.folds)
    throw Error(
        ErrorCode::invalid_argument, "folds_of_another_profile",
        "--referee-folds belongs to the default profile. The paper profile chooses by leave-one-out.");
  if (arguments.folds) options.grown().folds = *arguments.folds;
  if (arguments.profile == Profile::paper && arguments.robust)
    throw Error(ErrorCode::invalid_argument, "robust_of_another_profile",
                "--robust belongs to the default profile. The paper profile minimises squared errors.");
  if (arguments.robust) options.grown().loss = Loss::robust;
  set_simplicity(arguments, options);
  if (arguments.scale) options.method = with_scale(options, *arguments.scale);
  if (arguments.profile == Profile::paper && !arguments.columns.group.empty())
    throw Error(
        ErrorCode::invalid_argument, "group_of_another_profile",
        "--group belongs to the default profile. The paper profile chooses by leave-one-out over single "
        "rows and cannot leave groups out.");
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
    options.pairs = named_pairs(arguments.pairs, prepared.encoding);
  }
  if (arguments.max_columns) options.max_columns = *arguments.max_columns;
  table::limit_memory(options, arguments.profile, memory_limit(arguments));
  table::complete(options, prepared);
  std::vector<std::string> columns;
  for (const table::EncodedColumn& column : prepared.encoding.columns) columns.push_back(column.name);
  table::set_curves(options, prepared.encoding, prepared.summary.columns,
                    {names_in(arguments.linear, columns), cyclic_columns(arguments.cyclic, columns),
                     largest_resolutions(arguments.max_resolutions, columns)});
  return options;
}

}  // namespace kore::cli

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "kore/encoding.hpp"
#include "kore/error.hpp"
#include "table/level_limits.hpp"
#include "table/refusals.hpp"
#include "table/text_values.hpp"

namespace kore::table {
namespace {

/// If at least this share of the texts are numbers, the column was most likely meant to hold numbers; with
/// the second share, perhaps.
constexpr double mostly_numbers = 0.9;
constexpr double half_numbers = 0.5;

/// From so many rows on, texts that are all different are identifiers. Fewer may be different by chance.
constexpr std::uint64_t fewest_names = 10;

bool names_the_rows(const ColumnSummary& column) {
  return column.is_category() && column.distinct == column.present() && column.distinct >= fewest_names;
}

bool holds_texts(const ColumnSummary& column) {
  return column.type == ColumnType::text && !column.categorical;
}

/// Leading zeros make codes of all numbers of a column.
bool has_numbers(const ColumnSummary& column, double share) {
  return holds_texts(column) && column.code_text.empty() &&
         static_cast<double>(column.numeric_texts) >= share * static_cast<double>(column.present());
}

bool has_codes(const ColumnSummary& column) {
  return holds_texts(column) && !column.code_text.empty() && column.numeric_texts == column.present();
}

bool has_formatted_numbers(const ColumnSummary& column) {
  return holds_texts(column) && column.formatted_texts > 0 && column.code_text.empty() &&
         static_cast<double>(column.numeric_texts + column.formatted_texts) >=
             mostly_numbers * static_cast<double>(column.present());
}

/// "392 of its 398 values are numbers; '?' is not"
std::string numbers_among_texts(const ColumnSummary& column) {
  if (column.numeric_texts == column.present()) return "all of its values are numbers";
  return std::to_string(column.numeric_texts) + " of its " + std::to_string(column.present()) +
         " values are numbers; " + "'" + column.odd_text + "' is not";
}

double missing_share(const ColumnSummary& column) {
  return column.rows == 0 ? 0.0 : static_cast<double>(column.missing) / static_cast<double>(column.rows);
}

/// Levels that are all numbers are sorted as such (2 before 10), others byte by byte, which is the order of
/// code points.
void sort_levels(std::vector<std::string>& levels) {
  std::vector<std::pair<double, std::string>> numbered;
  for (const std::string& level : levels) {
    const auto value = parse_number(level);
    if (!value) {
      std::sort(levels.begin(), levels.end());
      return;
    }
    numbered.emplace_back(*value, level);
  }
  std::sort(numbered.begin(), numbered.end());
  std::transform(numbered.begin(), numbered.end(), levels.begin(), [](auto& entry) { return entry.second; });
}

struct SplitLevels {
  std::vector<std::string> kept;
  std::vector<std::string> rare;
};

/// The `limit` most frequent levels (of equals, the first in the order of texts) and the others, both sorted.
SplitLevels split_levels(const ColumnSummary& column, std::size_t limit) {
  std::vector<Level> levels = column.levels;
  std::sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.value < b.value;
  });
  SplitLevels split;
  for (Level& level : levels)
    (split.kept.size() < limit ? split.kept : split.rare).push_back(std::move(level.value));
  sort_levels(split.kept);
  sort_levels(split.rare);
  return split;
}

void check_category(const ColumnSummary& column, const EncodingOptions& options, std::size_t limit) {
  // In a text file such texts are most likely meant as numbers. A column with a type is what it says.
  const bool doubtful =
      column.of_text_file && column.distinct > options.max_levels.value_or(levels_always_kept);
  if (doubtful && has_numbers(column, mostly_numbers))
    refuse_data("text_is_mostly_numbers", "Column '{column}' is text, but {numbers}.",
                {{"column", column.name}, {"numbers", numbers_among_texts(column)}});
  if (doubtful && has_formatted_numbers(column))
    refuse_data("text_is_formatted_numbers",
                "Column '{column}' is text, but its values are numbers with signs in them, such as '{text}'.",
                {{"column", column.name}, {"text", column.formatted_text}});
  const bool needs_every_level = !options.group_rare_levels;
  if (column.levels.size() < column.distinct && (needs_every_level || column.levels.size() < limit))
    refuse_data("too_many_levels", "Column '{column}' has {levels} levels, too many for an indicator each.",
                {{"column", column.name}, {"levels", column.distinct}});
}

void add_number(const ColumnSummary& column, const EncodingOptions& options, Encoding& encoding) {
  const bool constant = options.leave_out_constants && column.minimum == column.maximum;
  const bool flag = missing_share(column) > options.missing_flag_share;
  if (constant && !flag) {
    encoding.left_out.push_back({column.name, "it has the same value in every row"});
    return;
  }
  // The median of a boolean may be one half; the more frequent value is taken instead.
  const double median =
      column.type == ColumnType::boolean ? (column.median > 0.5 ? 1.0 : 0.0) : column.median;
  const std::size_t index = encoding.columns.size();
  encoding.columns.push_back({.name = column.name,
                              .type = column.type,
                              .category = false,
                              .median = median,
                              .levels = {},
                              .has_other = false,
                              .rare = {},
                              .missing_share = missing_share(column),
                              .has_missing = false});
  if (!constant) encoding.features.push_back({column.name, EncodedKind::numeric, index, 0});
  if (flag) encoding.features.push_back({column.name + " (missing)", EncodedKind::missing_flag, index, 0});
}

/// Of the last column.
void add_indicators(Encoding& encoding) {
  const std::size_t index = encoding.columns.size() - 1;
  const EncodedColumn& column = encoding.columns[index];
  const auto& levels = column.levels;
  for (std::size_t level = 0; level < levels.size(); ++level)
    encoding.features.push_back({column.name + "=" + levels[level], EncodedKind::indicator, index, level});
  if (column.has_other)
    encoding.features.push_back({column.name + "=(other)", EncodedKind::indicator, index, levels.size()});
  if (column.has_missing)
    encoding.features.push_back({column.name + "=(missing)", EncodedKind::missing_flag, index, 0});
}

void add_category(const ColumnSummary& column, const EncodingOptions& options, std::size_t limit,
                  Encoding& encoding) {
  check_category(column, options, limit);
  if (names_the_rows(column)) {
    encoding.left_out.push_back({column.name, "it has a different value in every row"});
    return;
  }
  auto [levels, rare] = split_levels(column, options.group_rare_levels ? limit : column.levels.size());
  const bool has_other = levels.size() < column.distinct;
  const bool has_missing = options.missing_level && column.missing > 0;
  if (options.leave_out_constants && levels.size() == 1 && !has_other && !has_missing) {
    encoding.left_out.push_back({column.name, "it has the same value in every row"});
    return;
  }
  encoding.columns.push_back({.name = column.name,
                              .type = column.type,
                              .category = true,
                              .median = 0,
                              .levels = std::move(levels),
                              .has_other = has_other || options.category_codes,
                              .rare = std::move(rare),
                              .missing_share = missing_share(column),
                              .has_missing = has_missing});
  if (options.category_codes)
    encoding.features.push_back({column.name, EncodedKind::category, encoding.columns.size() - 1, 0});
  else
    add_indicators(encoding);
}

/// Whole numbers from 0 or 1 on, as many as rows, with the median of such a sequence: most likely a number of
/// the row. (With few rows this may be chance.)
bool numbers_the_rows(const ColumnSummary& column) {
  const auto rows = static_cast<double>(column.rows);
  return !column.is_category() && column.type == ColumnType::number && column.missing == 0 &&
         column.rows >= fewest_names && (column.minimum == 0 || column.minimum == 1) &&
         column.maximum == column.minimum + rows - 1 &&
         column.median == (column.minimum + column.maximum) / 2;
}

const ColumnSummary* summary_of(std::span<const ColumnSummary> columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &ColumnSummary::name);
  return found == columns.end() ? nullptr : &*found;
}

/// Makes names unique, because features and levels are identified by name: a level may be called "(other)",
/// or a column "a=b". The later one gets a number.
void make_unique(std::string& name, std::unordered_set<std::string>& taken) {
  const std::string wanted = name;
  for (int number = 2; !taken.insert(name).second; ++number)
    name = wanted + " (" + std::to_string(number) + ")";
}

}  // namespace

EncodingOptions EncodingOptions::paper() {
  EncodingOptions options;
  options.group_rare_levels = false;
  options.missing_flag_share = std::numeric_limits<double>::infinity();
  options.missing_level = false;
  options.leave_out_constants = false;
  options.category_codes = false;
  options.numbers_first = true;
  return options;
}

Encoding make_encoding(std::span<const ColumnSummary> columns, const EncodingOptions& options) {
  if (options.max_levels == 0)
    throw Error(ErrorCode::invalid_argument, "no_levels_allowed",
                "At least one level per category is needed: max_levels must be 1 or more.");
  Encoding encoding;
  const std::vector<std::size_t> limits = level_limits(columns, options);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ColumnSummary& column = columns[c];
    if (column.present() == 0)
      encoding.left_out.push_back({column.name, "it has no value in any row"});
    else if (column.is_category())
      add_category(column, options, limits[c], encoding);
    else
      add_number(column, options, encoding);
  }
  if (encoding.features.empty())
    refuse_data("no_features",
                columns.empty()
                    ? "There are no columns to use as features beside the target."
                    : "No feature is left: every column has the same value in all rows, or none at all.");
  if (options.numbers_first)
    std::stable_partition(encoding.features.begin(), encoding.features.end(),
                          [](const EncodedFeature& feature) { return feature.kind == EncodedKind::numeric; });
  std::unordered_set<std::string> taken;
  for (EncodedFeature& feature : encoding.features) make_unique(feature.name, taken);
  return encoding;
}

std::vector<std::string> level_names(const EncodedColumn& column) {
  std::vector<std::string> names = column.levels;
  if (column.has_missing) names.emplace_back("(missing)");
  names.emplace_back("(other)");
  std::unordered_set<std::string> taken;
  for (std::string& name : names) make_unique(name, taken);
  return names;
}

std::vector<Message> encoding_notes(std::span<const ColumnSummary> columns, const Encoding& encoding) {
  std::vector<Message> notes;
  const auto add = [&](std::string_view reason, std::string_view pattern, std::vector<Argument> arguments) {
    notes.emplace_back(reason, pattern, std::move(arguments));
  };
  for (const LeftOutColumn& column : encoding.left_out)
    if (const ColumnSummary* summary = summary_of(columns, column.name);
        summary != nullptr && names_the_rows(*summary))
      add("column_names_rows",
          "Column '{column}' is left out: it has a different value in each of its {rows} rows, so that it "
          "names the rows and says nothing about new ones.",
          {{"column", column.name}, {"rows", summary->present()}});
    else
      add("column_left_out", "Column '{column}' is left out: {why}.",
          {{"column", column.name}, {"why", column.reason}});
  for (const EncodedColumn& used : encoding.columns) {
    const ColumnSummary* summary = summary_of(columns, used.name);
    if (summary == nullptr) continue;
    const std::uint64_t rare = used.has_other ? summary->distinct - used.levels.size() : 0;
    if (rare > 0)
      add("rare_levels_grouped",
          rare == 1 ? "Column '{column}' has {levels} levels; the rarest counts as \"(other)\"."
                    : "Column '{column}' has {levels} levels; the {rare} rarest are grouped as \"(other)\".",
          {{"column", used.name}, {"levels", summary->distinct}, {"rare", rare}});
    if (numbers_the_rows(*summary))
      add("column_numbers_rows", "Column '{column}' seems to number the rows, from {first} to {last}.",
          {{"column", used.name},
           {"first", static_cast<long>(summary->minimum)},
           {"last", static_cast<long>(summary->maximum)}});
    if (summary->of_text_file && has_codes(*summary))
      add("category_of_codes",
          "Column '{column}' has numbers with leading zeros, such as '{code}', and is treated as a category.",
          {{"column", used.name}, {"code", summary->code_text}});
    else if (has_numbers(*summary, half_numbers))
      add("category_of_numbers", "Column '{column}' is text and treated as a category, though {numbers}.",
          {{"column", used.name}, {"numbers", numbers_among_texts(*summary)}});
    else if (has_formatted_numbers(*summary))
      add("category_of_formatted_numbers",
          "Column '{column}' is text and treated as a category, though its values are numbers with signs in "
          "them, such as '{text}'.",
          {{"column", used.name}, {"text", summary->formatted_text}});
  }
  return notes;
}

std::uint64_t encoded_bytes(const Encoding& encoding, std::uint64_t rows, bool weighted, bool grouped) {
  const std::uint64_t numbers = encoding.features.size() + 1 + (weighted ? 1 : 0) + (grouped ? 1 : 0);
  return rows * numbers * sizeof(double);
}

}  // namespace kore::table

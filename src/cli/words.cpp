#include "cli/words.hpp"

#include "duckdb/sql.hpp"
#include "story/front_words.hpp"
#include "table/text_values.hpp"

namespace kore::cli {
namespace {

constexpr story::Wording wordings[]{
    {"too_many_pair_columns", "",
     "Give fewer pairs with --pairs; a higher --memory-limit allows 2500 at most."},
    {"too_many_main_columns", "",
     "Give fewer features (or levels); a higher --memory-limit allows 2500 at most."},
    {"no_pair_explains_enough", "", "Give the pairs with --pairs, or leave out --structure pairwise."},
    {"no_pair_found", "", "Leave out --structure pairwise."},
    {"too_few_rows_for_pairs", "", "Give fewer pairs with --pairs, or leave out --structure pairwise."},
    {"pairwise_without_pairs",
     "--structure is pairwise; it must be auto or additive where there are no pairs.", ""},
    {"max_order_forbids_pairs",
     "--max-order is 1; it must be 2 or 3 with given --pairs or --structure pairwise.", ""},
    {"published_method_too_large", "",
     "Compare with fewer columns, or without the limit, with --profile paper."},
    {"text_is_mostly_numbers", "",
     "Turn it into numbers (in a query: TRY_CAST({column_sql} AS DOUBLE), which makes other texts missing "
     "values), treat it as a category with --categorical {column_typed}, or leave it out with --drop "
     "{column_typed}."},
    {"text_is_formatted_numbers", "",
     "Turn it into numbers in a query ({numbers_sql}), or leave it out with --drop {column_typed}."},
    {"rare_levels_grouped", "", "--max-levels sets how many levels have an effect of their own."},
    {"too_many_levels", "",
     "Leave it out with --drop {column_typed}, or use the default profile, which groups rare levels."},
    {"column_numbers_rows", "",
     "If it says nothing about new ones, leave it out with --drop {column_typed}."},
    {"numbers_are_codes", "", "--categorical {column_typed} gives each of them an effect of its own."},
    {"category_of_numbers",
     "Column '{column}' is text and treated as a category, though {numbers}; in a query, "
     "TRY_CAST({column_sql} "
     "AS DOUBLE) makes it numbers.",
     ""},
    {"category_of_formatted_numbers",
     "Column '{column}' is text and treated as a category, though its values are numbers with signs in "
     "them, such as '{text}'; in a query, {numbers_sql} makes them numbers.",
     ""},
    {"repeated_column", "", "Leave one of them out with --drop {column_typed}."},
    {"unusable_type", "",
     "Leave it out with --drop {column_typed}, or turn it into numbers or texts in a query."},
    {"infinite_in_table", "",
     "Correct it, leave the value out, or leave the column out with --drop {column_typed}."},
    {"out_of_memory_reading", "", "Raise --memory-limit, or free space in the folder for temporary files."},
    {"weights_far_from_rows", "",
     "If they are precisions, of which only the ratios matter, name them with --precision {column_typed}."},
    {"groups_without_referee",
     "--group leaves groups out by the referee, and --referee-folds 1 means that there is none.", ""},
    {"weights_and_precision",
     "--weights and --precision cannot both be given: weights such as '{weights}' count rows, and of "
     "precisions such as '{precision}' only the ratios matter.",
     ""},
    {"classes_for_binomial", "", "--positive names it, and --family multinomial fits all classes."},
    {"day_or_month_first", "", "--date-format {other} reads them the other way."},
    {"period_not_told", "", "--cyclic {column_typed}:360 gives it."},
    {"memory_limit_left_models_out", "", "A higher --memory-limit may give another model."},
};

/// A name as it is typed on a command line: in double quotes where the shell would take it apart.
std::string as_typed(std::string_view name) {
  const bool plain = !name.empty() && name.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_.-") == std::string_view::npos;
  return plain ? std::string(name) : "\"" + std::string(name) + "\"";
}

/// Adds what a person types for the column of a message, in the shell and in a query.
Message with_spellings(const Message& message) {
  const std::string_view column = message.argument("column");
  if (column.empty()) return message;
  std::vector<Argument> spellings{{"column_typed", as_typed(column)}, {"column_sql", duckdb::as_sql(column)}};
  const std::string_view text = message.argument("text");
  if (!text.empty())
    spellings.emplace_back("numbers_sql", table::has_decimal_comma(text) ? duckdb::without_commas(column)
                                                                         : duckdb::without_signs(column));
  return message.with(spellings);
}

}  // namespace

std::string in_words_of_the_command(const Message& message) {
  return story::worded(with_spellings(message), wordings);
}

std::vector<std::string> in_words_of_the_command(const std::vector<Message>& messages) {
  std::vector<std::string> sentences;
  for (const Message& message : messages) sentences.push_back(in_words_of_the_command(message));
  return sentences;
}

}  // namespace kore::cli

#include "table/target_values.hpp"

#include <algorithm>

#include "table/refusals.hpp"
#include "table/text_values.hpp"

namespace kore::table {
namespace {

bool reads_as_number(const std::string& value) {
  return parse_number(value) || is_formatted_number(value) || has_decimal_comma(value);
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
  return lower;
}

/// All values that are not positive, as one word.
std::string all_but(const std::string& positive, const std::vector<std::string>& values) {
  if (values.size() == 2) return values[0] == positive ? values[1] : values[0];
  return "not " + positive;
}

}  // namespace

std::vector<std::string> as_written(std::vector<std::string> levels, const BooleanWords& words) {
  for (std::string& level : levels) {
    if (level == "false")
      level = words.no;
    else if (level == "true")
      level = words.yes;
  }
  return levels;
}

void sort_numbers(std::vector<std::string>& values) {
  const auto number = [](const std::string& value) { return parse_number(value); };
  if (std::ranges::all_of(values, [&](const std::string& value) { return number(value).has_value(); }))
    std::ranges::stable_sort(values, {}, [&](const std::string& value) { return *number(value); });
}

std::vector<std::string> classes_of_text(std::vector<std::string> values, std::uint64_t rows) {
  constexpr std::uint64_t rows_per_class = 3;
  if (values.size() < 2 || std::ranges::any_of(values, reads_as_number)) return {};
  if (values.size() > 2 && rows < rows_per_class * values.size()) return {};
  return values;
}

void put_yes_last(std::vector<std::string>& values) {
  for (std::size_t way = 0; way < no_words.size(); ++way)
    if (lowered(values[1]) == no_words[way] && lowered(values[0]) == yes_words[way])
      std::swap(values[0], values[1]);
}

std::vector<std::string> levels_of_positive(const std::string& positive,
                                            const std::vector<std::string>& values) {
  return {all_but(positive, values), positive};
}

std::string in_words_of(ColumnType type, const std::string& positive) {
  if (type != ColumnType::boolean) return positive;
  for (std::size_t way = 0; way < no_words.size(); ++way) {
    if (lowered(positive) == yes_words[way]) return "true";
    if (lowered(positive) == no_words[way]) return "false";
  }
  return positive;
}

Message yes_or_no_note(const std::string& target, const std::vector<std::string>& levels) {
  return {"yes_or_no_target",
          "The target '{target}' is {no} or {yes}: {yes} counts as 1 and {no} as 0.",
          {{"target", target}, {"no", levels[0]}, {"yes", levels[1]}}};
}

void refuse_positive(const std::string& positive, const std::string& target, const std::string& table) {
  refuse_data("no_positive_row", "No row of {table} has '{value}' in the target '{column}'.",
              {{"table", table}, {"value", positive}, {"column", target}});
}

void refuse_classes(const std::string& target, const std::string& table) {
  refuse_data("too_many_classes",
              "The target '{column}' has more than {most} values in {table}, which are too many classes.",
              {{"column", target}, {"most", most_classes}, {"table", table}});
}

void refuse_offsets(const std::string& offset, std::uint64_t rows, const std::string& table) {
  refuse_data("missing_offsets",
              "The offsets '{column}' have no finite value in {rows} rows of {table}. Give every row one; 0 "
              "adds nothing.",
              {{"column", offset}, {"rows", rows}, {"table", table}});
}

void refuse_infinite_target(const std::string& target, const std::string& table) {
  refuse_data("infinite_target",
              "The target '{column}' is infinite in a row of {table}. Correct it, or leave the value out: "
              "rows without a target are not used.",
              {{"column", target}, {"table", table}});
}

void refuse_zero_exposure(const std::string& exposure, const std::string& table) {
  refuse_data("zero_exposure",
              "The exposures '{exposure}' of {table} go down to 0: of a row without exposure there is no "
              "rate. Leave such rows out.",
              {{"exposure", exposure}, {"table", table}});
}

}  // namespace kore::table

#include "c_interface/target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "table/target_values.hpp"
#include "table/text_values.hpp"

namespace kore::c_interface {
namespace {

using table::Column;
using table::ColumnType;
using table::TableSummary;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// The texts of the rows, empty where a value is missing, which no text is.
std::vector<std::string_view> texts_of(const Column& texts) {
  std::vector<std::string_view> values;
  values.reserve(texts.codes.size());
  for (const std::int32_t code : texts.codes) {
    const std::string_view text = code < 0 ? "" : texts.dictionary[static_cast<std::size_t>(code)];
    values.push_back(table::marks_missing(text) ? "" : text);
  }
  return values;
}

/// The different ones in their order.
std::vector<std::string> different(std::vector<std::string_view> texts) {
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::vector<std::string> values;
  for (const std::string_view text : texts)
    if (!text.empty()) values.emplace_back(text);
  table::sort_numbers(values);
  return values;
}

bool all_numbers(const std::vector<std::string>& values) {
  return std::ranges::all_of(values, [](const std::string& v) { return table::read_number(v).has_value(); });
}

/// What stands for 0, 1, ...; nothing where the target is to be read as a number.
std::vector<std::string> levels_of(const Column& column, const std::vector<std::string_view>& texts,
                                   const table::ColumnChoice& choice, const std::string& origin) {
  const std::vector<std::string> values = different(texts);
  const std::string positive = table::in_words_of(column.type, choice.positive);
  if (!positive.empty()) {
    if (std::ranges::find(texts, positive) == texts.end())
      table::refuse_positive(choice.positive, column.name, origin);
    return table::levels_of_positive(positive, values);
  }
  if (choice.classes && values.size() > table::most_classes) table::refuse_classes(column.name, origin);
  if (!choice.classes && (values.size() > table::most_classes || all_numbers(values))) return {};
  const auto there =
      static_cast<std::uint64_t>(std::ranges::count_if(texts, [](auto text) { return !text.empty(); }));
  std::vector<std::string> levels = choice.classes ? values : table::classes_of_text(values, there);
  if (levels.size() < 2) return {};
  if (levels.size() == 2) table::put_yes_last(levels);
  return levels;
}

/// The place of each text among the levels; where there are two, all that are not the second are the first.
std::vector<double> places_of(const std::vector<std::string_view>& texts,
                              const std::vector<std::string>& levels) {
  std::vector<double> places;
  places.reserve(texts.size());
  for (const std::string_view text : texts) {
    const auto found = std::ranges::find(levels, text);
    if (text.empty())
      places.push_back(missing);
    else
      places.push_back(levels.size() == 2 ? (text == levels[1] ? 1.0 : 0.0)
                                          : static_cast<double>(found - levels.begin()));
  }
  return places;
}

}  // namespace

std::vector<double> numbers_of(const Column& column, std::size_t rows) {
  const Column numbers = table::as_numbers(column, ColumnType::number, rows);
  std::vector<double> values(rows);
  for (std::size_t row = 0; row < rows; ++row) values[row] = numbers.numbers[row];
  return values;
}

std::vector<double> read_target(const Column& column, std::size_t rows, const table::ColumnChoice& choice,
                                const std::string& origin, TableSummary& summary) {
  if (column.is_text() || choice.classes || !choice.positive.empty()) {
    const Column texts = table::as_texts(column, rows);
    const std::vector<std::string_view> values = texts_of(texts);
    if (std::vector<std::string> levels = levels_of(column, values, choice, origin); !levels.empty()) {
      summary.target_type = ColumnType::text;
      summary.target_levels = std::move(levels);
      if (!summary.has_classes())
        summary.notes.push_back(table::yes_or_no_note(column.name, summary.target_levels));
      return places_of(values, summary.target_levels);
    }
  }
  std::vector<double> target = numbers_of(column, rows);
  if (column.type == ColumnType::boolean) {
    summary.target_levels = {"false", "true"};
    summary.notes.push_back(table::yes_or_no_note(column.name, summary.target_levels));
  }
  return target;
}

}  // namespace kore::c_interface

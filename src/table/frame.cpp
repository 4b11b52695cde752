#include "table/frame.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"
#include "table/refusals.hpp"

namespace kore::table {

std::vector<std::string> Frame::names() const {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

void TextPool::add(std::string_view text) { codes_.push_back(place_of(text)); }

std::int32_t TextPool::place_of(std::string_view text) {
  const auto [entry, added] =
      places_.try_emplace(std::string(text), static_cast<std::int32_t>(dictionary_.size()));
  if (added) dictionary_.emplace_back(entry->first);
  return entry->second;
}

Column TextPool::finish(TextPool pool, std::string name) {
  // A model that holds such a text could not be shown, nor read again.
  if (!std::ranges::all_of(pool.dictionary_, is_utf8))
    refuse_data("text_not_utf8", "Column '{column}' has a text that is not UTF-8.", {{"column", name}});
  const auto kept = std::make_shared<const TextPool>(std::move(pool));
  Column column;
  column.name = std::move(name);
  column.type = ColumnType::text;
  column.codes = kept->codes_;
  column.dictionary = kept->dictionary_;
  column.owner = kept;
  return column;
}

Column owned_numbers(std::string name, ColumnType type, std::vector<double> values) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(values));
  Column column;
  column.name = std::move(name);
  column.type = type;
  column.numbers = {kept->data(), 1};
  column.owner = kept;
  return column;
}

}  // namespace kore::table

#include "cli/curve_words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/name_list.hpp"
#include "kore/error.hpp"

namespace kore::cli {
namespace {

struct Word {
  std::string column;
  std::string number;  // behind the colon; empty without one
};

/// A name that has a colon or a comma of its own is put in quotes, or is a column as it stands.
std::vector<Word> words_of(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& columns) {
  std::vector<Word> words;
  const auto is_column = [&](const std::string& name) {
    return std::ranges::find(columns, name) != columns.end();
  };
  for (const std::string& argument : arguments) {
    if (is_column(argument)) {
      words.push_back({argument, ""});
      continue;
    }
    for (const std::string& part : split_outside_quotes(argument, ',')) {
      std::vector<std::string> ends = split_outside_quotes(part, ':');
      if (ends.size() == 1 || is_column(without_quotes(part))) {
        words.push_back({without_quotes(part), ""});
        continue;
      }
      const std::string number = ends.back();
      words.push_back({without_quotes(part.substr(0, part.size() - number.size() - 1)), number});
    }
  }
  return words;
}

template <class Number>
bool reads(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<std::pair<std::string, double>> cyclic_columns(const std::vector<std::string>& arguments,
                                                           const std::vector<std::string>& columns) {
  std::vector<std::pair<std::string, double>> found;
  for (const Word& word : words_of(arguments, columns)) {
    double period = 0;
    if (!word.number.empty() && (!reads(word.number, period) || !(period > 0) || !std::isfinite(period)))
      throw Error(
          ErrorCode::invalid_argument, "bad_period",
          "--cyclic {column}:{period} does not give a period, a number above 0 such as in {column}:24.",
          {{"column", word.column}, {"period", word.number}});
    found.emplace_back(word.column, period);
  }
  return found;
}

std::vector<std::pair<std::string, int>> largest_resolutions(const std::vector<std::string>& arguments,
                                                             const std::vector<std::string>& columns) {
  std::vector<std::pair<std::string, int>> found;
  for (const Word& word : words_of(arguments, columns)) {
    int resolution = 0;
    if (!reads(word.number, resolution) || resolution < 1)
      throw Error(ErrorCode::invalid_argument, "bad_max_resolution",
                  "--max-resolution takes a column with a whole number of at least 1, as in {column}:24.",
                  {{"column", word.column}});
    found.emplace_back(word.column, resolution);
  }
  return found;
}

}  // namespace kore::cli

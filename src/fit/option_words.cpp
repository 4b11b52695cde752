#include <fmt/format.h>

#include <array>

#include "base/number_text.hpp"
#include "fit/option_records.hpp"

namespace kore {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::string allowed_integers(const OptionRecord& record) {
  const std::string lowest = number_text(record.lowest);
  if (record.highest >= std::numeric_limits<int>::max()) return "at least " + lowest;
  constexpr double few = 3;
  if (record.highest - record.lowest >= few)
    return "between " + lowest + " and " + fmt::format("{}", static_cast<long>(record.highest));
  std::vector<std::string> words;
  for (auto value = static_cast<int>(record.lowest); value <= static_cast<int>(record.highest); ++value)
    words.push_back(number_text(value));
  return listed(words);
}

std::string allowed_numbers(const OptionRecord& record) {
  const std::string lowest = number_text(record.lowest);
  if (record.highest < std::numeric_limits<double>::max())
    return record.ends_excluded ? "above " + lowest + " and below " + number_text(record.highest)
                                : "between " + lowest + " and " + number_text(record.highest);
  const bool finite = record.highest == std::numeric_limits<double>::max();
  return std::string(finite ? "a finite number" : "a number") +
         (record.lowest == 0 ? " that is not negative" : " of at least " + lowest);
}

std::string in_code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

std::string default_of(const OptionRecord& record, const Options& profile) {
  const std::optional<OptionValue> value = record.value(profile);
  return value ? in_code(value->text) : "";
}

std::string table_row(const OptionRecord& record, const std::vector<std::string>& defaults) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", record.name, type_word(record.type),
                     allowed_values(record), fmt::join(defaults, " | "), in_code(record.flag),
                     in_code(record.python), record.sentence);
}

std::string table_of(OptionOwner owner, const std::vector<std::pair<std::string, Options>>& profiles) {
  std::vector<std::string> names;
  for (const auto& [name, options] : profiles) names.push_back(name);
  std::string table = fmt::format(
      "| option | type | may be | {} | command | Python | meaning |\n|---|---|---|{}---|---|---|\n",
      fmt::join(names, " | "), names.size() == 1 ? "---|" : "---|---|");
  for (const OptionRecord& record : option_records()) {
    if (record.owner != owner) continue;
    std::vector<std::string> defaults;
    for (const auto& [name, options] : profiles) defaults.push_back(default_of(record, options));
    table += table_row(record, defaults);
  }
  return table;
}

}  // namespace

std::string_view type_word(OptionType type) {
  constexpr std::array<std::string_view, 6> words{"integer", "number", "flag", "choice", "list", "function"};
  return words.at(static_cast<std::size_t>(type));
}

std::string allowed_values(const OptionRecord& record) {
  switch (record.type) {
    case OptionType::integer:
      return allowed_integers(record);
    case OptionType::number:
      return allowed_numbers(record);
    case OptionType::choice:
      return listed({record.choices.begin(), record.choices.end()});
    case OptionType::flag:
      return "true or false";
    case OptionType::list:
    case OptionType::function:
      break;
  }
  return "";
}

std::string options_page() {
  const Options standard;
  const Options paper = Options::paper();
  return "# Options\n\n"
         "What can be set about a fit. The engine's own names are those of `Options`, `GrownOptions` and\n"
         "`PublishedOptions` in [options.hpp](../include/kore/options.hpp), which explains each at length. "
         "The command has\nflags for some, and the Python estimators parameters. (In C++ `auto` is the "
         "enumerator `automatic`. The classes\n`KOREAdditiveRegressor` and `KOREPairwiseRegressor` have one "
         "`max_G`; `n_jobs` counts as in scikit-learn.)\n\n"
         "This page is made from the records in `src/fit/option_records.cpp`; a test keeps it in step.\n\n"
         "## Of every fit\n\n" +
         table_of(OptionOwner::every_method, {{"default profile", standard}, {"paper profile", paper}}) +
         "\n## Of the default method\n\n" + table_of(OptionOwner::default_method, {{"default", standard}}) +
         "\n## Of the published method\n\n" + table_of(OptionOwner::published_method, {{"default", paper}});
}

}  // namespace kore

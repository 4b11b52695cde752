#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fit/option_records.hpp"
#include "kore/error.hpp"
#include "table/target_values.hpp"
#include "table/training.hpp"

namespace kore::table {
namespace {

/// As the table writes it.
std::string word_of_yes(const TableSummary& summary) {
  const auto words = std::ranges::find(summary.words, summary.target, &BooleanWords::column);
  return words != summary.words.end() ? as_written(summary.target_levels, *words)[1]
                                      : summary.target_levels[1];
}

Family family_named(const std::string& word) {
  const std::vector<std::string_view>& words = option_record("family").choices;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return static_cast<Family>(i);
  throw Error(ErrorCode::invalid_argument, "unknown_family",
              "'{family}' is not a family; it must be auto, {allowed}.",
              {{"family", word}, {"allowed", allowed_values(option_record("family"))}});
}

/// Counts: whole numbers from zero on, of more than two values and not many.
bool looks_like_counts(const TableSummary& summary) {
  constexpr double most = 200;
  return summary.whole_target && summary.target_minimum <= 1 && summary.target_maximum <= most &&
         summary.target_levels.empty();
}

/// The classes of a target, as few of them as a sentence can have.
std::string some_of(const std::vector<std::string>& classes) {
  constexpr std::size_t shown = 6;
  const std::vector<std::string> first(
      classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(std::min(shown, classes.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), classes.size() > shown ? ", ..." : "");
}

/// Every class against all others is a target of yes and no.
Family family_of_classes(Preparation& prepared, const std::string& word) {
  const TableSummary& summary = prepared.summary;
  const std::vector<Argument> target{{"target", summary.target},
                                     {"number", summary.target_levels.size()},
                                     {"classes", some_of(summary.target_levels)},
                                     {"family", word}};
  if (prepared.profile == Profile::paper)
    throw Error(ErrorCode::invalid_data, "classes_of_another_profile",
                "The target '{target}' has {number} classes ({classes}). The paper profile fits numbers; the "
                "default profile fits classes too.",
                target);
  if (word == "binomial")
    throw Error(ErrorCode::invalid_data, "classes_for_binomial",
                "The target '{target}' has {number} values ({classes}); the binomial family needs two. "
                "Say which value counts as yes.",
                target);
  if (word != "auto" && word != multinomial_word)
    throw Error(ErrorCode::invalid_data, "classes_instead_of_numbers",
                "The target '{target}' has {number} classes ({classes}); the {family} family needs numbers.",
                target);
  prepared.notes.emplace_back(
      "multinomial_family",
      "The target '{target}' has {number} classes ({classes}), so that its family is multinomial: each class "
      "has a model of its own, and predictions are probabilities of classes.",
      target);
  return Family::binomial;
}

}  // namespace

Family choose_family(Preparation& prepared, const std::string& word) {
  const TableSummary& summary = prepared.summary;
  if (summary.has_classes()) return family_of_classes(prepared, word);
  if (word == multinomial_word) return choose_family(prepared, "binomial");
  if (word != "auto") return family_named(word);
  if (prepared.profile == Profile::paper) return Family::normal;
  if (!summary.exposure.empty()) return Family::poisson;
  if (!summary.target_levels.empty()) {
    prepared.notes.emplace_back(
        "binomial_family",
        "The target '{target}' has two values, so that its family is binomial: predictions are probabilities "
        "of {yes}.",
        std::vector<Argument>{{"target", summary.target}, {"yes", word_of_yes(summary)}});
    return Family::binomial;
  }
  if (looks_like_counts(summary))
    prepared.notes.emplace_back(
        "counts_as_numbers",
        "The target '{target}' may be counts: whole numbers from {lowest} to {highest}. It is fitted as any "
        "number.",
        std::vector<Argument>{{"target", summary.target},
                              {"lowest", summary.target_minimum},
                              {"highest", summary.target_maximum}});
  return Family::normal;
}

OffsetUse offset_use_of(std::string_view word) {
  return word == "poisson" ? OffsetUse::exposure
         : word == "gamma" ? OffsetUse::divided
                           : OffsetUse::subtracted;
}

void set_family(Options& options, const Preparation& prepared, Family family) {
  const std::string word{option_record("family").choices.at(static_cast<std::size_t>(family))};
  if (options.is_published()) {
    if (family == Family::normal) return;
    throw Error(ErrorCode::invalid_argument, "family_of_another_profile",
                "The {family} family belongs to the default profile. The paper profile fits the target as a "
                "number, with squared errors.",
                {{"family", word}});
  }
  if (!prepared.summary.offset.empty() &&
      (prepared.summary.has_classes() || family == Family::binomial || family == Family::negative_binomial))
    throw Error(ErrorCode::invalid_argument, "offset_of_another_family",
                "An offset goes with the normal, the poisson and the gamma family, not with {family}.",
                {{"family", prepared.summary.has_classes() ? std::string(multinomial_word) : word}});
  const bool rates = !prepared.summary.exposure.empty();
  if (rates && family != Family::poisson)
    throw Error(ErrorCode::invalid_argument, "exposure_without_counts",
                "Exposures go with the poisson family, whose counts grow with them, not with {family}.",
                {{"family", word}});
  if (family == Family::binomial && prepared.summary.target_levels.empty() &&
      !(prepared.summary.target_minimum >= 0 && prepared.summary.target_maximum <= 1))
    throw Error(ErrorCode::invalid_data, "target_of_many_values",
                "The target '{target}' has values from {lowest} to {highest}; the binomial family needs two. "
                "Say which value counts as yes.",
                {{"target", prepared.summary.target},
                 {"lowest", prepared.summary.target_minimum},
                 {"highest", prepared.summary.target_maximum}});
  options.grown().family = family;
  if (rates) options.grown().dispersion = prepared.summary.weight_factor;
}

}  // namespace kore::table

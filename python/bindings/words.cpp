#include "bindings/words.hpp"

#include <regex>

#include "story/front_words.hpp"

namespace kore::python {
namespace {

constexpr story::Wording wordings[]{
    {"too_many_pair_columns", "", "Give fewer pairs."},
    {"too_many_main_columns", "", "Give fewer features (or levels)."},
    {"pairwise_without_pairs", "There is no pair of features.", ""},
    {"published_method_too_large", "",
     "Compare with fewer columns, or without the limit, with profile='paper'."},
};

}  // namespace

std::string in_words_of_python(std::string sentence) {
  // A name as the command is given it: plain, or in double quotes.
  static const std::regex drop(R"( with --drop (?:"[^"]*"|[\w.-]*[\w-]))");
  static const std::regex category(R"re(--categorical (?:"([^"]*)"|([\w.-]*[\w-])))re");
  sentence = std::regex_replace(sentence, drop, "");
  return std::regex_replace(sentence, category, "categorical_features=['$1$2']");
}

std::string worded(const Message& message) { return in_words_of_python(story::worded(message, wordings)); }

std::string statement(const Message& message) { return story::statement(message, wordings); }

}  // namespace kore::python

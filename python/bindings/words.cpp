#include "bindings/words.hpp"

#include <regex>

namespace kore::python {

std::string in_words_of_python(std::string sentence) {
  // A name as the command is given it: plain, or in double quotes.
  static const std::regex drop(R"( with --drop (?:"[^"]*"|[\w.-]*[\w-]))");
  static const std::regex category(R"re(--categorical (?:"([^"]*)"|([\w.-]*[\w-])))re");
  sentence = std::regex_replace(sentence, drop, "");
  return std::regex_replace(sentence, category, "categorical_features=['$1$2']");
}

}  // namespace kore::python

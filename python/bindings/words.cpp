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

std::string without_advice(const std::string& sentence) {
  if (sentence.starts_with("The option 'family'")) return "There is no pair of features.";
  for (const char* advice : {" Let the additive", " Lower 'discovery", " Give fewer pairs"}) {
    const std::size_t at = sentence.find(advice);
    if (at != std::string::npos) return sentence.substr(0, at);
  }
  return sentence;
}

}  // namespace kore::python

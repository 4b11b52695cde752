#include "cli/help.hpp"

#include <algorithm>

namespace kore::cli {
namespace {

/// CLI11 says "INT:INT in [1 - 7]" and "TEXT:{default,paper}".
std::string argument_word(const std::string& type) {
  const std::size_t choices = type.find(":{");
  if (choices != std::string::npos) {
    std::string words = type.substr(choices + 2, type.rfind('}') - choices - 2);
    std::ranges::replace(words, ',', '|');
    return words;
  }
  const std::string kind = type.substr(0, type.find(':'));
  return kind == "INT" || kind == "UINT" || kind == "FLOAT" ? "N" : kind;
}

}  // namespace

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const bool named = !option->get_positional() && option->get_type_size() != 0;
  return (named ? " " + argument_word(option->get_type_name()) : "") +
         (option->get_required() ? " (required)" : "");
}

}  // namespace kore::cli

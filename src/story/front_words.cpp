#include "story/front_words.hpp"

#include <algorithm>

namespace kore::story {

std::string statement(const Message& message, std::span<const Wording> wordings) {
  const auto own = std::ranges::find(wordings, message.reason(), &Wording::reason);
  return own == wordings.end() || own->sentence.empty() ? message.sentence() : message.fill(own->sentence);
}

std::string worded(const Message& message, std::span<const Wording> wordings) {
  const std::string text = statement(message, wordings);
  const auto own = std::ranges::find(wordings, message.reason(), &Wording::reason);
  return own == wordings.end() || own->advice.empty() ? text : text + " " + message.fill(own->advice);
}

}  // namespace kore::story

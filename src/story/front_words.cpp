#include "story/front_words.hpp"

#include <algorithm>

namespace kore::story {

std::string worded(const Message& message, std::span<const Wording> wordings) {
  const auto own = std::ranges::find(wordings, message.reason(), &Wording::reason);
  if (own == wordings.end()) return message.sentence();
  std::string text = own->sentence.empty() ? message.sentence() : message.fill(own->sentence);
  if (!own->advice.empty()) text += " " + message.fill(own->advice);
  return text;
}

}  // namespace kore::story

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kore/message.hpp"

namespace kore::story {

/// How a front words a message: by its reason, a sentence in place of the engine's, and advice behind it.
/// Both are patterns for `Message::fill`; an empty sentence keeps the engine's.
struct Wording {
  std::string_view reason;
  std::string_view sentence;
  std::string_view advice;
};

/// What is the case, in the front's words where it has any, without advice.
std::string statement(const Message& message, std::span<const Wording> wordings);

/// What a front tells a person: the statement, and what to do about it.
std::string worded(const Message& message, std::span<const Wording> wordings);

}  // namespace kore::story

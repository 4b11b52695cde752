#include "kore/message.hpp"

#include <algorithm>

#include "base/number_text.hpp"

namespace kore {

Argument::Argument(std::string_view argument, double number) : name(argument), value(number_text(number)) {}

Message::Message(std::string_view reason, std::string_view pattern, std::vector<Argument> arguments)
    : reason_(reason), arguments_(std::move(arguments)), sentence_(fill(pattern)) {}

std::string_view Message::argument(std::string_view name) const {
  const auto found = std::ranges::find(arguments_, name, &Argument::name);
  return found == arguments_.end() ? std::string_view() : std::string_view(found->value);
}

Message Message::with(const std::vector<Argument>& more) const {
  Message message = *this;
  message.arguments_.insert(message.arguments_.end(), more.begin(), more.end());
  return message;
}

std::string Message::fill(std::string_view pattern) const {
  std::string filled;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    filled += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    pattern.remove_prefix(open);
    const std::size_t close = pattern.find('}');
    const std::string_view name = pattern.substr(1, close == std::string_view::npos ? 0 : close - 1);
    const bool known = std::ranges::any_of(arguments_, [&](const Argument& a) { return a.name == name; });
    // Braces around anything else than the name of an argument are kept as they are.
    filled += known ? argument(name) : pattern.substr(0, 1);
    pattern.remove_prefix(known ? close + 1 : 1);
  }
  return filled;
}

}  // namespace kore

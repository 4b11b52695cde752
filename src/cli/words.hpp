#pragma once

#include <string>
#include <vector>

#include "kore/message.hpp"

namespace kore::cli {

/// A message in the words of the command: options are named as they are typed.
std::string in_words_of_the_command(const Message& message);
std::vector<std::string> in_words_of_the_command(const std::vector<Message>& messages);

}  // namespace kore::cli

#pragma once

#include <string>
#include <vector>

#include "kore/message.hpp"

namespace kore::test {

inline std::vector<std::string> sentences(const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  for (const Message& message : messages) texts.push_back(message.sentence());
  return texts;
}

}  // namespace kore::test

#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace kore::experiments {

/// One field of a file of test vectors. Whole numbers beyond 2^53 are kept in it as strings. Returned as a
/// value, so that a range-based loop may run over the call itself.
inline nlohmann::json load_vectors(const std::string& name, const std::string& field) {
  std::ifstream file(std::string(KORE_TEST_DATA) + "/" + name);
  if (!file) throw std::runtime_error("The test vectors " + name + " are missing from tests/data.");
  return nlohmann::json::parse(file).at(field);
}

inline std::uint64_t unsigned_from(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>());
}

inline std::vector<std::uint64_t> unsigned_list_from(const nlohmann::json& texts) {
  std::vector<std::uint64_t> numbers;
  for (const auto& text : texts) numbers.push_back(unsigned_from(text));
  return numbers;
}

}  // namespace kore::experiments

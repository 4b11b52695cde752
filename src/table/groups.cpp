#include "table/groups.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/hash.hpp"
#include "table/refusals.hpp"
#include "table/text_values.hpp"

namespace kore::table {
namespace {

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = mix_number(0, static_cast<double>(text.size()));
  for (std::size_t first = 0; first < text.size(); first += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    const std::string_view part = text.substr(first, sizeof word);
    std::memcpy(&word, part.data(), part.size());
    hash = mix_number(hash, std::bit_cast<double>(word));
  }
  return hash;
}

}  // namespace

double group_of_text(std::string_view text) {
  // Larger numbers, such as long identifiers, are not told apart as doubles.
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (const auto number = parse_number(text); number && !is_code(text) && std::abs(*number) < exact)
    return *number + 0.0;
  // Whole numbers from -2^53 to -2^52, each of which a double holds exactly.
  constexpr std::uint64_t far = std::uint64_t{1} << 52U;
  return -static_cast<double>(far + hash_of(text) % far);
}

std::vector<double> groups_of(const Column& column, std::size_t rows) {
  std::vector<double> groups;
  groups.reserve(rows);
  if (!column.is_text()) {
    for (std::size_t row = 0; row < rows; ++row) groups.push_back(column.numbers[row] + 0.0);
    return groups;
  }
  std::vector<double> of_text;
  for (const std::string_view text : column.dictionary) of_text.push_back(group_of_text(text));
  for (const std::int32_t code : column.codes)
    groups.push_back(code < 0 ? std::numeric_limits<double>::quiet_NaN()
                              : of_text[static_cast<std::size_t>(code)]);
  return groups;
}

void refuse_missing_groups(std::string_view column, std::uint64_t rows, std::string_view table) {
  refuse_data("missing_groups",
              rows == 1
                  ? "The group '{column}' has no value in {rows} row of {table}. Give every row a group."
                  : "The group '{column}' has no value in {rows} rows of {table}. Give every row a group.",
              {{"column", column}, {"rows", rows}, {"table", table}});
}

}  // namespace kore::table

#include "experiments/claims.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kore::experiments {

std::string fixed(double value, int digits) {
  if (std::isnan(value)) return "undefined";
  std::array<char, 400> buffer{};  // the largest double takes 309 digits before the point
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits)
          .ptr;
  const std::string text(buffer.data(), end);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string fixed_range(double lowest, double highest, int digits) {
  const std::string low = fixed(lowest, digits);
  const std::string high = fixed(highest, digits);
  return low == high ? low : low + " to " + high;
}

std::string fixed_range(std::span<const double> values, int digits) {
  if (values.empty()) return "nothing";
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  return fixed_range(*lowest, *highest, digits);
}

Claim equals(std::string claim, double paper, double ours, int digits, const std::string& unit,
             std::string remark) {
  const std::string theirs = fixed(paper, digits);
  const std::string here = fixed(ours, digits);
  return {std::move(claim), theirs + unit, here + unit, theirs == here, std::move(remark)};
}

Claim spans(std::string claim, double lowest, double highest, std::span<const double> ours, int digits,
            const std::string& unit, std::string remark) {
  const std::string theirs = fixed_range(lowest, highest, digits);
  const std::string here = fixed_range(ours, digits);
  return {std::move(claim), theirs + unit, here + unit, theirs == here, std::move(remark)};
}

Claim near(std::string claim, double paper, double ours, double margin, int digits, std::string remark) {
  return {std::move(claim), fixed(paper, digits), fixed(ours, digits), std::abs(ours - paper) <= margin,
          std::move(remark)};
}

}  // namespace kore::experiments

#pragma once

#include <span>
#include <string>

#include "experiments/study.hpp"

namespace kore::experiments {

/// A number with so many digits after the point.
std::string fixed(double value, int digits);
/// "0.0077 to 0.0081".
std::string fixed_range(double lowest, double highest, int digits);
std::string fixed_range(std::span<const double> values, int digits);

/// The paper gives a number with so many digits, and the claim holds if ours rounds to the same.
Claim equals(std::string claim, double paper, double ours, int digits, const std::string& unit = "",
             std::string remark = "");
/// The paper gives a range, and the claim holds if ours rounds to the same.
Claim spans(std::string claim, double lowest, double highest, std::span<const double> ours, int digits,
            const std::string& unit = "", std::string remark = "");
/// The paper gives a prediction, and the claim holds if ours is at most `margin` away.
Claim near(std::string claim, double paper, double ours, double margin, int digits, std::string remark = "");

}  // namespace kore::experiments

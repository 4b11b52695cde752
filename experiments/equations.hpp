#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The default profile on the twelve equations of the paper, beside exhaustive cross-validation of the
/// published families on the same rows.
namespace kore::experiments {

struct EquationResult {
  std::string equation;
  double default_ratio = 0;  ///< Mean test RMSE over that of cross-validation.
  double paper_ratio = 0;
  double fits = 0;     ///< Mean number of the paper profile.
  double passes = 0;   ///< Mean number of times the default profile reads the rows.
  double seconds = 0;  ///< Mean of the default profile.
};

std::vector<EquationResult> run_equations(std::uint64_t seeds, int threads);

/// Of the default profile's ratios.
double geometric_mean(const std::vector<EquationResult>& results);

}  // namespace kore::experiments

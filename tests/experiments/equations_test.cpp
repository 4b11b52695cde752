// The default profile on the paper's twelve equations, beside exhaustive cross-validation.
#include "experiments/equations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kore::experiments {
namespace {

double ratio(const std::vector<EquationResult>& results, const std::string& name) {
  const auto found = std::ranges::find_if(
      results, [&](const EquationResult& result) { return result.equation.starts_with(name); });
  return found == results.end() ? INFINITY : found->default_ratio;
}

// One test, because the sixty problems are solved once.
TEST(DefaultProfile, BeatsExhaustiveCrossValidationOnThePapersEquations) {
  const std::vector<EquationResult> results = run_equations(5, 2);
  ASSERT_EQ(results.size(), 12U);
  EXPECT_LE(geometric_mean(results), 0.90);
  // The waves and hills that two pilots miss.
  EXPECT_LE(ratio(results, "Oscillator"), 0.75);
  EXPECT_LE(ratio(results, "Franke"), 0.76);
  for (const EquationResult& result : results) {
    EXPECT_LE(result.default_ratio, 1.08) << result.equation;
    EXPECT_LE(result.passes, result.fits) << result.equation;
  }
}

}  // namespace
}  // namespace kore::experiments

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/statistics/grid.hpp"

/// Tests of whether methods differ, as in Demsar, "Statistical comparisons of classifiers over multiple data
/// sets" (2006).
namespace kore::experiments {

struct TestResult {
  double statistic = 0;
  double p = 1;
};

/// Are the columns alike in rank? Friedman's chi-square over ranks within rows, corrected for ties. A grid
/// whose rows are all ties has no evidence: statistic 0, p 1. Throws `invalid_argument` for fewer than three
/// columns or fewer than two rows.
TestResult friedman(const Grid& grid);

/// Are differences as often above zero as below, large ones too? Wilcoxon's signed-rank test, two-sided:
/// zeros are dropped; up to 50 differences without ties have the exact distribution, all others the normal
/// one with its variance corrected for ties and without a correction for continuity. Statistic: the smaller
/// sum of ranks.
TestResult wilcoxon(std::span<const double> differences);

/// Holm's adjustment: the p-values at which each of several hypotheses falls if any error at all counts.
std::vector<double> holm(std::span<const double> p);

}  // namespace kore::experiments

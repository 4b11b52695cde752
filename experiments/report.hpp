#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/check.hpp"
#include "experiments/study.hpp"

namespace kore::experiments {

/// A study with its results.
struct StudyReport {
  Study study;
  Table table;
  std::optional<Comparison> comparison;  ///< With published result files, if there are any.
  std::string note;                      ///< How this run differs from the published one, if it does.
};

/// Lines of text cells, the first one the heading: per study the rows compared, how many selections agree and
/// the largest differences.
std::vector<Row> comparison_lines(std::span<const StudyReport> reports);

/// One line per disagreement: the cell, the column, our value and the published one.
std::vector<std::string> disagreement_lines(const Comparison& comparison);

/// How many of the claims that can be judged hold.
struct Tally {
  std::size_t held = 0;
  std::size_t judged = 0;
};
Tally tally_of(std::span<const Claim> claims);
/// Of all claims of a study.
Tally tally_of(const StudyReport& report);

/// The page `reproduction.md`: what the paper claims, what came out here, and whether it holds, study by
/// study.
std::string reproduction_page(std::span<const StudyReport> reports);

}  // namespace kore::experiments

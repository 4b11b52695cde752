#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "cli/training.hpp"
#include "fit/compare.hpp"

namespace kore::cli {

/// Both profiles and the classical selectors on one table.
struct Comparison {
  std::vector<ComparedMethod> methods;
  std::vector<std::string> notes;  ///< On how the table was read.
  std::size_t most_columns = 0;    ///< Of the paper's structures; 0 is no limit.
};

/// Reads the table of the arguments and lets every method choose on it. Throws where it does not fit into
/// memory, which cross-validation needs.
Comparison compare_on(const TrainingArguments& arguments, int folds, std::uint32_t seed,
                      ProgressLine& progress);

}  // namespace kore::cli

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "experiments/study.hpp"

namespace kore::experiments {

struct RunProgress {
  std::size_t done = 0;  ///< Cells in the file by now.
  std::size_t total = 0;
  double seconds_left = 0;  ///< By the cost of the cells; NaN before the first is done.
};

struct RunOptions {
  int threads = 0;  ///< 0: all cores. The results do not depend on it.
  std::size_t seeds = std::numeric_limits<std::size_t>::max();  ///< Cells of later seeds are not run.
  double seconds_between_writes = 2;
  std::function<void(const RunProgress&)> progress;  ///< After every cell, from one thread at a time.
};

struct RunResult {
  Table table;
  std::size_t computed = 0;  ///< Cells that were run now; the others were in the file already.
  double seconds = 0;
};

/// Runs the cells that are not in `folder / study.file` yet, the largest first, and keeps the file up to
/// date: always a whole file, in the order of the study's cells, so that a run that was stopped goes on where
/// it was. Rows in the file stay there if the study lists their cells. Summaries are written at the end.
RunResult run_study(const Study& study, const std::filesystem::path& folder, const RunOptions& options = {});

/// The study's file in a folder, in the order of its cells and with what is derived; nothing if there is no
/// such file, or cells of the first `seeds` seeds are missing from it.
std::optional<Table> finished_table(const Study& study, const std::filesystem::path& folder,
                                    std::size_t seeds);

/// How many seeds the rows of a result file need: one more than the largest. 0 without a file, or a column of
/// seeds.
std::size_t seeds_in(const std::filesystem::path& file);

}  // namespace kore::experiments

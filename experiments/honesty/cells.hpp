#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "experiments/honesty/settings.hpp"
#include "experiments/table.hpp"

namespace kore::experiments::honesty {

/// Calls `work(i)` for every cell `i` below `count`, several at a time, and tells on the standard error how
/// far it is. `work` writes only to places that belong to `i`, so that the threads do not change the result.
void run_cells(const std::string& part, std::size_t count, const Settings& settings,
               const std::function<void(std::size_t)>& work);

/// Writes `part.csv` where the settings name a folder for it.
void keep_cells(const std::string& part, const Table& cells, const Settings& settings);

}  // namespace kore::experiments::honesty

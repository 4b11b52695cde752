#pragma once

#include <span>

#include "experiments/figures/figures.hpp"
#include "experiments/report.hpp"

namespace kore::experiments {

/// The page `index.html`: the conceptual figure, then for every study that was run its figures, its tables
/// and the paper's claims beside what came out.
report::Page figures_page(std::span<const StudyReport> reports, const report::SolvedResolution& example);

}  // namespace kore::experiments

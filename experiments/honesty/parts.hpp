#pragma once

#include "experiments/honesty/page.hpp"
#include "experiments/honesty/settings.hpp"

/// The parts of the study, each a section of the page.
namespace kore::experiments::honesty {

/// Targets that are pure noise: nothing may be promised.
Section noise_part(const Settings& settings);
/// Real tables cut to few rows: is the stated error true?
Section tables_part(const Settings& settings);
/// Rows given twice hold nothing new.
Section stacked_part(const Settings& settings);
/// Do bands of effects cover the true effects?
Section bands_part(const Settings& settings);
/// Rows outside the training range: are predictions modest and intervals wide enough?
Section outside_part(const Settings& settings);
/// The examples of mgcv, beside mgcv where it was run.
Section gamsim_part(const Settings& settings);

}  // namespace kore::experiments::honesty

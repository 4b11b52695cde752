#pragma once

#include "fit/growing_rows.hpp"
#include "grow/grow.hpp"
#include "kore/options.hpp"

namespace kore {

/// What a caller's options mean for a growth of these rows. The progress it tells refers to `options`, which
/// has to outlive it.
GrowOptions grow_options(const GrownOptions& method, const Options& options, const GrowingRows& rows);

}  // namespace kore

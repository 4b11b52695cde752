#pragma once

#include <functional>
#include <span>

#include "kore/rows.hpp"

namespace kore {

/// A fit that reads its rows from the source that it is given.
using FitOfSource = std::function<void(const RowSource&)>;

/// Runs fits that do not know of each other and lets them share their passes over rows that are expensive to
/// read. Each fit runs until it wants a pass; when all of them wait, the rows are read once for all. One fit
/// runs at a time, so that each has all threads, and its result is that of running alone.
///
/// The first error, of a fit or of the rows, ends all fits and is thrown again. Where the system has no
/// threads left, the fits run one after the other and read for themselves.
void share_passes(const RowSource& rows, std::span<const FitOfSource> fits);

}  // namespace kore

#pragma once

#include "kore/fit.hpp"

namespace kore {

/// A method is a way from rows to a model. Each has one overload of both functions, in a file of its own:
/// grown_method.cpp and published_method.cpp. `options` has what all methods share.

Model fit_by(const GrownOptions& method, const RowSource& source, const Options& options, const Names& names);
Model fit_by(const PublishedOptions& method, const RowSource& source, const Options& options,
             const Names& names);

Diagnosis diagnose_by(const GrownOptions& method, const RowSource& source, const Options& options,
                      const Names& names);
Diagnosis diagnose_by(const PublishedOptions& method, const RowSource& source, const Options& options,
                      const Names& names);

}  // namespace kore

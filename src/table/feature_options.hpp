#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/fit.hpp"

/// The options of the engine that follow from an encoding, for every front that fits tables.
namespace kore::table {

/// Sets the options that follow from the columns: a feature of two values becomes a straight
/// line. `columns` are the summaries that the encoding was made from.
void set_feature_options(Options& options, const Encoding& encoding, std::span<const ColumnSummary> columns);

Names names_of(const Encoding& encoding, const std::string& target);

/// The features that were made from a column, or the one of that name. Throws `invalid_argument` with the
/// nearest name if there is none.
std::vector<std::size_t> features_of(const Encoding& encoding, const std::string& column);

/// Pairs of columns as all pairs of the features made from them, each once. Throws `invalid_argument` also
/// where both are the same feature.
std::vector<FeaturePair> pairs_of_features(const Encoding& encoding,
                                           std::span<const std::pair<std::string, std::string>> columns);

}  // namespace kore::table

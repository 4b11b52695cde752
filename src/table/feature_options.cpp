#include "table/feature_options.hpp"

#include <algorithm>
#include <set>

#include "kore/column_choice.hpp"
#include "kore/error.hpp"

namespace kore::table {
namespace {

/// Two points determine a line; a spline through them would be arbitrary in between.
bool is_curved(const EncodedFeature& feature, const Encoding& encoding,
               std::span<const ColumnSummary> columns) {
  if (feature.kind != EncodedKind::numeric) return false;
  const EncodedColumn& column = encoding.columns[feature.column];
  const auto summary = std::find_if(columns.begin(), columns.end(),
                                    [&](const ColumnSummary& c) { return c.name == column.name; });
  return column.type != ColumnType::boolean && (summary == columns.end() || !summary->two_values);
}

}  // namespace

void set_feature_options(Options& options, const Encoding& encoding, std::span<const ColumnSummary> columns) {
  options.kinds.clear();
  options.levels.clear();
  for (const EncodedFeature& feature : encoding.features) {
    const bool category = feature.kind == EncodedKind::category;
    options.kinds.push_back(category                                ? kore::FeatureKind::category
                            : is_curved(feature, encoding, columns) ? kore::FeatureKind::spline
                                                                    : kore::FeatureKind::linear);
    options.levels.push_back(category ? static_cast<int>(level_names(encoding.columns[feature.column]).size())
                                      : 0);
  }
}

Names names_of(const Encoding& encoding, const std::string& target) {
  Names names;
  for (const EncodedFeature& feature : encoding.features) names.features.push_back(feature.name);
  names.target = target;
  return names;
}

std::vector<std::size_t> features_of(const Encoding& encoding, const std::string& column) {
  std::vector<std::size_t> found;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < encoding.features.size(); ++j) {
    const EncodedFeature& feature = encoding.features[j];
    names.push_back(encoding.columns[feature.column].name);
    if (names.back() == column || feature.name == column) found.push_back(j);
  }
  if (!found.empty()) return found;
  const std::string nearest = nearest_name(column, names);
  if (nearest.empty())
    throw Error(ErrorCode::invalid_argument, "unknown_feature", "There is no feature '{feature}'.",
                {{"feature", column}});
  throw Error(ErrorCode::invalid_argument, "unknown_feature",
              "There is no feature '{feature}'. Did you mean '{nearest}'?",
              {{"feature", column}, {"nearest", nearest}});
}

std::vector<FeaturePair> pairs_of_features(const Encoding& encoding,
                                           std::span<const std::pair<std::string, std::string>> columns) {
  std::vector<FeaturePair> pairs;
  std::set<FeaturePair> seen;
  for (const auto& [left, right] : columns)
    for (const std::size_t i : features_of(encoding, left))
      for (const std::size_t j : features_of(encoding, right)) {
        if (i == j)
          throw Error(ErrorCode::invalid_argument, "pair_with_itself",
                      "The pair of '{left}' and '{right}' joins a column with itself.",
                      {{"left", left}, {"right", right}});
        if (seen.insert(std::minmax(i, j)).second) pairs.emplace_back(i, j);
      }
  return pairs;
}

}  // namespace kore::table

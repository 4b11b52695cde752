#pragma once

#include <utility>
#include <vector>

#include "grow/stage.hpp"
#include "support/made_up_rows.hpp"

namespace kore::test {

/// Rows that own what a growing model looks at: the target less its mean.
struct MadeUpGrowth {
  explicit MadeUpGrowth(Rows given) : MadeUpGrowth(given, given.features()) {}
  MadeUpGrowth(Rows given, std::vector<Feature> features) : rows(std::move(given)) {
    double weight = 0;
    double mean = 0;
    for (std::size_t r = 0; r < rows.count; ++r) weight += rows.block().weight(r);
    for (std::size_t r = 0; r < rows.count; ++r) mean += rows.block().weight(r) * rows.y[r] / weight;
    for (double& y : rows.y) y -= mean;
    data.rows = rows.block();
    data.coordinates = coordinates_of(std::move(features), data.rows);
    data.features = features_of(data.coordinates);
  }
  MadeUpGrowth(const MadeUpGrowth&) = delete;
  MadeUpGrowth& operator=(const MadeUpGrowth&) = delete;

  /// A term that has no weights yet.
  GrownTerm term(std::vector<std::size_t> features, int resolution) const {
    return {term_at(data.coordinates, std::move(features), resolution)};
  }
  std::vector<GrownTerm> mains(int resolution) const {
    std::vector<GrownTerm> terms;
    for (std::size_t j = 0; j < rows.columns; ++j) terms.push_back(term({j}, resolution));
    return terms;
  }

  Rows rows;
  GrowingData data;
};

}  // namespace kore::test

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kore/fit.hpp"
#include "story/json.hpp"

namespace kore::story {

/// What one way to choose a model has chosen, and its price.
struct ComparedMethod {
  std::string method;
  Family structure = Family::additive;
  int resolution = 0;
  int fits = 0;
  double seconds = 0;
  double score = 0;
  std::string meaning;  ///< Of the score.
};

struct CompareOptions {
  int folds = 3;
  std::uint32_t seed = 0;
};

/// Both profiles of KORE beside cross-validation and the classical criteria, on the same rows. The published
/// selector and its rivals choose from the same families: plain splines of the same features, the same pairs.
/// `options` is either profile, with what the user changed; the other one gets the same changes. `stage` is
/// told what comes next.
std::vector<ComparedMethod> compare_methods(const RowBlock& rows, Options options, const Names& names,
                                            const CompareOptions& comparison,
                                            const std::function<void(const std::string&)>& stage);

Json comparison_json(const std::vector<ComparedMethod>& table);

}  // namespace kore::story

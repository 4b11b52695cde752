#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kore/fit.hpp"

namespace kore {

/// What one way to choose a model has chosen, and its price.
struct ComparedMethod {
  std::string method;
  Structure structure = Structure::additive;
  int resolution = 0;
  int fits = 0;
  double seconds = 0;
  double score = 0;
  std::string meaning;  ///< Of the score.
};

struct CompareOptions {
  int folds = 3;
  std::uint32_t seed = 0;
  std::size_t max_columns = 0;  ///< Of the paper's families; 0: no limit, as in a fit of the paper profile.
};

/// The rows of a table as a profile encodes them, and what a fit of that profile is told.
struct Contender {
  RowBlock rows;
  Options options;
  Names names;
};

/// Both profiles of KORE beside cross-validation and the classical criteria, on the same rows. The published
/// selector and its rivals choose from the same families: plain splines of the same features in the paper's
/// encoding, the same pairs. `stage` is told what comes next.
std::vector<ComparedMethod> compare_methods(Contender standard, Contender paper,
                                            const CompareOptions& comparison,
                                            const std::function<void(const std::string&)>& stage);

}  // namespace kore

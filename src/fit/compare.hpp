#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kore/fit.hpp"

namespace kore {

/// The choice of one method, and how long it took.
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
  std::size_t max_columns = 0;  ///< Of the paper's models; 0: no limit, as in a fit of the paper profile.
};

/// The rows of a table as a profile encodes them, and the options of that profile.
struct Contender {
  RowBlock rows;
  Options options;
  Names names;
};

/// Compares both profiles of KORE with cross-validation and the classical criteria, on the same rows. The
/// published selector and the classical ones choose from the same models: splines of the same features in the
/// paper's encoding, with the same pairs. `stage` is called with the name of the next step.
std::vector<ComparedMethod> compare_methods(Contender standard, Contender paper,
                                            const CompareOptions& comparison,
                                            const std::function<void(const std::string&)>& stage);

}  // namespace kore

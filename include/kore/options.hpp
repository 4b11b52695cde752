#pragma once

#include <vector>

#include "kore/basis.hpp"
#include "kore/design.hpp"

namespace kore {

enum class FamilyChoice {
  automatic,  ///< Both families compete; exact leave-one-out decides.
  additive,
  pairwise,
};

enum class PairChoice {
  all,    ///< Every pair of features. The number of columns grows with the square of the number of features.
  none,   ///< No pairwise family.
  given,  ///< `Options::pairs`.
  discover,  ///< Pairs that explain residuals of an additive fit (paper, appendix "Graph discovery").
};

/// Everything a user can set about a fit. `Options{}` is the default profile, `Options::paper()` the
/// published algorithm.
struct Options {
  int degree = 3;  ///< Spline degree, 1 to 7. The law's smoothness is `beta = degree + 1`.
  FamilyChoice family = FamilyChoice::automatic;
  PairChoice pair_choice = PairChoice::all;
  std::vector<FeaturePair> pairs;    ///< With PairChoice::given.
  int max_resolution_additive = 20;  ///< Largest resolution tried.
  int max_resolution_pairwise = 8;
  int radius_additive = 3;  ///< Certificate radius; up to `2 radius + 1` fits.
  int radius_pairwise = 1;
  double stability = 0.45;  ///< Resolutions need `p(G) < stability * n`.
  double ridge = 1e-10;     ///< On the diagonal of the normal equations.
  bool relative_ridge =
      true;  ///< The ridge is a multiple of the mean diagonal entry instead of an absolute number.
  Extrapolation extrapolation = Extrapolation::linear;  ///< Outside the training range.
  double discovery_threshold =
      0.02;  ///< With PairChoice::discover: least share of residual variance a pair explains.
  std::vector<Range> ranges;  ///< Knot ranges, one per feature, instead of those of the data. Saves a pass.
  std::vector<FeatureKind> kinds;  ///< One per feature; empty means all splines.
  int threads = 0;                 ///< 0: all cores. The result does not depend on it.

  /// The published algorithm and constants: absolute ridge 1e-8, polynomials continued outside the range.
  static Options paper();
  /// Throws `invalid_argument` with a sentence that names the option, its value and what it may be.
  void check(std::size_t features) const;
};

}  // namespace kore

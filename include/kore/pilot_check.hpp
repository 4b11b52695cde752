#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kore/law.hpp"
#include "kore/selector.hpp"
#include "kore/structure.hpp"

namespace kore {

/// The go/no-go check of the paper (section "Practical guidance"), from the additive pilots. It looks at the
/// pilots alone: it may pass even where nothing can be predicted.
struct PilotCheck {
  /// How many features the check allows.
  static constexpr std::size_t most_features = 30;

  bool suitable = true;
  std::string reason = "all checks passed";
  double n = 0;
  std::size_t features = 0;
  double effective_density = 0;
  double condition_number = 0;  ///< Of the pilot matrix; infinite with one pilot.
  LawConstants law;
  double plug_in = 1;
  double stability_margin = 0;  ///< `stability - p(G_dagger)/n`.
  std::string
      recommendation;  ///< "use additive", "use pairwise", or the paper's answer to the first finding.
  std::vector<std::string> advice;  ///< The paper's advice, one sentence per finding.
};

/// Checks the pilots of the additive curve. If they are suitable, the recommendation is `recommended`, the
/// structure that the automatic selection chose.
PilotCheck check_pilots(ResolutionCurve& additive, const SelectorOptions& options, std::size_t features,
                        Structure recommended);

}  // namespace kore

#pragma once

#include <limits>
#include <string>

#include "kore/fit.hpp"

namespace kore::story {

/// The facts that a verdict is based on.
struct Evidence {
  double loo_r2 = 0;
  double signal_score = 0;
  bool interpolates = false;
  bool bracketed = true;
  Structure structure = Structure::additive;
  /// The fit has penalties. The position of the pilots, which have none, then says nothing about it.
  bool penalised = false;
  const PilotCheck* pilots = nullptr;  ///< Null where additive models did not compete.
  bool tried_interactions = false;
  /// How much the leave-one-out R² rises over the best model of main effects alone; infinite where none
  /// competed.
  double interaction_gain = std::numeric_limits<double>::infinity();
};
Evidence evidence_of(const FitSummary& summary);
Evidence evidence_of(const Diagnosis& diagnosis);

/// One answer. The errors on left-out rows decide first, because the paper's go/no-go check looks at the
/// pilots alone and may pass where nothing can be predicted.
struct Verdict {
  enum class Answer { no, doubtful, with_care, yes };
  Answer answer = Answer::yes;
  std::string sentence;  ///< "suitable: ...", without a full stop.
};
Verdict verdict(const Evidence& evidence);

}  // namespace kore::story

#pragma once

#include <limits>
#include <string>

#include "kore/fit.hpp"

namespace kore::story {

/// What a person decides by.
struct Evidence {
  double loo_r2 = 0;
  double signal_score = 0;
  bool interpolates = false;
  bool bracketed = true;
  Structure structure = Structure::additive;
  /// Penalties were solved for: how the pilots lie, which have none, says nothing about such a fit.
  bool penalised = false;
  const PilotCheck* pilots = nullptr;  ///< None where the additive family did not compete.
  bool tried_interactions = false;
  /// Of the leave-one-out R², over the best model of main effects alone; infinite where none competed.
  double interaction_gain = std::numeric_limits<double>::infinity();
};
Evidence evidence_of(const FitSummary& summary);
Evidence evidence_of(const Diagnosis& diagnosis);

/// One answer from all of it. The paper's go/no-go check looks at the pilots alone and may pass where nothing
/// can be predicted, so that what left-out rows say comes first.
struct Verdict {
  enum class Answer { no, doubtful, with_care, yes };
  Answer answer = Answer::yes;
  std::string sentence;  ///< "suitable: ...", without a full stop.
};
Verdict verdict(const Evidence& evidence);

}  // namespace kore::story

#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "kore/fit.hpp"

namespace kore::story {

/// The facts that a verdict is based on.
struct Evidence {
  double r2 = 0;            ///< On left-out rows.
  double signal_score = 0;  ///< Gain over the mean in units of 1.96 standard errors.
  bool refereed = false;    ///< The errors are those of the whole procedure, repeated without the rows.
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
  std::string influential;  ///< A clause about rows whose leverage is near one; empty where there are none.
  bool robust = false;      ///< The loss was the robust one, and `r2` is that of what counts.
  std::size_t gross_errors = 0;  ///< As in Accuracy.
  bool deviance = false;         ///< `r2` is the share of the deviance that is explained.
};
Evidence evidence_of(const FitSummary& summary);
Evidence evidence_of(const Model& model);  ///< With the names of columns.
Evidence evidence_of(const Diagnosis& diagnosis);

/// One answer. The errors on left-out rows decide first, because the paper's go/no-go check looks at the
/// pilots alone and may pass where nothing can be predicted.
struct Verdict {
  enum class Answer { no, doubtful, yes };
  Answer answer = Answer::yes;
  /// Begins with "suitable", "doubtful" or "not usable", and says what would change it. Without a full stop.
  std::string sentence;
};
Verdict verdict(const Evidence& evidence);

}  // namespace kore::story

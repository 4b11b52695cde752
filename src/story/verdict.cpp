#include "story/verdict.hpp"

#include <fmt/format.h>

#include <cmath>

#include "story/text.hpp"

namespace kore::story {

namespace {

/// What the paper's check has against the table, as far as it concerns the fit.
bool pilots_object(const Evidence& e) {
  if (e.pilots == nullptr || e.pilots->suitable) return false;
  return !e.penalised || e.pilots->features > most_features;
}

const char* structure_advice(Family structure) {
  switch (structure) {
    case Family::pairwise:
      return "pairs of features act together";
    case Family::threeway:
      return "pairs and triples of features act together";
    case Family::additive:
      break;
  }
  return "main effects are enough";
}

}  // namespace

Evidence evidence_of(const FitSummary& summary) {
  return {summary.loo_r2(),
          summary.signal_score,
          summary.interpolates(),
          true,
          summary.structure,
          !summary.stages.empty(),
          summary.diagnostic ? &*summary.diagnostic : nullptr};
}

Evidence evidence_of(const Diagnosis& diagnosis, bool penalised) {
  return {diagnosis.loo_r2,    diagnosis.chosen_signal_score, diagnosis.interpolates,
          diagnosis.bracketed, diagnosis.structure,           penalised,
          &diagnosis.pilots};
}

Verdict verdict(const Evidence& e) {
  using Answer = Verdict::Answer;
  if (e.interpolates)
    return {Answer::no,
            "not usable: there are about as many parameters as rows, so that the model repeats the rows and "
            "cannot be checked; give more rows, or fewer features"};
  if (!std::isfinite(e.loo_r2))
    return {Answer::no,
            "not usable: there are too few rows for these features, and the paper's rule scores no model "
            "then; give more rows, or fewer features"};
  if (e.loo_r2 <= 0)
    return {Answer::no, fmt::format("not usable: left-out rows are predicted no better than by the mean of "
                                    "the target (R² {:.3f})",
                                    e.loo_r2)};
  if (!(e.signal_score > 1))
    return {Answer::doubtful,
            fmt::format("doubtful: left-out rows are predicted better than by the mean (R² {:.3f}), but by "
                        "no more than chance may do (signal score {}, wanted above 1)",
                        e.loo_r2, short_number(e.signal_score))};
  const std::string good = fmt::format("left-out rows are predicted (R² {:.3f})", e.loo_r2);
  if (pilots_object(e))
    return {Answer::with_care, fmt::format("usable with care: {}, but the check of the pilots fails: {}; its "
                                           "advice is to {}",
                                           good, e.pilots->reason, e.pilots->recommendation)};
  if (!e.bracketed && !e.penalised)
    return {Answer::with_care,
            fmt::format("usable with care: {}, but a neighbour of the selected additive resolution has a "
                        "smaller error still",
                        good)};
  return {Answer::yes,
          fmt::format("suitable: {}, and all checks passed; {}", good, structure_advice(e.structure))};
}

}  // namespace kore::story

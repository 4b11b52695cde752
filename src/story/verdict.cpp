#include "story/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kore/pilot_check.hpp"
#include "story/text.hpp"

namespace kore::story {

namespace {

/// A gain of R² that does not matter, and an R² above which only the number of rows can leave doubts.
constexpr double negligible_gain = 0.001;
constexpr double clear_r2 = 0.5;

/// The paper's check of the pilots fails, in a way that concerns this fit.
bool pilots_object(const Evidence& e) {
  if (e.pilots == nullptr || e.pilots->suitable) return false;
  return !e.penalised || e.pilots->features > PilotCheck::most_features;
}

bool tried_interactions(const FitSummary& s) {
  return !s.screened.empty() || (s.pairwise && !s.pairwise->skipped) ||
         std::ranges::any_of(
             s.stages, [](const StageSummary& stage) { return stage.structure != Structure::additive; });
}

double interaction_gain(const FitSummary& s) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  double additive = unknown;
  double chosen = s.loo;
  if (s.stages.empty() && s.additive) additive = s.additive->loo;
  for (const StageSummary& stage : s.stages) {
    if (stage.structure == Structure::additive) additive = std::min(additive, stage.loo);
    if (stage.chosen) chosen = stage.loo;
  }
  return s.target_variance > 0 ? (additive - chosen) / s.target_variance : unknown;
}

/// What the structure of a good model says about the table.
std::string structure_advice(const Evidence& e) {
  if (e.structure == Structure::additive) {
    if (e.tried_interactions) return "; main effects are enough";
    return e.pilots != nullptr && e.pilots->features < 2 ? "" : "; interactions were not tried";
  }
  const char* terms = e.structure == Structure::pairwise ? "pairs" : "pairs and triples";
  if (std::isinf(e.interaction_gain))
    return fmt::format("; {} of features are in it, main effects alone were not tried", terms);
  if (e.interaction_gain < negligible_gain)
    return fmt::format("; {} of features add less than {} to R²", terms, negligible_gain);
  return fmt::format("; {} of features act together", terms);
}

}  // namespace

Evidence evidence_of(const FitSummary& summary) {
  return {.loo_r2 = summary.loo_r2(),
          .signal_score = summary.signal_score,
          .interpolates = summary.interpolates(),
          .bracketed = true,
          .structure = summary.structure,
          .penalised = !summary.stages.empty(),
          .pilots = summary.pilot_check ? &*summary.pilot_check : nullptr,
          .tried_interactions = tried_interactions(summary),
          .interaction_gain = interaction_gain(summary)};
}

Evidence evidence_of(const Diagnosis& diagnosis) {
  Evidence evidence = evidence_of(diagnosis.summary);
  evidence.bracketed = diagnosis.bracketed;
  return evidence;
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
            fmt::format("doubtful: left-out rows are predicted better than by the mean (R² {:.3f}), but {} "
                        "(signal score {}: the gain in units of 1.96 standard errors; wanted above 1)",
                        e.loo_r2,
                        e.loo_r2 > clear_r2 ? "there are too few of them to be sure that this is not chance"
                                            : "by no more than chance can explain",
                        short_number(e.signal_score))};
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
  return {Answer::yes, fmt::format("suitable: {}, and all checks passed{}", good, structure_advice(e))};
}

}  // namespace kore::story

#include "story/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "kore/pilot_check.hpp"
#include "story/influential.hpp"
#include "story/text.hpp"

namespace kore::story {

namespace {

constexpr double negligible_gain = 0.001;  // of R², that does not matter

/// The paper's check of the pilots fails, in a way that concerns this fit.
bool pilots_object(const Evidence& e) { return e.pilots != nullptr && !e.pilots->suitable && !e.penalised; }

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
  const double unit = s.null_deviance.value_or(s.fitted_variance());
  return unit > 0 ? (additive - chosen) / unit : unknown;
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

/// A few errors that squares make decisive.
std::string loss_advice(const Evidence& e) {
  if (e.robust || e.gross_errors == 0) return "";
  return fmt::format(
      "; {} from all others and make up most of the squared error: if such targets may be wrong, use the "
      "robust loss (--robust, in Python loss=\"robust\")",
      e.gross_errors == 1 ? "1 error stands apart" : grouped(e.gross_errors) + " errors stand apart");
}

Verdict verdict_of_errors(const Evidence& e);

}  // namespace

Evidence evidence_of(const FitSummary& summary) {
  const std::optional<Accuracy>& accuracy = summary.accuracy;
  return {.r2 = summary.robust                 ? summary.robust->r2
                : accuracy && accuracy->family ? accuracy->family->explained()
                : accuracy                     ? accuracy->r2
                                               : summary.loo_r2(),
          .signal_score = accuracy ? accuracy->signal_score : summary.signal_score,
          .refereed = accuracy && accuracy->how != AccuracySource::leave_one_out,
          .interpolates = summary.interpolates(),
          .bracketed = true,
          .structure = summary.structure,
          .penalised = !summary.stages.empty(),
          .pilots = summary.pilot_check ? &*summary.pilot_check : nullptr,
          .tried_interactions = tried_interactions(summary),
          .interaction_gain = interaction_gain(summary),
          .influential = {},
          .robust = summary.robust.has_value(),
          .gross_errors = accuracy ? accuracy->gross_errors : 0,
          .deviance = summary.null_deviance.has_value()};
}

Evidence evidence_of(const Model& model) {
  Evidence evidence = evidence_of(model.summary);
  evidence.influential = influential_clause(model);
  return evidence;
}

Evidence evidence_of(const Diagnosis& diagnosis) {
  Evidence evidence = evidence_of(diagnosis.summary);
  evidence.bracketed = diagnosis.bracketed;
  return evidence;
}

Verdict verdict(const Evidence& e) {
  Verdict found = verdict_of_errors(e);
  found.sentence += loss_advice(e);
  if (!e.influential.empty()) found.sentence += "; " + e.influential;
  return found;
}

namespace {

Verdict verdict_of_errors(const Evidence& e) {
  using Answer = Verdict::Answer;
  if (e.interpolates && !e.refereed)
    return {Answer::no,
            "not usable: there are about as many parameters as rows, so that the model repeats the rows and "
            "cannot be checked; give more rows, or fewer features"};
  if (!std::isfinite(e.r2))
    return {Answer::no,
            "not usable: there are too few rows for these features, and the paper's rule scores no model "
            "then; give more rows, or fewer features"};
  if (e.r2 <= 0)
    return {Answer::no,
            fmt::format("not usable: rows that were left out are predicted no better than by the mean of the "
                        "target ({} {:.3f}); other features or more rows are needed",
                        e.deviance ? "share of the deviance explained" : "R²", e.r2)};
  const std::string good =
      e.deviance ? fmt::format("{} of the deviance of left-out rows is explained", percent(e.r2))
                 : fmt::format("rows that were left out are predicted with R² {:.3f}{}", e.r2,
                               e.robust ? " where each counts as much as in the robust fit" : "");
  if (!(e.signal_score > 1))
    return {
        Answer::doubtful,
        fmt::format("doubtful: {}, but chance can explain that: the error is smaller than that of the mean "
                    "by {} standard errors, and less than 1.96 may be chance; more rows would tell",
                    good, short_number(1.96 * e.signal_score))};
  if (pilots_object(e))
    return {Answer::doubtful, fmt::format("doubtful: {}, but the check of the pilots fails: {}; its advice "
                                          "is to {}",
                                          good, e.pilots->reason, e.pilots->recommendation)};
  if (!e.bracketed && !e.penalised)
    return {
        Answer::doubtful,
        fmt::format("doubtful: {}, but a neighbour of the selected additive resolution has a smaller error "
                    "still; allow a larger one",
                    good)};
  return {Answer::yes,
          fmt::format("suitable: {}, by more than chance can explain{}", good, structure_advice(e))};
}

}  // namespace

}  // namespace kore::story

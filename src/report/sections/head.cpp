#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/accuracy.hpp"
#include "story/columns_words.hpp"
#include "story/convergence.hpp"
#include "story/family.hpp"
#include "story/influential.hpp"
#include "story/reliability.hpp"
#include "story/scale.hpp"
#include "story/text.hpp"
#include "story/verdict.hpp"

namespace kore::report {
namespace {

using story::counted;

Callout verdict_callout(const Model& model) {
  const story::Verdict verdict = story::verdict(story::evidence_of(model));
  std::string sentence = verdict.sentence + ".";
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  using Answer = story::Verdict::Answer;
  // No tick where a few rows decide or intervals fail: the section on reliability says more.
  const bool in_doubt = model.summary.influential_count > 0 || !story::interval_check(model.summary).holds;
  const Tone tone = verdict.answer == Answer::no                 ? Tone::bad
                    : verdict.answer == Answer::yes && !in_doubt ? Tone::good
                                                                 : Tone::plain;
  return {sentence, tone};
}

std::string origin_sentence(const table::TableModel& fitted) {
  const FitSummary& summary = fitted.model.summary;
  std::string text =
      fmt::format("A model of '{}' from {}", fitted.model.target,
                  fitted.facts.origin.empty() ? "a table" : without_folders(fitted.facts.origin));
  text += fmt::format(": {}, {}, {} profile of KORE", counted(summary.rows, "row"),
                      story::columns_words(fitted.encoding), fitted.facts.profile);
  text += ".";
  const std::string family = story::family_sentence(fitted);
  if (!family.empty()) return text + " The family is " + family + ".";
  const std::string scale = story::scale_sentence(fitted.model);
  return scale.empty() ? text : text + " It is a model of the " + scale + ".";
}

/// The headline of a target of yes and no.
void add_yes_or_no(const Accuracy& accuracy, Tiles& tiles) {
  const FamilyAccuracy& family = *accuracy.family;
  tiles.tiles.push_back(
      {"AUC", fmt::format("{:.3f}", family.auc),
       fmt::format("how often a yes has a higher probability than a no, on new {}; {}",
                   accuracy.groups > 0 ? "groups" : "rows", story::how_measured(accuracy))});
  tiles.tiles.push_back(
      {"Log loss", fmt::format("{:.4f}", family.log_loss), "mean of minus the log-likelihood, same rows"});
  tiles.tiles.push_back({"Brier score", fmt::format("{:.4f}", family.brier),
                         "mean squared error of the probability, same rows"});
  tiles.tiles.push_back({"Deviance explained", fmt::format("{:.1f} %", 100 * family.explained()),
                         "compared with one probability for all rows"});
}

/// The headline: errors on rows that the model has not seen.
void add_errors(const FitSummary& summary, Tiles& tiles) {
  if (summary.accuracy && summary.accuracy->family && std::isfinite(summary.accuracy->family->log_loss))
    return add_yes_or_no(*summary.accuracy, tiles);
  if (summary.null_deviance && !summary.accuracy) {
    tiles.tiles.push_back({"Deviance explained", fmt::format("{:.1f} %", 100 * summary.loo_r2()),
                           "on left-out rows, compared with one mean for all"});
    return;
  }
  const Accuracy given{.how = AccuracySource::leave_one_out,
                       .rows = summary.rows,
                       .rmse = std::sqrt(summary.loo),
                       .r2 = summary.loo_r2(),
                       .signal_score = summary.signal_score};
  const Accuracy accuracy = summary.accuracy.value_or(given);
  tiles.tiles.push_back(
      {"Typical error", readable(accuracy.rmse),
       fmt::format("root mean square of the errors on new {}; {}", accuracy.groups > 0 ? "groups" : "rows",
                   story::how_measured(accuracy))});
  if (accuracy.mae > 0)
    tiles.tiles.push_back({"Mean error", readable(accuracy.mae), "mean absolute error on the same rows"});
  if (accuracy.family) {
    tiles.tiles.push_back({"Deviance explained", fmt::format("{:.1f} %", 100 * accuracy.family->explained()),
                           "on the same rows, compared with one mean for all"});
    return;
  }
  if (accuracy.r2 < 1)
    tiles.tiles.push_back({"Error compared with always predicting the mean",
                           fmt::format("{:.0f} % {}", 100 * std::abs(1 - std::sqrt(1 - accuracy.r2)),
                                       accuracy.r2 >= 0 ? "smaller" : "larger"),
                           "root mean square, on the same rows"});
  tiles.tiles.push_back(
      {"Variation predicted", fmt::format("{:.1f} %", 100 * accuracy.r2), "R² on the same rows"});
}

}  // namespace

std::vector<Block> head(const Subject& subject) {
  const FitSummary& summary = subject.fitted.model.summary;
  std::vector<Block> blocks{Paragraph{origin_sentence(subject.fitted)}};
  if (!summary.additive && !summary.pairwise) {
    blocks.push_back(Callout{
        fmt::format("The target is constant: every prediction is {}.",
                    readable(carried_prediction(subject.fitted.model, subject.fitted.model.intercept))),
        Tone::bad});
    return blocks;
  }
  Tiles tiles;
  add_errors(summary, tiles);
  blocks.push_back(std::move(tiles));
  blocks.push_back(verdict_callout(subject.fitted.model));
  std::vector<std::string> notes = story::convergence_notes(summary);
  std::ranges::move(story::row_notes(subject.fitted), std::back_inserter(notes));
  if (const std::string robust = story::robust_note(summary); !robust.empty())
    notes.push_back("The loss is the robust one: " + robust + ".");
  if (!notes.empty()) blocks.push_back(Notes{std::move(notes)});
  return blocks;
}

Section what_if_section(const Subject& subject) {
  if (subject.fitted.encoding.columns.empty()) return {};
  std::string words =
      "Set the columns and see what the model predicts, and why. All is computed in this page, with the "
      "model's own coefficients.";
  if (has_intervals(subject.fitted))
    words +=
        intervals_by_family(subject.fitted.model)
            ? " The interval has the whole counts that are likely around the predicted mean, by the family."
            : " The interval covers a new row with the given probability, judged by the errors of rows left "
              "out.";
  return {"try-it", "What if", {Paragraph{words}, WhatIf{}}};
}

}  // namespace kore::report

#include "story/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "story/accuracy.hpp"
#include "story/columns_words.hpp"
#include "story/convergence.hpp"
#include "story/effect_grid.hpp"
#include "story/family.hpp"
#include "story/growth.hpp"
#include "story/influential.hpp"
#include "story/reliability.hpp"
#include "story/scale.hpp"
#include "story/text.hpp"
#include "story/verdict.hpp"

namespace kore::story {
namespace {

constexpr std::size_t effects_shown = 8;
constexpr int bar_length = 24;

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("{:<11} {}\n", label, text);
}

std::string curve_line(const FitSummary& s, const std::string& label, const std::string& family,
                       const Selection& selection) {
  if (selection.skipped)
    return line(label, "skipped: even at resolution 1 it has too many columns for these rows");
  std::string text = fmt::format("{}G = {}, LOO {} {}",
                                 family.empty() ? "" : family + " without penalty: ", selection.resolution,
                                 loss_word(s), loss_text(s, selection.loo));
  if (selection.pilots.empty()) text += "; no resolution has fewer than 0.45 columns per row";
  const std::string interval = selection.plug_in_high > 0
                                   ? fmt::format(" (95 %: {} to {})", short_number(selection.plug_in_low),
                                                 short_number(selection.plug_in_high))
                                   : "";
  if (selection.law.usable())
    text += fmt::format("; solved G† = {}{} from pilots G = {}; A = {}, τ = {}",
                        short_number(selection.plug_in), interval, fmt::join(selection.pilots, ", "),
                        short_number(selection.law.bias_scale), short_number(selection.law.variance_scale));
  else if (!selection.pilots.empty())
    text += fmt::format("; the law has no solution for the pilots G = {}", fmt::join(selection.pilots, ", "));
  return line(label, text + fmt::format("; {}", counted(static_cast<std::uint64_t>(selection.fits), "fit")));
}

/// Shares that add up to 100 %, and what they are made of where features depend on each other.
std::string effects_table(const Decomposition& shown) {
  const std::vector<std::size_t> order = ranked_terms(shown);
  std::vector<std::vector<std::string>> rows{{"  effect", "", "share", "alone", "overlap"}};
  const std::size_t count = std::min(order.size(), effects_shown);
  double rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Effect& effect = shown.effects[order[i]];
    if (i >= count) {
      rest += effect.covariance_share;
      continue;
    }
    const int length =
        static_cast<int>(std::lround(std::clamp(effect.covariance_share, 0.0, 1.0) * bar_length));
    std::string bar;
    for (int b = 0; b < length; ++b) bar += "█";
    rows.push_back({"  " + term_name(shown, order[i]), bar, percent(effect.covariance_share),
                    percent(effect.share), percent(effect.covariance_share - effect.share)});
  }
  std::string text = aligned(rows, 2);
  if (order.size() > count)
    text += fmt::format("  ... and {} more with {} together (kore effects shows all)\n", order.size() - count,
                        percent(rest));
  return text;
}

/// How the resolution was solved for, additive and pairwise. In the default profile these are the pilots.
std::string solved(const FitSummary& s) {
  const bool grown = !s.stages.empty();
  std::string text;
  if (s.additive)
    text += curve_line(s, grown ? "Solved" : "Additive", grown ? "main effects" : "", *s.additive);
  if (s.pairwise) text += curve_line(s, grown ? "" : "Pairwise", grown ? "with pairs" : "", *s.pairwise);
  return text;
}

std::string structure(const Model& model) {
  const FitSummary& s = model.summary;
  const std::string size = fmt::format("{} columns, {} effective parameters", grouped(model.design.columns()),
                                       short_number(s.parameters));
  if (s.stages.empty())
    return line("Structure",
                fmt::format("{} at resolution G = {}: {}", to_string(s.structure), s.resolution, size));
  return line("Structure", fmt::format("{}: {}", structure_words(model), size));
}

/// Whether a model of the same structure with penalties predicts left-out rows worse than the chosen one.
bool penalties_lost(const std::vector<StageSummary>& stages) {
  const auto chosen = std::ranges::find_if(stages, &StageSummary::chosen);
  return chosen != stages.end() && std::ranges::any_of(stages, [&](const StageSummary& stage) {
           return stage.penalised && stage.structure == chosen->structure && stage.loo > chosen->loo;
         });
}

std::string smoothness(const Model& model) {
  const FitSummary& s = model.summary;
  if (model.linked() && !model.penalty_weights.empty())
    return "penalties of every term solved for; " + dispersion_words(model);
  if (!model.penalty_weights.empty())
    return fmt::format("penalties of every term solved for; noise deviation {}",
                       short_number(std::sqrt(s.noise_variance)));
  return penalties_lost(s.stages) ? "no penalty: without one, left-out rows are predicted better"
                                  : "no penalty";
}

/// What decided between the models.
std::string choice(const FitSummary& s, bool sampled) {
  const std::string sample =
      fmt::format("on a sample of {}; fitted to all", counted(s.structure_rows, "row"));
  if (s.simplest && judged_by_unseen_rows(s))
    return "the simplest model whose error on rows used in no part of its fit is within one standard error "
           "(±) of the best one's" +
           (sampled ? "; terms from a sample of " + counted(s.structure_rows, "row") : "");
  if (judged_by_unseen_rows(s))
    return sampled
               ? fmt::format("by rows that took part in no fit, {}", sample)
               : "by rows used in no part of the fit: the smallest error, and the constant model where no "
                 "other is clearly better";
  if (sampled) return fmt::format("by leave-one-out {}", sample);
  return "by leave-one-out, with a price for penalties and terms that the same rows chose; a richer model "
         "must be "
         "clearly better";
}

/// Its smoothness, and the models it was compared with.
std::string growth(const Model& model) {
  const FitSummary& s = model.summary;
  if (s.stages.empty()) return {};
  std::string text = line("Smoothness", smoothness(model));
  const std::string stages = stages_text(s);
  const bool sampled = s.structure_rows < s.rows;
  const std::string given = error_given_model(s);
  if (!given.empty()) text += line("Given these", given);
  if (!stages.empty())
    text += line("Choice", choice(s, sampled));
  else if (sampled)
    text += line("Choice", fmt::format("structure and resolution from a sample of {}; fitted to all",
                                       counted(s.structure_rows, "row")));
  return text + stages;
}

}  // namespace

int grid_search_fits(const FitSummary& summary, int max_resolution_additive, int max_resolution_pairwise) {
  constexpr int folds = 3;
  int candidates = summary.additive ? max_resolution_additive : 0;
  if (summary.pairwise) candidates += max_resolution_pairwise;
  return candidates * folds + 1;
}

std::string note_lines(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += line("Note", note);
  return text;
}

namespace {

/// How far off predictions are, and whether to rely on them.
std::string first_questions(const table::TableModel& fitted) {
  const FitSummary& s = fitted.model.summary;
  std::string text = line("Accuracy", accuracy_line(s));
  if (const std::string gain = gain_over_mean(s); !gain.empty()) text += line("", gain);
  if (const std::string largest = largest_errors(fitted.model); !largest.empty()) text += line("", largest);
  if (const std::string robust = robust_note(s); !robust.empty()) text += line("Robust", robust);
  text += line("Verdict", verdict(evidence_of(fitted.model)).sentence);
  if (const IntervalCheck check = interval_check(s); !check.sentence.empty())
    text += line("Intervals", check.sentence);
  if (const std::string equal = equal_rows_note(s); !equal.empty()) text += line("Note", equal);
  return text + note_lines(convergence_notes(s)) + note_lines(row_notes(fitted));
}

std::string effects(const Model& model) {
  const Decomposition shown = decomposition(model);
  if (shown.effects.empty()) return {};
  return line("Effects",
              "shares of the variance of the fitted values, which add up to 100 %: what an effect "
              "varies alone, and its overlap with the others") +
         effects_table(shown);
}

/// What was read, and how the model was found.
std::string how_found(const table::TableModel& fitted) {
  const Model& model = fitted.model;
  const FitSummary& s = model.summary;
  std::string text;
  if (const std::string scale = scale_sentence(model); !scale.empty()) text += line("Scale", scale);
  if (const std::string family = family_sentence(fitted); !family.empty()) text += line("Family", family);
  return text + structure(model) + growth(model) + solved(s);
}

/// How the target varies, which errors are to be seen beside.
std::string target_words_of(const table::TableModel& fitted) {
  const FitSummary& s = fitted.model.summary;
  if (!(s.target_variance > 0)) return "";
  const std::vector<std::string> levels = target_words(fitted);
  if (levels.size() == 2)
    return fmt::format("; the target is {} in {} of the rows", levels[1], percent(s.target_mean));
  return fmt::format("; the target has mean {} and standard deviation {}", short_number(s.target_mean),
                     short_number(std::sqrt(s.target_variance)));
}

std::string what_was_read(const table::TableModel& fitted) {
  const FitSummary& s = fitted.model.summary;
  const std::uint64_t dropped = fitted.facts.missing_target;
  return line("Model", fmt::format("'{}' from {}, {} profile", fitted.model.target, fitted.facts.origin,
                                   fitted.facts.profile)) +
         line("Data",
              fmt::format("{}, {}{}{}", counted(s.rows, "row"), columns_words(fitted.encoding),
                          dropped == 0 ? "" : "; without " + counted(dropped, "row") + " that had no target",
                          target_words_of(fitted)));
}

}  // namespace

std::string describe(const table::TableModel& fitted) {
  const Model& model = fitted.model;
  const FitSummary& s = model.summary;
  if (!s.additive && !s.pairwise)
    return what_was_read(fitted) +
           line("Result",
                fmt::format("the target is constant: every prediction is {}", short_number(model.intercept)));
  std::string text = first_questions(fitted) + effects(model);
  const std::string more_data = forecast_text(model);
  if (!s.stages.empty() && !more_data.empty()) text += line("More data", more_data);
  return text + what_was_read(fitted) + how_found(fitted);
}

}  // namespace kore::story

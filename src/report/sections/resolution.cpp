#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/resolution_chart.hpp"
#include "report/sections/growth_tables.hpp"
#include "report/sections/sections.hpp"
#include "story/growth.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

using story::counted;

/// The rows that the law was solved with: the default profile may decide on a sample.
double law_rows(const FitSummary& summary) {
  if (summary.stages.empty() || summary.rows == 0) return summary.weight_sum;
  return summary.weight_sum * static_cast<double>(summary.structure_rows) / static_cast<double>(summary.rows);
}

bool counts(const BasisCount& size, const Selection& selection) {
  return std::ranges::all_of(selection.curve, [&](const auto& point) {
    return std::abs(size(point.first) - static_cast<double>(point.second.p)) < 0.5;
  });
}

/// A grown model may have kept fewer pairs than the pilots had. The numbers of columns of the measured fits
/// show which pairs those were. If neither all pairs nor those of the model match them, no curve of the law
/// is drawn.
SolvedResolution solved_resolution(const Model& model, Selection selection,
                                   const std::vector<FeaturePair>& pairs) {
  const int degree = model.design.degree();
  const std::vector<Feature>& features = model.design.features();
  BasisCount size = basis_count(features, pairs, degree);
  if (!counts(size, selection) && !pairs.empty())
    size = basis_count(features, all_pairs(features.size()), degree);
  if (!counts(size, selection)) selection.law = {};
  return {std::move(selection), size, law_rows(model.summary), degree + 1.0, {}, loss_axis(model)};
}

/// "⁻⁸" for -8.
std::string superscript(int number) {
  static constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

std::string steps(const Selection& selection, double beta) {
  if (selection.skipped) return "Skipped: even at resolution 1 there are too many columns for these rows.";
  std::string text = fmt::format("Fitted first at G = {}", fmt::join(selection.pilots, ", "));
  if (selection.pilots.empty())
    text = "No resolution has fewer than 0.45 columns per row; the coarsest was fitted";
  if (selection.law.usable()) {
    text += fmt::format(
        ". Their leave-one-out errors determine the two unknowns of the law: the bias scale A = {} and "
        "the noise τ = {}. The "
        "expected error above the noise, A G{} + τ p(G)/n, is least at G† = {}",
        readable(selection.law.bias_scale), readable(selection.law.variance_scale),
        superscript(static_cast<int>(-2 * beta)), readable(selection.plug_in));
    if (selection.plug_in_high > 0)
      text +=
          fmt::format(" (95 %: {} to {})", readable(selection.plug_in_low), readable(selection.plug_in_high));
  } else if (!selection.pilots.empty()) {
    text += ". The law has no solution for them, so the better one is taken";
  }
  text += fmt::format(". Fits around it confirm G = {}, with {} in all.", selection.resolution,
                      counted(static_cast<std::uint64_t>(selection.fits), "fit"));
  if (selection.bridged)
    text +=
        " The upper pilot had a smaller error, so the search went on between it and these fits (gap bridge).";
  return text;
}

/// Removes points with errors so large that all other points would look like one line, and returns how many.
/// These are resolutions with too many columns for the rows.
std::size_t take_out_far_worse(Selection& selection) {
  constexpr double far = 10;
  double worst_before = 0;
  for (const auto& [resolution, score] : selection.curve)
    if (resolution <= selection.resolution) worst_before = std::max(worst_before, score.loo);
  return std::erase_if(selection.curve, [&](const auto& point) {
    return point.first > selection.resolution && !(point.second.loo <= far * worst_before);
  });
}

void add_family(Section& section, const std::string& title, const Selection& selection,
                SolvedResolution solved) {
  section.blocks.push_back(Paragraph{title + ". " + steps(selection, solved.beta)});
  if (solved.selection.skipped || solved.selection.curve.empty()) return;
  const std::size_t left_out = take_out_far_worse(solved.selection);
  Figure figure{title, {}, {}};
  figure.panels.push_back({"What was measured",
                           fmt::format("Leave-one-out errors at {} resolutions; the least at G = {}.",
                                       solved.selection.curve.size(), solved.selection.resolution),
                           measured_chart(solved)});
  if (solved.selection.law.usable())
    figure.panels.push_back(
        {"The law through the pilots",
         fmt::format("Squared bias falls, variance rises, and their sum is least at G = {}.",
                     readable(solved.selection.plug_in)),
         law_chart(solved)});
  if (left_out > 0)
    figure.caption = fmt::format("Without {} beyond, whose errors are more than ten times as large.",
                                 counted(left_out, "resolution"));
  section.blocks.push_back(std::move(figure));
}

void add_growth(Section& section, const Model& model) {
  const FitSummary& summary = model.summary;
  if (summary.stages.empty()) return;
  std::string text =
      "From there the model grew: every term got a penalty on its roughness, whose weight is solved for too, "
      "and interactions were "
      "added step by step. The leave-one-out error takes penalties and terms as given, though the same rows "
      "chose them; ";
  text += story::judged_by_unseen_rows(summary) ? "so rows that took part in none of these choices decided."
                                                : "the price is an allowance for that.";
  if (summary.structure_rows < summary.rows)
    text += fmt::format(" A sample of {} decided on the structure; it was then fitted to all rows.",
                        counted(summary.structure_rows, "row"));
  section.blocks.push_back(Paragraph{text});
  section.blocks.push_back(stages_table(summary));
  if (summary.screened.empty()) return;
  section.blocks.push_back(Paragraph{
      "Before an interaction is tried, it is scored alone: the gain is how much it raises the "
      "log-likelihood of the residuals of the model so far. A gain of a few units may come by "
      "chance. Those with the largest gains are tried, and left-out rows decide whether they stay."});
  section.blocks.push_back(screened_table(model));
}

}  // namespace

Section resolution_section(const Subject& subject) {
  const Model& model = subject.fitted.model;
  const FitSummary& summary = model.summary;
  Section section{"resolution", "Appendix: how the model was found", {}, "Appendix"};
  if (!summary.additive && !summary.pairwise) return section;
  section.blocks.push_back(size_table(subject.fitted));
  section.blocks.push_back(
      Paragraph{"The resolution G is the number of pieces a curve is made of. Too few cannot follow the data "
                "(bias), too many follow the noise "
                "(variance). The bias falls with G at a known rate and the number of columns p(G) is known, "
                "so that a few leave-one-out errors "
                "are enough to solve for the best G instead of searching for it."});
  const bool grown = !summary.stages.empty();
  if (summary.additive)
    add_family(section, grown ? "Main effects, without penalty" : "Additive structure", *summary.additive,
               solved_resolution(model, *summary.additive, {}));
  if (summary.pairwise)
    add_family(section, grown ? "All pairs, without penalty" : "Pairwise structure", *summary.pairwise,
               solved_resolution(model, *summary.pairwise, summary.pairs));
  add_growth(section, model);
  section.blocks.push_back(checks_table(model));
  if (summary.pilot_check && !summary.pilot_check->advice.empty())
    section.blocks.push_back(Notes{summary.pilot_check->advice});
  if (subject.compared.empty()) return section;
  section.blocks.push_back(ladder_table(subject.compared));
  section.blocks.push_back(Notes{
      {"Scores can be compared only between rows with the same meaning.",
       "All except KORE default choose from the paper's additive and pairwise models. The four criteria "
       "share one pass over the grid, so each shows the time of all."}});
  return section;
}

}  // namespace kore::report

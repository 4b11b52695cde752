#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/drawing.hpp"
#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/accuracy.hpp"
#include "story/effect_grid.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

std::string range_words(const std::vector<double>& values) {
  const auto [lowest, highest] = std::ranges::minmax(values);
  return fmt::format("between {} and {}", readable(lowest), readable(highest));
}

std::string title_of(const Subject& subject, std::size_t term) {
  return with_share(shortened(story::term_name(subject.shown, term), 80),
                    subject.shown.effects[term].covariance_share);
}

std::string gap_note(const Subject& subject, std::size_t feature) {
  const table::EncodedFeature& encoded = subject.fitted.encoding.features[feature];
  const table::EncodedColumn& column = subject.fitted.encoding.columns[encoded.column];
  if (encoded.kind != table::EncodedKind::numeric || column.missing_share == 0) return {};
  return fmt::format("Missing in {} of the rows, which count as {}.", story::percent(column.missing_share),
                     value_text(subject.fitted, feature, column.median));
}

std::string values_note(const Subject& subject, std::size_t feature) {
  const auto values = values_term(subject.shown, feature);
  if (!values) return {};
  return fmt::format(
      "Single values matter: the dots are the effects of values that many rows share, beyond "
      "what the curve says (a share of {}).",
      story::percent(subject.shown.effects[*values].covariance_share));
}

/// Axes are as long as they need to be, but none shows less than this part of the largest effect.
constexpr double least_part = 0.1;

double span_of(const std::vector<double>& values) {
  const auto [lowest, highest] = std::ranges::minmax(values);
  return highest - lowest;
}

double largest_span(const Subject& subject) {
  double largest = 0;
  const std::vector<ShownTerm>& terms = subject.shown.terms;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (terms[t].order() != 1 || terms[t].any_by_value()) continue;
    std::vector<double> values;
    if (has_levels(subject.fitted, terms[t].features[0]))
      for (const DrawnLevel& level : drawn_levels(subject, t).levels) values.push_back(level.effect);
    else
      values = effects_in_view(drawn_curve(subject, t));
    largest = std::max(largest, span_of(values));
  }
  return largest;
}

Panel main_effect(const Subject& subject, std::size_t term, double least_span) {
  const std::size_t feature = subject.shown.terms[term].features[0];
  Panel panel{title_of(subject, term), {}, {}, gap_note(subject, feature)};
  const std::string dots = values_note(subject, feature);
  if (!dots.empty()) panel.note += (panel.note.empty() ? "" : " ") + dots;
  std::vector<double> values;
  if (has_levels(subject.fitted, feature)) {
    DrawnLevels drawn = drawn_levels(subject, term);
    drawn.least_span = least_span;
    for (const DrawnLevel& level : drawn.levels) values.push_back(level.effect);
    if (drawn.levels.size() > most_bars_of_levels)
      panel.note += fmt::format("{}Of {} levels, the {} with the highest and the lowest effects.",
                                panel.note.empty() ? "" : " ", drawn.levels.size(), most_bars_of_levels);
    panel.spec = levels_chart(std::move(drawn));
  } else {
    DrawnCurve drawn = drawn_curve(subject, term);
    drawn.least_span = least_span;
    values = effects_in_view(drawn);
    if (drawn.central)
      panel.note += std::string(panel.note.empty() ? "" : " ") + "Shown where 99 % of the rows lie.";
    panel.spec = curve_chart(drawn);
  }
  panel.description =
      fmt::format("Effect of {}, {}.", story::term_name(subject.shown, term), range_words(values));
  return panel;
}

}  // namespace

bool is_worth_showing(const Effect& effect) {
  return std::max(effect.share, std::abs(effect.covariance_share)) >= least_shown_share;
}

namespace {

std::string introduction(const Subject& subject, bool bands) {
  const Model& model = subject.fitted.model;
  std::string intro = fmt::format(
      "What each feature adds to {}, as a deviation from the mean, whatever the others are; in brackets its "
      "share. The most important come first.",
      sum_words(model));
  if (model.linked())
    intro += fmt::format(" An effect of 0.1 multiplies the {} by 1.105, one of 1 by 2.72.",
                         model.family == "binomial" ? "odds" : "prediction");
  intro += bands ? " The shaded band, or the line on a bar, covers the true effect at 95 % of its points, on "
                   "average."
                 : " This profile has no bands: the published algorithm does not give any.";
  return intro + (subject.observed != nullptr
                      ? " Grey columns show where the rows lie."
                      : " Where the rows lie is shown when the report is given the table.");
}

}  // namespace

Section effects_section(const Subject& subject) {
  if (story::is_constant(subject.fitted.model.summary))
    return {
        "effects",
        "Main effects",
        {Paragraph{"There are none: the model predicts the same for every row, because no effect predicts "
                   "left-out rows better than that."}},
        "Effects"};
  Figure figure{{}, {}, {}, true};
  Figure small{{}, {}, {}, true};
  bool bands = false;
  const double least_span = least_part * largest_span(subject);
  for (const std::size_t t : story::ranked_terms(subject.shown)) {
    const ShownTerm& term = subject.shown.terms[t];
    if (term.order() != 1 || term.any_by_value()) continue;  // single values are dots beside their curve
    bands = bands || has_errors(subject.shown.effects[t]);
    Figure& to = is_worth_showing(subject.shown.effects[t]) ? figure : small;
    to.panels.push_back(main_effect(subject, t, least_span));
  }
  if (figure.panels.empty()) std::swap(figure, small);
  if (figure.panels.empty()) return {};
  Section section{
      "effects", "Main effects", {Paragraph{introduction(subject, bands)}, std::move(figure)}, "Effects"};
  if (!small.panels.empty()) {
    small.folded = fmt::format("{} of less than {} each", story::counted(small.panels.size(), "effect"),
                               story::percent(least_shown_share));
    section.blocks.push_back(std::move(small));
  }
  return section;
}

}  // namespace kore::report

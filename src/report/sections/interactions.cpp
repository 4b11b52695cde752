#include <fmt/format.h>

#include <algorithm>

#include "report/drawing.hpp"
#include "report/drawn_ranges.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/accuracy.hpp"
#include "story/effect_grid.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

constexpr std::size_t most_surfaces = 40;
constexpr std::size_t most_triples = 6;

std::string range_words(const std::vector<double>& values) {
  const auto [lowest, highest] = std::ranges::minmax(values);
  return fmt::format("between {} and {}", readable(lowest), readable(highest));
}

/// Of purified effects many say next to nothing, because they belong to larger terms; those are left out.
std::vector<std::size_t> ranked_of_order(const Decomposition& shown, std::size_t order) {
  std::vector<std::size_t> terms;
  for (const std::size_t t : story::ranked_terms(shown))
    if (shown.terms[t].order() == order && (!shown.purified || is_worth_showing(shown.effects[t])))
      terms.push_back(t);
  return terms;
}

std::string left_out_words(const Decomposition& shown, std::size_t drawn) {
  const auto all = static_cast<std::size_t>(
      std::ranges::count_if(shown.terms, [](const ShownTerm& term) { return term.order() > 1; }));
  if (all == drawn) return {};
  return fmt::format("Not shown: {} with a share of less than {} each.",
                     story::counted(all - drawn, "interaction"), story::percent(least_shown_share));
}

Panel pair_panel(const Subject& subject, std::size_t term) {
  const DrawnSurface drawn = drawn_surface(subject, term);
  const std::string name = story::term_name(subject.shown, term);
  return {with_share(shortened(name, 80), subject.shown.effects[term].covariance_share),
          fmt::format("What {} do together, {}.", name, range_words(drawn.values)), pair_chart(drawn)};
}

Figure triple_figure(const Subject& subject, std::size_t term) {
  const std::vector<std::string> features = story::feature_names(subject.shown, term);
  const std::size_t last = subject.shown.terms[term].features[2];
  Figure figure{{}, {}, {}, true};
  const std::vector<double> at_values = slices(subject.shown, term);
  std::size_t all_at = 0;
  std::vector<double> all;  // slices have the same colours, so that they can be compared
  for (const double slice : at_values) {
    const std::vector<double> values = supported_values(drawn_surface(subject, term, slice, all_at++));
    all.insert(all.end(), values.begin(), values.end());
  }
  for (std::size_t place = 0; place < at_values.size(); ++place) {
    const double slice = at_values[place];
    DrawnSurface drawn = drawn_surface(subject, term, slice, place);
    drawn.limits = heat_limits(all);
    const std::string at = value_text(subject.fitted, last, slice);
    figure.panels.push_back(
        {fmt::format("{} × {} at {} = {}", shortened(features[0], 30), shortened(features[1], 30),
                     shortened(features[2], 30), shortened(at, 30)),
         fmt::format("What {} do together at {} = {}, {}.", story::term_name(subject.shown, term),
                     features[2], at, range_words(drawn.values)),
         surface_chart(drawn)});
  }
  figure.caption = fmt::format(
      "{} ({}): what the three do together beyond their pairs, in slices; rows belong to the nearest slice. "
      "Three features at once are hard to read; judge them by their share.",
      shortened(story::term_name(subject.shown, term), 100),
      story::percent(subject.shown.effects[term].covariance_share));
  return figure;
}

DataTable offered_table(const Decomposition& shown, const std::vector<std::size_t>& pairs) {
  DataTable table{"All pairs by their share", {"pair", "share"}, {}, 1, true};
  for (const std::size_t t : pairs)
    table.rows.push_back({story::term_name(shown, t), story::percent(shown.effects[t].covariance_share)});
  return table;
}

std::string none_words(const Model& model) {
  const std::size_t looked =
      model.summary.screened.size() + (model.summary.pairwise ? model.summary.pairs.size() : 0);
  if (looked == 0) return "The model has main effects alone; no interaction was tried.";
  return "The model has main effects alone: interactions were tried, and left-out rows are not predicted "
         "better with them.";
}

}  // namespace

Section interactions_section(const Subject& subject) {
  const Model& model = subject.fitted.model;
  if (story::is_constant(model.summary)) return {};
  const std::vector<std::size_t> pairs = ranked_of_order(subject.shown, 2);
  const std::vector<std::size_t> triples = ranked_of_order(subject.shown, 3);
  Section section{"interactions", "Interactions", {}};
  const std::string left_out = left_out_words(subject.shown, pairs.size() + triples.size());
  if (pairs.empty() && triples.empty() && left_out.empty()) {
    section.blocks.push_back(Paragraph{none_words(model)});
  } else {
    section.blocks.push_back(Paragraph{fmt::format(
        "What features do together, after the effect of each by itself has been taken away.{}",
        subject.observed != nullptr ? " Where fewer than three rows lie near, lines and colours are faint: "
                                      "there, the values follow from smoothness and not from data."
                                    : "")});
    Figure figure{{}, {}, {}, true};
    for (std::size_t i = 0; i < std::min(pairs.size(), most_surfaces); ++i)
      figure.panels.push_back(pair_panel(subject, pairs[i]));
    if (pairs.size() > most_surfaces)
      figure.caption =
          fmt::format("The {} of {} pairs with the largest shares.", most_surfaces, pairs.size());
    if (!figure.panels.empty()) section.blocks.push_back(std::move(figure));
    for (std::size_t i = 0; i < std::min(triples.size(), most_triples); ++i)
      section.blocks.push_back(triple_figure(subject, triples[i]));
    if (triples.size() > most_triples)
      section.blocks.push_back(Paragraph{fmt::format(
          "{} with smaller shares not shown.", story::counted(triples.size() - most_triples, "triple"))});
    if (!left_out.empty()) section.blocks.push_back(Paragraph{left_out});
  }
  if (model.summary.screened.empty() && !pairs.empty()) {
    section.blocks.push_back(offered_table(subject.shown, pairs));
  }
  return section;
}

}  // namespace kore::report

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/effect_grid.hpp"
#include "story/terms_table.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

constexpr std::size_t most_bars = 20;
constexpr int bar_height = 26;

Json bars(const Decomposition& shown, const std::vector<std::size_t>& terms) {
  std::vector<std::string> term_names;
  for (const std::size_t t : terms) term_names.push_back(story::term_name(shown, t));
  term_names = shortened_apart(term_names, 60, letters_beside_bars);
  Json rows = Json::array();
  for (const std::size_t t : terms) {
    const Effect& effect = shown.effects[t];
    rows.push_back({{"term", term_names[rows.size()]},
                    {"share", rounded(effect.covariance_share)},
                    {"alone", rounded(effect.share)},
                    {"overlap", rounded(effect.covariance_share - effect.share)}});
  }
  Json y = names("term", "");
  y["axis"] = {{"labelLimit", 130}, {"labelOverlap", false}};
  Json x = linear("share", "share");
  x["axis"]["format"] = ".0%";
  x["scale"] = {{"zero", true}};
  const Json tooltip = hints({{"term", "", ""},
                              {"share", "share", ".1%"},
                              {"alone", "alone", ".1%"},
                              {"overlap", "overlap", ".1%"}});
  return layered(
      std::move(rows),
      {layer({{"type", "bar"}, {"color", colour(1)}, {"opacity", 0.6}, {"height", {{"band", 0.62}}}},
             {{"x", x}, {"x2", fixed_at(0)}, {"y", y}, {"tooltip", tooltip}}),
       layer({{"type", "rule"}}, {{"x", fixed_at(0)}}, Json::array({Json::object()}))},
      bar_height * static_cast<int>(terms.size()));
}

std::string share_words(const Subject& subject) {
  const Model& model = subject.fitted.model;
  double overlap = 0;
  for (const Effect& effect : subject.shown.effects) overlap += effect.covariance_share - effect.share;
  std::string text = fmt::format(
      "How much of the variation of the {} over the rows is due to each effect. All shares add up to 100 %. "
      "A "
      "share has two parts: what the effect varies alone, and its overlap with the others, which is positive "
      "where it rises and falls with them from row to row, and negative where it falls as they rise.",
      model.linked() ? "fitted " + link_words(model) : "fitted values");
  constexpr double little = 0.05;
  if (std::abs(overlap) < little) return text + " Here effects hardly overlap.";
  return text + fmt::format(
                    " Overlaps make up {} in all: features depend on each other, and the data tell "
                    "less surely which of them matters.",
                    story::percent(overlap));
}

DataTable overlap_table(const Subject& subject) {
  DataTable table{
      "Effects whose values are strongly correlated: the data can hardly tell which of them "
      "matters",
      {"effects", "", "correlation"},
      {},
      2};
  if (subject.observed == nullptr) return table;
  const Decomposition& shown = subject.shown;
  for (const Overlap& overlap : subject.observed->overlaps)
    table.rows.push_back({story::term_name(shown, overlap.left), story::term_name(shown, overlap.right),
                          fmt::format("{:.2f}", overlap.correlation)});
  return table;
}

DataTable all_shares(const Decomposition& shown, const std::vector<std::size_t>& terms) {
  DataTable table{
      "All effects with their shares", {"effect", "kind", "share", "alone", "overlap"}, {}, 2, true};
  const bool tests = story::knows_tests(shown);
  if (tests) table.head.insert(table.head.end(), {"effective parameters", "test: p if no effect"});
  for (const std::size_t t : terms) {
    const Effect& effect = shown.effects[t];
    table.rows.push_back({story::term_name(shown, t), story::effect_kind(shown, t),
                          story::percent(effect.covariance_share), story::percent(effect.share),
                          story::percent(effect.covariance_share - effect.share)});
    if (tests) {
      table.rows.back().emplace_back(story::decimals(effect.parameters, 1));
      table.rows.back().emplace_back(story::probability(effect.p_value));
    }
  }
  return table;
}

}  // namespace

Section importance_section(const Subject& subject) {
  const Decomposition& shown = subject.shown;
  std::vector<std::size_t> terms = story::ranked_terms(shown);
  if (terms.empty() || !(shown.effects[terms.front()].share > 0)) return {};
  DataTable table = all_shares(shown, terms);
  const std::size_t all = terms.size();
  std::erase_if(terms, [&](std::size_t t) { return !is_worth_showing(shown.effects[t]); });
  terms.resize(std::min(terms.size(), most_bars));
  const Panel panel{
      {},
      fmt::format("Shares by effect; the largest is {} with {}.", story::term_name(shown, terms.front()),
                  story::percent(shown.effects[terms.front()].covariance_share)),
      bars(shown, terms),
      all > terms.size() ? fmt::format("The {} largest of {} effects.", terms.size(), all) : ""};
  Section section{"importance", "What matters", {Paragraph{share_words(subject)}, Figure{{}, {}, {panel}}}};
  if (DataTable overlaps = overlap_table(subject); !overlaps.rows.empty())
    section.blocks.push_back(std::move(overlaps));
  section.blocks.push_back(std::move(table));
  if (story::knows_tests(shown))
    section.blocks.push_back(Paragraph{
        "In the table, p is the probability that a feature without any effect would look as strong. "
        "It is approximate, and too small for interactions, because the same rows chose them. A dash: "
        "not known, for an effect that has taken over parts of interactions."});
  return section;
}

}  // namespace kore::report

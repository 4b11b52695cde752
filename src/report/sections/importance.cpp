#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/effect_grid.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

constexpr std::size_t most_bars = 20;
constexpr int bar_height = 26;

Json bars(const Decomposition& shown, const std::vector<std::size_t>& terms) {
  Json rows = Json::array();
  for (const std::size_t t : terms)
    rows.push_back({{"term", shortened(story::term_name(shown, t), 60)},
                    {"share", rounded(shown.effects[t].share)},
                    {"own", rounded(shown.effects[t].covariance_share)}});
  Json y = names("term", "");
  y["axis"] = {{"labelLimit", 130}, {"labelOverlap", false}};
  Json x = linear("share", "share of the variance");
  x["axis"]["format"] = ".0%";
  x["scale"] = {{"zero", true}};
  Json own = x;
  own["field"] = "own";
  const Json tooltip =
      hints({{"term", "", ""}, {"share", "share of the variance", ".1%"}, {"own", "net share", ".1%"}});
  return layered(
      std::move(rows),
      {layer({{"type", "bar"}, {"color", colour(1)}, {"opacity", 0.45}, {"height", {{"band", 0.62}}}},
             {{"x", x}, {"x2", fixed_at(0)}, {"y", y}, {"tooltip", tooltip}}),
       layer({{"type", "tick"}, {"color", colour(2)}, {"thickness", 3}, {"height", {{"band", 0.62}}}},
             {{"x", own}, {"y", y}, {"tooltip", tooltip}})},
      bar_height * static_cast<int>(terms.size()));
}

std::string overlap_words(const Subject& subject) {
  const Model& model = subject.fitted.model;
  double total = 0;
  for (const Effect& effect : subject.shown.effects) total += effect.share;
  const std::string whole = model.linked() ? "fitted " + link_words(model) : "fitted values";
  std::string text = fmt::format(
      "Bars: the variance of a term alone, as a share of the variance of the {0}. Marks: its net share, the "
      "covariance of the term with the {0} over their variance. Net shares add up to 100 %, the bars to {1}.",
      whole, story::percent(total));
  if (total > 1.05)
    text += " More than 100 % means that terms of dependent features cancel each other in part.";
  if (total < 0.95) text += " Less than 100 % means that terms of dependent features pull the same way.";
  return text;
}

DataTable overlap_table(const Subject& subject) {
  DataTable table{
      "Terms whose values are strongly correlated: the data can hardly tell which of them "
      "matters",
      {"terms", "", "correlation of the effects"},
      {},
      2};
  if (subject.observed == nullptr) return table;
  const Decomposition& shown = subject.shown;
  for (const Overlap& overlap : subject.observed->overlaps)
    table.rows.push_back({story::term_name(shown, overlap.left), story::term_name(shown, overlap.right),
                          fmt::format("{:.2f}", overlap.correlation)});
  return table;
}

}  // namespace

Section importance_section(const Subject& subject) {
  const Decomposition& shown = subject.shown;
  std::vector<std::size_t> terms = story::ranked_terms(shown);
  if (terms.empty() || !(shown.effects[terms.front()].share > 0)) return {};
  DataTable table{
      "All terms with their shares", {"term", "kind", "share of variance", "net share"}, {}, 2, true};
  for (const std::size_t t : terms)
    table.rows.push_back({story::term_name(shown, t), story::effect_kind(shown, t),
                          story::percent(shown.effects[t].share),
                          story::percent(shown.effects[t].covariance_share)});
  const std::size_t all = terms.size();
  terms.resize(std::min(all, most_bars));
  const Panel panel{
      {},
      fmt::format("Shares of the variance by term; the largest is {} with {}.",
                  story::term_name(shown, terms.front()), story::percent(shown.effects[terms.front()].share)),
      bars(shown, terms),
      all > most_bars ? fmt::format("The {} largest of {} terms.", most_bars, all) : ""};
  Section section{"importance", "What matters", {Paragraph{overlap_words(subject)}, Figure{{}, {}, {panel}}}};
  if (DataTable overlaps = overlap_table(subject); !overlaps.rows.empty())
    section.blocks.push_back(std::move(overlaps));
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace kore::report

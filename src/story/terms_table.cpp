#include "story/terms_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "story/effect_grid.hpp"
#include "story/text.hpp"

namespace kore::story {
bool knows_tests(const Decomposition& shown) {
  return std::ranges::any_of(shown.effects, [](const Effect& effect) { return !std::isnan(effect.p_value); });
}

std::string probability(double p) {
  constexpr double smallest_shown = 0.001;
  if (std::isnan(p)) return "-";
  return p < smallest_shown ? "< 0.001" : fmt::format("{:.3f}", p);
}

std::string decimals(double value, int places) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, places);
}

std::string terms_table(const Decomposition& shown, std::size_t most) {
  if (shown.effects.empty()) return {};
  const bool tests = knows_tests(shown);
  std::vector<std::vector<std::string>> rows{{"term", "kind", "share", "alone", "overlap"}};
  if (tests) rows[0].insert(rows[0].end(), {"parameters", "p if no effect", "concurvity"});
  const std::vector<std::size_t> order = ranked_terms(shown);
  for (std::size_t i = 0; i < std::min(order.size(), most); ++i) {
    const Effect& effect = shown.effects[order[i]];
    rows.push_back({term_name(shown, order[i]), effect_kind(shown, order[i]),
                    percent(effect.covariance_share), percent(effect.share),
                    percent(effect.covariance_share - effect.share)});
    if (tests)
      rows.back().insert(rows.back().end(), {decimals(effect.parameters, 1), probability(effect.p_value),
                                             decimals(effect.concurvity, 2)});
  }
  std::string text = aligned(rows, 2);
  if (order.size() > most)
    text += fmt::format("... and {} more (kore effects shows all)\n", order.size() - most);
  return text;
}

std::string terms_note(const Decomposition& shown) {
  if (!knows_tests(shown)) return {};
  std::string text =
      "p-values are approximate, and those of interactions too small: the same rows chose the terms. "
      "Concurvity is the share of a term that the others could say.\n";
  if (std::ranges::any_of(shown.effects, [](const Effect& effect) { return std::isnan(effect.p_value); }))
    text +=
        "-: not known. Such an effect has taken over parts of interactions, or it has very many columns; "
        "--raw has the tests of the terms as they were fitted.\n";
  return text;
}

}  // namespace kore::story

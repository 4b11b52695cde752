#include "grow/forms.hpp"

#include <algorithm>
#include <map>

#include "grow/single_values.hpp"

namespace kore {
namespace {

using Features = std::vector<std::size_t>;

constexpr std::size_t most_looked_at = 100;
constexpr int fine_pair = 8;
constexpr int fine_triple = 3;

/// Features that may act value by value in interactions: those with such a main effect, and those of few
/// values.
Features features_by_value(const GrowingData& data, const Stage& stage) {
  constexpr std::size_t few = 30;
  Features features;
  for (std::size_t j = 0; j < data.features.size(); ++j) {
    const auto own = [&](const GrownTerm& grown) {
      return grown.term.order() == 1 && grown.term.by_value() && grown.term.features[0] == j;
    };
    if (repeats(data, j) &&
        (data.features[j].repeated.size() <= few || std::ranges::any_of(stage.terms, own)))
      features.push_back(j);
  }
  return features;
}

/// The interaction with some or all of these features value by value.
void add_by_value(const Term& term, const Features& by_value, std::vector<Term>& forms) {
  Features places;
  for (std::size_t c = 0; c < term.order(); ++c)
    if (std::ranges::find(by_value, term.features[c]) != by_value.end()) places.push_back(c);
  for (std::size_t subset = 1; subset < std::size_t{1} << places.size(); ++subset) {
    forms.push_back(term);
    for (std::size_t i = 0; i < places.size(); ++i)
      if ((subset >> i & 1U) != 0) forms.back().resolutions[places[i]] = each_value;
  }
}

/// A pair of curves with one of them, or both, a straight line.
void add_lines(const GrowingData& data, const Term& term, std::vector<Term>& forms) {
  const auto curve = [&](std::size_t c) { return becomes_line(data.features[term.features[c]]); };
  if (term.order() != 2 || !curve(0) || !curve(1)) return;
  const Term fine = term_at(data.coordinates, term.features, fine_pair);
  for (const auto& resolutions :
       {std::vector{straight, fine.resolutions[1]}, std::vector{fine.resolutions[0], straight},
        std::vector{straight, straight}})
    forms.push_back({term.features, resolutions});
}

bool has_line(const Term& term) {
  return std::ranges::find(term.resolutions, straight) != term.resolutions.end();
}

/// By how much, of the logarithm of a likelihood, another form must explain more than curves. A triple of
/// curves starts at its coarsest, and may gain a lot by refinement.
double needed(const Term& form, double gain_of_curves) {
  constexpr double clearly_more = 2;
  constexpr double clearly_more_than_triple = 5;
  constexpr double clearly_more_than_curves = 8;  // a line cannot be refined later
  if (has_line(form)) return gain_of_curves + clearly_more_than_curves;
  return form.order() == 2 ? gain_of_curves + clearly_more : 2 * gain_of_curves + clearly_more_than_triple;
}

/// The gains of finer curves than those that were scored, for pairs and triples that have other forms.
std::map<Features, double> gains_of_fine_curves(const GrowingData& data, const Stage& fitted,
                                                const std::map<Features, std::vector<ScoredTerm>>& others) {
  std::vector<Term> curves;
  for (const auto& [features, forms] : others)
    curves.push_back(term_at(data.coordinates, features, features.size() == 2 ? fine_pair : fine_triple));
  std::map<Features, double> gains;
  for (const ScoredTerm& scored : score_terms(data, fitted, std::move(curves)))
    gains[scored.term.features] = scored.gain;
  return gains;
}

}  // namespace

void offer_other_forms(const GrowingData& data, const Stage& fitted, std::vector<ScoredTerm>& terms) {
  const Features by_value = features_by_value(data, fitted);
  const std::size_t looked_at = std::min(terms.size(), most_looked_at);
  std::vector<Term> forms;
  std::vector<double> least;
  for (std::size_t i = 0; i < looked_at; ++i) {
    add_by_value(terms[i].term, by_value, forms);
    if (terms[i].gain > 0) add_lines(data, terms[i].term, forms);
    while (least.size() < forms.size()) least.push_back(needed(forms[least.size()], terms[i].gain));
  }
  std::map<Features, std::vector<ScoredTerm>> others;
  for (ScoredTerm& scored : score_terms(data, fitted, std::move(forms), least))
    others[scored.term.features].push_back(std::move(scored));
  if (others.empty()) return;
  const std::map<Features, double> fine = gains_of_fine_curves(data, fitted, others);
  for (std::size_t i = 0; i < looked_at; ++i) {
    const auto found = fine.find(terms[i].term.features);
    const double curves = std::max(terms[i].gain, found == fine.end() ? 0 : found->second);
    for (const ScoredTerm& other : others[terms[i].term.features])  // best first
      if (other.gain > needed(other.term, curves)) {
        terms[i] = other;
        break;
      }
  }
  std::ranges::stable_sort(terms, std::ranges::greater{},
                           [](const ScoredTerm& scored) { return std::pair(scored.gain, scored.score); });
}

}  // namespace kore

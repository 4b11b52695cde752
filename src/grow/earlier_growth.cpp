#include "grow/earlier_growth.hpp"

#include <algorithm>
#include <utility>

namespace kore {
namespace {

/// The same features, each of them as a curve, as a line or value by value in both.
bool alike(const Term& a, const Term& b) {
  const auto is_curve = [](int resolution) { return resolution != each_value && resolution != straight; };
  return a.features == b.features && std::ranges::equal(a.resolutions, b.resolutions, [&](int r, int s) {
           return r == s || (is_curve(r) && is_curve(s));
         });
}

/// The term as fine as the other one, where the rows can tell so many intervals apart.
Term as_fine_as(const Term& other, const GrowingData& data, Term term) {
  for (std::size_t c = 0; c < term.order(); ++c) {
    int& resolution = term.resolutions[c];
    if (resolution == each_value || resolution == straight) continue;
    resolution = std::min(other.resolutions[c], data.coordinates[term.features[c]].finest);
  }
  return term;
}

}  // namespace

void start_from(const Stage& earlier, const GrowingData& data, const Affordable& affordable,
                std::vector<GrownTerm>& terms) {
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const auto found = std::ranges::find_if(
        earlier.terms, [&](const GrownTerm& other) { return alike(other.term, terms[t].term); });
    if (found == earlier.terms.end()) continue;
    GrownTerm before = terms[t];
    terms[t].term = as_fine_as(found->term, data, terms[t].term);
    terms[t].weights = found->weights;
    if (terms[t].term.order() > 1 && !affordable(terms)) terms[t] = std::move(before);
  }
}

void drop_lost_before(const Stage& earlier, std::vector<ScoredTerm>& scored) {
  constexpr double next_to_nothing = 0.5;  // of the logarithm of a likelihood
  const auto had = [&](const ScoredTerm& candidate) {
    return std::ranges::any_of(earlier.terms, [&](const GrownTerm& grown) {
      return grown.term.features == candidate.term.features;
    });
  };
  std::erase_if(scored, [&](const ScoredTerm& candidate) {
    return candidate.gain < next_to_nothing && !had(candidate);
  });
}

}  // namespace kore

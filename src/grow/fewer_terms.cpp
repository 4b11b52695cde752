#include "grow/fewer_terms.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "grow/choice.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

struct FewTerms {
  StageKind kind;
  std::size_t terms;
};
constexpr std::array few_terms{FewTerms{StageKind::one_term, 1},    FewTerms{StageKind::two_terms, 2},
                               FewTerms{StageKind::three_terms, 3}, FewTerms{StageKind::five_terms, 5},
                               FewTerms{StageKind::eight_terms, 8}, FewTerms{StageKind::thirteen_terms, 13}};

/// The features of a term in rising order; those of an effect of single values are told apart.
std::vector<std::size_t> key_of(const Term& term) {
  std::vector<std::size_t> key = term.features;
  std::ranges::sort(key);
  if (term.order() == 1 && term.by_value()) key.push_back(static_cast<std::size_t>(-1));
  return key;
}

/// Whether all features of one term are among those of another that has more, or it is the curve beside an
/// effect of single values.
bool is_simpler(const Term& simple, const Term& rich) {
  if (rich.order() == 1) return rich.by_value() && !simple.by_value() && simple.features == rich.features;
  return simple.order() < rich.order() && std::ranges::all_of(simple.features, [&](std::size_t j) {
           return std::ranges::find(rich.features, j) != rich.features.end();
         });
}

/// The covariance of each term with the fitted values, over the rows.
std::vector<double> covariances(const GrowingData& data, const Stage& stage) {
  const FittedFunction& fit = *stage.function;
  std::vector<std::vector<std::size_t>> single;
  for (std::size_t t = 0; t < stage.terms.size(); ++t) single.push_back({t});
  const std::vector<std::vector<double>> values =
      evaluate_sums(fit.design, single, fit.coefficients, data.extrapolation, data.rows.x, data.threads);
  std::vector<double> sum(data.rows.rows());
  for (const std::vector<double>& term : values)
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += term[r];
  double weight = 0;
  double mean = 0;
  for (std::size_t r = 0; r < sum.size(); ++r) {
    weight += data.rows.weight(r);
    mean += data.rows.weight(r) * sum[r];
  }
  mean /= weight;
  std::vector<double> found;
  for (const std::vector<double>& term : values) {
    double covariance = 0;
    for (std::size_t r = 0; r < sum.size(); ++r)
      covariance += data.rows.weight(r) * term[r] * (sum[r] - mean);
    found.push_back(covariance);
  }
  return found;
}

std::vector<GrownTerm> chosen_of(const std::vector<GrownTerm>& terms, const std::vector<bool>& chosen) {
  std::vector<GrownTerm> kept;
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (chosen[t]) kept.push_back(terms[t]);
  return kept;
}

/// The same kind of stage with other terms.
Stage fitted_again(const GrowingData& data, const Stage& stage, std::vector<GrownTerm> terms) {
  Stage fewer = fit_penalised(stage.kind == StageKind::lines ? straightened(data) : data, std::move(terms));
  fewer.kind = stage.kind;
  fewer.chance_gain = stage.chance_gain;  // no more competed for fewer places
  return fewer;
}

void limit_terms(const GrowingData& data, const GrowOptions& options, Growth& growth) {
  // Without penalties nothing but the resolution is chosen, and that was chosen for all terms.
  std::erase_if(growth.stages, [&](const Stage& stage) {
    return stage.penalties.empty() && shown_terms(stage.terms) > options.max_terms;
  });
  for (Stage& stage : growth.stages) {
    if (shown_terms(stage.terms) <= options.max_terms) continue;
    stage = fitted_again(data, stage, most_important_terms(data, stage, options.max_terms));
    ++growth.fits;
  }
  // Where all interactions had to go, main effects are left, which compete already.
  std::erase_if(growth.stages, [](const Stage& stage) {
    return stage.kind >= StageKind::certain_pairs && stage.order() == 1;
  });
  const bool lines = !growth.stages.empty() && growth.stages.front().kind == StageKind::lines;
  std::stable_sort(growth.stages.begin() + (lines ? 1 : 0), growth.stages.end(),
                   [](const Stage& a, const Stage& b) { return a.order() < b.order(); });
  growth.chosen = choose_stage(growth.stages, lines ? 1 : 0, options.interactions_only, data);
  growth.penalised = !growth.stages[growth.chosen].penalties.empty();
}

/// The stage whose terms are ranked: the chosen one, unless that has straight lines or no penalties.
const Stage& ranked_stage(const Growth& growth) {
  const Stage& chosen = growth.stages[growth.chosen];
  if (!chosen.penalties.empty() && chosen.kind != StageKind::lines) return chosen;
  return *std::ranges::find(growth.stages, StageKind::main_effects, &Stage::kind);
}

void add_stages_of_few_terms(const GrowingData& data, Growth& growth) {
  const Stage& ranked = ranked_stage(growth);
  std::vector<Stage> added;
  std::size_t before = 0;
  for (const FewTerms& few : few_terms) {
    if (few.terms >= shown_terms(ranked.terms)) break;
    std::vector<GrownTerm> terms = most_important_terms(data, ranked, few.terms);
    if (terms.size() <= before) continue;
    before = terms.size();
    added.push_back(fitted_again(data, ranked, std::move(terms)));
    added.back().kind = few.kind;
    ++growth.fits;
  }
  growth.chosen += added.size();
  growth.stages.insert(growth.stages.begin(), std::make_move_iterator(added.begin()),
                       std::make_move_iterator(added.end()));
}

}  // namespace

std::size_t shown_terms(const std::vector<GrownTerm>& terms) {
  std::set<std::vector<std::size_t>> shown;
  for (const GrownTerm& grown : terms) {
    const std::vector<std::size_t> all = key_of(grown.term);
    shown.insert(all);
    if (grown.term.order() == 1) continue;
    for (std::size_t subset = 1; subset < (std::size_t{1} << all.size()); ++subset) {
      std::vector<std::size_t> part;
      for (std::size_t c = 0; c < all.size(); ++c)
        if ((subset >> c & 1) != 0) part.push_back(all[c]);
      shown.insert(std::move(part));
    }
  }
  return shown.size();
}

std::vector<GrownTerm> most_important_terms(const GrowingData& data, const Stage& stage, std::size_t most) {
  const std::vector<double> share = covariances(data, stage);
  std::vector<std::size_t> order(share.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t t) { return share[t]; });
  std::vector<bool> chosen(stage.terms.size());
  for (const std::size_t t : order) {
    std::vector<bool> more = chosen;
    more[t] = true;
    for (std::size_t s = 0; s < more.size(); ++s)
      if (is_simpler(stage.terms[s].term, stage.terms[t].term)) more[s] = true;
    if (shown_terms(chosen_of(stage.terms, more)) <= most) chosen = std::move(more);
  }
  return chosen_of(stage.terms, chosen);
}

void keep_fewer_terms(const GrowingData& data, const GrowOptions& options, Growth& growth) {
  if (options.max_terms > 0) limit_terms(data, options, growth);
  if (options.few_terms) add_stages_of_few_terms(data, growth);
}

}  // namespace kore

#include "fit/purified_effects.hpp"

#include <algorithm>
#include <numeric>

#include "fit/effects.hpp"
#include "fit/purify.hpp"
#include "kore/response.hpp"

namespace kore {
namespace {

bool has_interactions(const Design& design) {
  return std::ranges::any_of(design.terms(), [](const Term& term) { return term.order() > 1; });
}

std::vector<double> divided(std::vector<double> sums, double weight) {
  for (double& sum : sums) sum /= weight;
  return sums;
}

bool same_features(std::vector<std::size_t> fitted, const std::vector<std::size_t>& sorted) {
  std::ranges::sort(fitted);
  return fitted == sorted;
}

std::size_t term_with(const Design& design, const std::vector<std::size_t>& features) {
  const auto found = std::ranges::find_if(
      design.terms(), [&](const Term& term) { return same_features(term.features, features); });
  return static_cast<std::size_t>(found - design.terms().begin());
}

/// The place of each function of a pair or main effect if its features came in rising order.
std::vector<std::size_t> places_in_rising_order(const Design& design, std::size_t term) {
  std::vector<std::size_t> places(design.raw_term_columns(term));
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (std::ranges::is_sorted(design.terms()[term].features)) return places;
  const auto rows = static_cast<std::size_t>(design.basis(term, 1).functions());
  const std::size_t columns = places.size() / rows;
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i % columns * rows + i / columns;
  return places;
}

/// Whether a term as fitted has all features of a shown one and more.
bool is_part_of_larger(const ShownTerm& shown, const Design& design) {
  return std::ranges::any_of(design.terms(), [&](const Term& term) {
    return term.order() > shown.order() && std::ranges::all_of(shown.features, [&](std::size_t j) {
             return std::ranges::find(term.features, j) != term.features.end();
           });
  });
}

void keep_tests(const Design& design, const std::vector<Effect>& fitted, Decomposition& shown) {
  for (std::size_t i = 0; i < shown.terms.size(); ++i) {
    const ShownTerm& term = shown.terms[i];
    if (is_part_of_larger(term, design)) continue;
    for (std::size_t t = 0; t < fitted.size(); ++t) {
      const Term& other = design.terms()[t];
      if (!same_features(other.features, term.features) || other.by_value() != term.any_by_value()) continue;
      shown.effects[i].parameters = fitted[t].parameters;
      shown.effects[i].p_value = fitted[t].p_value;
      shown.effects[i].concurvity = fitted[t].concurvity;
    }
  }
}

}  // namespace

std::optional<Decomposition> purified_effects(const FitInRows& fit, const LooseFit& loose,
                                              const RowBlock& rows, const std::vector<Effect>& fitted) {
  const Design& design = fit.smoother.design();
  if (!has_interactions(design)) return std::nullopt;
  const MomentsOf moments_of = [&](const Term& term) {
    GramAccumulator gram(Design::of_parts(design.features(), {term}, design.degree()));
    gram.add(working_block(rows), fit.threads);
    return divided(gram.block(0, 0), gram.weight_sum());
  };
  PurifiedTerms purified =
      purify({design, fit.smoother.intercept(), fit.smoother.coefficients()}, moments_of, fit.equations.maps);
  purified.shown.effects = effects_of_rows(purified.shown, rows, fit.threads);
  add_bands(fit, loose, purified);
  keep_tests(design, fitted, purified.shown);
  return std::move(purified.shown);
}

std::optional<Decomposition> purified_effects(const GramAccumulator& gram, const Smoother& smoother) {
  const Design& design = gram.design();
  if (!has_interactions(design)) return std::nullopt;
  const MomentsOf moments_of = [&](const Term& part) {
    const std::size_t t = term_with(design, part.features);
    const std::vector<std::size_t> places = places_in_rising_order(design, t);
    const std::vector<double> block = gram.block(t, t);
    std::vector<double> moments;
    for (const std::size_t i : places)
      for (const std::size_t j : places) moments.push_back(block[i * places.size() + j] / gram.weight_sum());
    return moments;
  };
  Decomposition shown = purify({design, smoother.intercept(), smoother.coefficients()}, moments_of).shown;
  // The parts are the terms as fitted, but for the order of their features.
  std::vector<double> coefficients(design.raw_columns());
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    const std::vector<std::size_t> places = places_in_rising_order(design, t);
    for (std::size_t i = 0; i < places.size(); ++i)
      coefficients[design.raw_offset(t) + places[i]] = shown.coefficients[design.raw_offset(t) + i];
  }
  shown.effects = effects_of(gram, coefficients);
  return shown;
}

}  // namespace kore

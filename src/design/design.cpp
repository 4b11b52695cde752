#include "kore/design.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/checked.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

[[noreturn]] void refuse(std::string_view reason, std::string_view pattern, std::vector<Argument> arguments) {
  throw Error(ErrorCode::invalid_argument, reason, pattern, std::move(arguments));
}

std::string describe(const Term& term, const std::vector<Feature>& features) {
  std::string text;
  for (const std::size_t j : term.features) {
    if (!text.empty()) text += " x ";
    text += j < features.size() && !features[j].name.empty() ? "'" + features[j].name + "'"
                                                             : "feature " + std::to_string(j);
  }
  return text;
}

void check_term(const Term& term, const std::vector<Feature>& features) {
  if (term.order() == 0 || term.order() > max_order)
    refuse("bad_term_order", "A term has {features} features; it must have one, two or three.",
           {{"features", term.order()}});
  const std::string name = describe(term, features);
  if (term.resolutions.size() != term.order())
    refuse("term_without_resolutions", "The term {term} needs one resolution for each of its features.",
           {{"term", name}});
  for (std::size_t c = 0; c < term.order(); ++c) {
    if (term.features[c] >= features.size())
      refuse("term_of_unknown_feature",
             "A term uses feature {feature}, but there are only {features} features (counted from 0).",
             {{"feature", term.features[c]}, {"features", features.size()}});
    const Feature& feature = features[term.features[c]];
    const bool by_value = term.resolutions[c] == each_value && !feature.repeated.empty();
    const bool line =
        term.resolutions[c] == straight && feature.kind != FeatureKind::category && !feature.cyclic;
    if (term.resolutions[c] < 1 && !by_value && !line)
      refuse("bad_term_resolution",
             "The term {term} has a resolution of {resolution}; it must be at least 1.",
             {{"term", name}, {"resolution", term.resolutions[c]}});
    for (std::size_t other = 0; other < c; ++other)
      if (term.features[other] == term.features[c])
        refuse("feature_twice_in_term",
               "The term {term} uses a feature twice. An interaction is between different features.",
               {{"term", name}});
  }
}

bool rises(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); }) &&
         std::ranges::adjacent_find(numbers, std::greater_equal<>()) == numbers.end();
}

void check_feature(const Feature& feature) {
  if (feature.kind == FeatureKind::category && (feature.levels < 1 || feature.levels > max_intervals))
    refuse("bad_level_count",
           "The category '{feature}' has {levels} levels; it must have between 1 and {largest}.",
           {{"feature", feature.name}, {"levels", feature.levels}, {"largest", max_intervals}});
  if (!feature.repeated.empty() && (feature.kind == FeatureKind::category || !rises(feature.repeated)))
    refuse("bad_repeated_values",
           "The repeated values of the feature '{feature}' must be finite and rise, and the feature must not "
           "be a category.",
           {{"feature", feature.name}});
  const Warp& warp = feature.warp;
  if (feature.cyclic &&
      (feature.kind != FeatureKind::spline || !feature.repeated.empty() || !warp.identity()))
    refuse("bad_cyclic_feature",
           "The cyclic feature '{feature}' must be a spline, without a warp and repeated values.",
           {{"feature", feature.name}});
  if (warp.nodes.empty() && warp.values.empty()) return;
  if (feature.kind == FeatureKind::category)
    refuse("warped_category",
           "The warp of the feature '{feature}' has no meaning: the feature is a category.",
           {{"feature", feature.name}});
  if (warp.nodes.size() < 2 || warp.nodes.size() != warp.values.size())
    refuse("bad_warp_size",
           "The warp of the feature '{feature}' has {nodes} nodes and {values} values; it needs two or more, "
           "and as many of each.",
           {{"feature", feature.name}, {"nodes", warp.nodes.size()}, {"values", warp.values.size()}});
  if (!rises(warp.nodes) || !rises(warp.values))
    refuse(
        "falling_warp",
        "The warp of the feature '{feature}' must rise: each node and each value must be finite and larger "
        "than the one before.",
        {{"feature", feature.name}});
}

BasisArgument argument_of(const Feature& feature, int resolution) {
  if (feature.kind == FeatureKind::category) return BasisArgument::warped;  // it has no warp
  if (feature.cyclic) return BasisArgument::around;
  return resolution == each_value ? BasisArgument::place
         : resolution == straight ? BasisArgument::plain
                                  : BasisArgument::warped;
}

UniformBasis basis_of(const Feature& feature, int resolution, int degree) {
  if (feature.kind == FeatureKind::category) return UniformBasis::indicators(feature.levels);
  if (resolution == each_value)
    return UniformBasis::indicators(static_cast<int>(feature.repeated.size()) + 1);
  const bool linear = feature.kind == FeatureKind::linear || resolution == straight;
  const Warp& warp = feature.warp;
  const bool warped = !warp.identity() && resolution != straight;
  const Range span = warped ? Range{warp.values.front(), warp.values.back()} : feature.range;
  return {Knots{span.lowest, span.highest, linear ? 1 : resolution}, linear ? 1 : degree};
}

}  // namespace

Design::Design(std::vector<Feature> features, std::vector<Term> terms, int degree,
               Parametrisation parametrisation)
    : Design(std::move(features), std::move(terms), degree, parametrisation, false) {}

Design::Design(std::vector<Feature> features, std::vector<Term> terms, int degree,
               Parametrisation parametrisation, bool several_resolutions)
    : features_(std::move(features)),
      terms_(std::move(terms)),
      degree_(degree),
      parametrisation_(parametrisation) {
  check(several_resolutions);
  lay_out();
}

void Design::check(bool several_resolutions) const {
  const UniformBasis refuses_a_bad_degree({}, degree_);  // also where every feature is linear
  for (const Feature& feature : features_) check_feature(feature);
  if (terms_.empty())
    refuse("no_terms", "A design needs at least one term, so there must be at least one feature.", {});
  std::set<std::vector<std::pair<std::size_t, int>>> seen;
  for (const Term& term : terms_) {
    check_term(term, features_);
    std::vector<std::pair<std::size_t, int>> key;
    for (std::size_t c = 0; c < term.order(); ++c)
      key.emplace_back(term.features[c],
                       several_resolutions ? term.resolutions[c] : std::min(term.resolutions[c], 1));
    std::sort(key.begin(), key.end());
    if (!seen.insert(key).second)
      refuse("repeated_term", "The term {term} is given twice.", {{"term", describe(term, features_)}});
    if (parametrisation_ == Parametrisation::first_block_full && term.order() > 1)
      refuse("interaction_in_additive_design",
             "The additive parametrisation has main effects only, but was given {term}.",
             {{"term", describe(term, features_)}});
  }
}

void Design::lay_out() {
  offsets_ = {has_intercept() ? std::size_t{1} : std::size_t{0}};
  raw_offsets_ = {0};
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    std::vector<std::size_t> used;
    std::size_t raw = 1;
    for (std::size_t c = 0; c < terms_[t].order(); ++c) {
      const std::size_t feature = terms_[t].features[c];
      const UniformBasis basis = basis_of(features_[feature], terms_[t].resolutions[c], degree_);
      const BasisArgument argument = argument_of(features_[feature], terms_[t].resolutions[c]);
      const auto same = std::find_if(marginals_.begin(), marginals_.end(), [&](const Marginal& m) {
        return m.feature == feature && m.argument == argument && m.basis.degree() == basis.degree() &&
               m.basis.resolution() == basis.resolution();
      });
      used.push_back(static_cast<std::size_t>(same - marginals_.begin()));
      if (same == marginals_.end()) marginals_.push_back({feature, basis, argument});
      raw = checked_product(raw, static_cast<std::size_t>(basis.functions()));
    }
    term_marginals_.push_back(std::move(used));
    std::size_t solved = 1;
    for (std::size_t c = 0; c < terms_[t].order(); ++c)
      solved = checked_product(solved, coordinate_columns(t, c));
    offsets_.push_back(checked_sum(offsets_.back(), solved));
    raw_offsets_.push_back(checked_sum(raw_offsets_.back(), raw));
  }
}

double place_among(std::span<const double> repeated, double value) {
  const auto found = std::ranges::lower_bound(repeated, value);
  const bool there = found != repeated.end() && *found == value;
  return static_cast<double>(there ? found - repeated.begin() : std::ssize(repeated));
}

double into_period(const Range& period, double value) {
  const double length = period.highest - period.lowest;
  const double away = value - period.lowest;
  if (!(std::abs(away) <= most_periods_away * length)) return period.lowest + (value - value);
  return std::clamp(value - length * std::floor(away / length), period.lowest, period.highest);
}

bool Term::by_value() const { return std::ranges::find(resolutions, each_value) != resolutions.end(); }

double Design::argument(std::size_t term, std::size_t coordinate, double value) const {
  const Marginal& marginal = this->marginal(term, coordinate);
  const Feature& feature = features_[marginal.feature];
  switch (marginal.argument) {
    case BasisArgument::place:
      return place_among(feature.repeated, value);
    case BasisArgument::plain:
      return value;
    case BasisArgument::around:
      return into_period(feature.range, value);
    case BasisArgument::warped:
      break;
  }
  return feature.warp(value);
}

std::size_t Design::coordinate_columns(std::size_t term, std::size_t coordinate) const {
  const std::size_t functions = marginal(term, coordinate).different_functions();
  const bool keeps_all = parametrisation_ == Parametrisation::first_block_full && term == 0;
  return keeps_all ? functions : functions - 1;
}

Design Design::additive(std::vector<Feature> features, int resolution, int degree,
                        Parametrisation parametrisation) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < features.size(); ++j) terms.push_back({{j}, {resolution}});
  return {std::move(features), std::move(terms), degree, parametrisation};
}

Design Design::pairwise(std::vector<Feature> features, std::span<const FeaturePair> pairs, int resolution,
                        int degree) {
  check_pairs(pairs, features.size());
  std::vector<Term> terms;
  for (std::size_t j = 0; j < features.size(); ++j) terms.push_back({{j}, {resolution}});
  for (const auto& [i, j] : pairs) terms.push_back({{i, j}, {resolution, resolution}});
  return {std::move(features), std::move(terms), degree, Parametrisation::centred};
}

Design Design::of_parts(std::vector<Feature> features, std::vector<Term> terms, int degree) {
  return {std::move(features), std::move(terms), degree, Parametrisation::centred, true};
}

void check_pairs(std::span<const FeaturePair> pairs, std::size_t features) {
  std::set<FeaturePair> seen;
  for (const auto& [i, j] : pairs) {
    const std::string name = "(" + std::to_string(i) + ", " + std::to_string(j) + ")";
    if (i >= features || j >= features)
      refuse("pair_out_of_range",
             "The pair {pair} is out of range: there are {features} features, counted from 0.",
             {{"pair", name}, {"features", features}});
    if (i == j)
      refuse("pair_of_one_feature",
             "The pair {pair} joins a feature with itself. A pair needs two different features.",
             {{"pair", name}});
    if (!seen.insert(std::minmax(i, j)).second)
      refuse("repeated_pair", "The pair {pair} is given twice.", {{"pair", name}});
  }
}

std::vector<FeaturePair> all_pairs(std::size_t features) {
  std::vector<FeaturePair> pairs;
  for (std::size_t i = 0; i < features; ++i)
    for (std::size_t j = i + 1; j < features; ++j) pairs.emplace_back(i, j);
  return pairs;
}

BasisCount basis_count(std::span<const Feature> features, std::span<const FeaturePair> pairs, int degree) {
  BasisCount count{degree, {0}, 1};
  const auto add = [&](std::initializer_list<std::size_t> term) {
    LimitedTerms own;
    bool cyclic = false;
    for (const std::size_t j : term) {
      if (features[j].kind == FeatureKind::category)
        own.count *= static_cast<std::size_t>(std::max(features[j].levels - 1, 0));
      if (features[j].kind != FeatureKind::spline) continue;
      own.finest.push_back(max_intervals);
      own.coarsest_cyclic.push_back(features[j].cyclic ? coarsest_cyclic : 0);
      cyclic = cyclic || features[j].cyclic;
    }
    const std::size_t order = own.finest.size();
    if (cyclic) {
      count.limited.push_back(std::move(own));
      return;
    }
    if (order > count.terms.size()) count.terms.resize(order);
    (order == 0 ? count.fixed : count.terms[order - 1]) += own.count;
  };
  for (std::size_t j = 0; j < features.size(); ++j) add({j});
  for (const auto& [i, j] : pairs) add({i, j});
  return count;
}

}  // namespace kore

#include "grow/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/parallel.hpp"
#include "kore/solve.hpp"
#include "pass/dense_pass.hpp"
#include "penalty/roughness.hpp"
#include "solve/dense.hpp"
#include "solve/normal_equations.hpp"

namespace kore {
namespace {

constexpr double start_without_gain = 1;  // weight, in units of a term's own Gram over its penalty

/// The restricted likelihood of residuals `r` under `r = B c + noise`, `c ~ N(0, s / weight S^-1)` with the
/// noise's variance `s`, less that under noise alone: `(g' A^-1 g / s - log det(A) + log det(weight S)) / 2`
/// with `g = B'Wr`, `A = B'WB + weight S` and the working weights `W`.
class SingleTerm {
 public:
  SingleTerm(std::vector<double> gram, std::vector<double> products, std::vector<double> penalty,
             double noise_variance)
      : size_(products.size()),
        gram_(std::move(gram)),
        products_(std::move(products)),
        penalty_(std::move(penalty)),
        noise_variance_(noise_variance) {
    constexpr double rounding = 1e-9;
    add_to_diagonal(penalty_, size_, rounding * mean_diagonal(penalty_, size_));
    prior_ = Cholesky(penalty_, size_);
    prior_log_ = log_determinant(prior_);
  }

  /// The middle of the grid of weights: penalty and Gram matrix have the same trace.
  double unit() const { return trace(gram_, size_) / trace(penalty_, size_); }

  /// Both parts of the gain fall as the weight grows, so that those of two weights bound it in between.
  struct Gain {
    double explained = 0;   ///< `g' A^-1 g / s / 2`
    double complexity = 0;  ///< `(log det(A) - log det(weight S)) / 2`

    double value() const { return explained - complexity; }
  };
  Gain gain(double weight) const {
    std::vector<double> matrix = gram_;
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] += weight * penalty_[i];
    const Cholesky cholesky(std::move(matrix), size_);
    std::vector<double> half = products_;
    cholesky.half_solve(half, 1);
    return {squared_norm(half) / noise_variance_ / 2,
            (log_determinant(cholesky) - prior_log_ - static_cast<double>(size_) * std::log(weight)) / 2};
  }

  /// `g' S^-1 g` over its expectation under noise alone: above one, the likelihood rises when a little of the
  /// term is added.
  double score() const {
    const std::vector<double> inverse = lower_gram(prior_.inverse_factor(), size_);
    const double expected = trace_of_product(inverse, gram_);
    std::vector<double> half = products_;
    prior_.half_solve(half, 1);
    const double seen = squared_norm(half);
    return expected > 0 ? seen / (noise_variance_ * expected) : 0;
  }

 private:
  std::size_t size_;
  std::vector<double> gram_;
  std::vector<double> products_;
  std::vector<double> penalty_;
  double noise_variance_;
  Cholesky prior_;
  double prior_log_ = 0;
};

/// The best weight on a grid of half decades around the unit, if it gains more than `least`. Weights between
/// two others are not tried where the bound from these says that none of them can be better.
class BestWeight {
 public:
  BestWeight(const SingleTerm& single, double least) : single_(single), unit_(single.unit()), gain_(least) {
    constexpr int half_decades = 8;  // on either side of the unit
    search(-half_decades, tried(-half_decades), half_decades, tried(half_decades));
  }

  bool found() const { return weight_ > 0; }
  double gain() const { return gain_; }
  double weight() const { return weight_; }

 private:
  SingleTerm::Gain tried(int half_decades) {
    const double weight = unit_ * std::pow(10.0, 0.5 * half_decades);
    const SingleTerm::Gain gain = single_.gain(weight);
    if (gain.value() > gain_) {
      gain_ = gain.value();
      weight_ = weight;
    }
    return gain;
  }

  void search(int low, const SingleTerm::Gain& at_low, int high, const SingleTerm::Gain& at_high) {
    if (high - low < 2 || at_low.explained - at_high.complexity <= gain_) return;
    const int middle = (low + high) / 2;
    const SingleTerm::Gain at_middle = tried(middle);
    search(low, at_low, middle, at_middle);
    search(middle, at_middle, high, at_high);
  }

  const SingleTerm& single_;
  double unit_;
  double gain_;
  double weight_ = 0;
};

/// Without a weight where the term gains no more than `least` above zero.
ScoredTerm score(const SingleTerm& single, Term term, double least) {
  const BestWeight best(single, least);
  if (best.found()) return {std::move(term), best.gain(), single.score(), best.weight()};
  if (least > 0) return {std::move(term)};
  return {std::move(term), 0, single.score(), start_without_gain * single.unit()};
}

/// A term by itself, on its own columns of the data.
ScoredTerm score_alone(const GrowingData& data, const Stage& fitted, Term term, double least) {
  std::vector<Feature> features;
  std::vector<ColumnView> columns;
  Term own{{}, term.resolutions};
  for (const std::size_t j : term.features) {
    own.features.push_back(features.size());
    features.push_back(data.features[j]);
    columns.push_back(data.rows.x.column(j));
  }
  const Design design(std::move(features), {std::move(own)}, data.degree, Parametrisation::centred);
  WorkingMemory memory;
  WorkingBlock rows = working_rows_of(at_stage(data, fitted), memory);
  rows.x = MatrixView(std::move(columns), data.rows.rows());
  rows.target = fitted.loo_residuals;
  const NormalEquations equations = dense_normal_equations(design, rows, 1);
  const std::size_t p = design.columns();
  const std::size_t m = p - 1;
  std::vector<double> gram(m * m);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i)
      gram[j * m + i] = gram[i * m + j] = equations.matrix[(j + 1) * p + i + 1];
  if (!(trace(gram, m) > 0)) return {std::move(term)};  // nothing varies along it
  return score(SingleTerm(std::move(gram), {equations.right.begin() + 1, equations.right.end()},
                          term_penalties(design, 0).front(), left_out_variance(data, fitted)),
               std::move(term), least);
}

}  // namespace

void drop_expected_by_chance(std::vector<ScoredTerm>& scored, std::size_t places,
                             const std::function<double(const ScoredTerm&)>& gain_of) {
  if (scored.size() <= places) return;
  const double chance_gain = std::log(static_cast<double>(scored.size()) / static_cast<double>(places));
  std::erase_if(scored, [&](const ScoredTerm& s) { return gain_of(s) <= chance_gain; });
}

std::vector<GrownTerm> with_pairs_that_stay(std::vector<GrownTerm> terms, bool given) {
  const auto first = std::ranges::find_if(terms, [](const GrownTerm& g) { return g.term.order() > 1; });
  if (!given && first != terms.end()) terms.erase(first + 1, terms.end());
  for (GrownTerm& grown : terms) grown.stays = grown.term.order() > 1;
  return terms;
}

std::size_t columns_of(const GrowingData& data, const Term& term) {
  std::size_t columns = 1;
  for (std::size_t c = 0; c < term.order(); ++c) {
    const Feature& feature = data.features[term.features[c]];
    if (feature.kind == FeatureKind::category)
      columns *= static_cast<std::size_t>(feature.levels - 1);
    else if (term.resolutions[c] == each_value)
      columns *= feature.repeated.size();
    else if (feature.cyclic)
      columns *= static_cast<std::size_t>(term.resolutions[c] - 1);
    else if (feature.kind == FeatureKind::spline && term.resolutions[c] != straight)
      columns *= static_cast<std::size_t>(term.resolutions[c] + data.degree - 1);
  }
  return columns;
}

std::size_t columns_of(const GrowingData& data, std::span<const GrownTerm> terms) {
  std::size_t columns = 1;
  for (const GrownTerm& grown : terms) columns += columns_of(data, grown.term);
  return columns;
}

std::size_t interaction_columns(const GrowingData& data, std::span<const GrownTerm> terms) {
  std::size_t columns = 0;
  for (const GrownTerm& grown : terms)
    if (grown.term.order() > 1) columns += columns_of(data, grown.term);
  return columns;
}

std::size_t curve_columns(const GrowingData& data, int resolution) {
  std::size_t columns = 0;
  for (const GrownTerm& grown : main_effects(data, resolution))
    if (data.features[grown.term.features[0]].kind == FeatureKind::spline)
      columns += columns_of(data, grown.term);
  return columns;
}

std::vector<ScoredTerm> score_terms(const GrowingData& data, const Stage& fitted, std::vector<Term> terms,
                                    std::span<const double> least) {
  const PhaseTimer timer(data.phases, "screening");
  std::vector<ScoredTerm> scored(terms.size());
  parallel_for(terms.size(), data.threads, [&](std::size_t t) {
    if (columns_of(data, terms[t]) <= most_scored_columns)
      scored[t] = score_alone(data, fitted, std::move(terms[t]), least.empty() ? 0 : least[t]);
  });
  std::erase_if(scored, [](const ScoredTerm& term) { return term.weight == 0; });
  std::stable_sort(scored.begin(), scored.end(), [](const ScoredTerm& a, const ScoredTerm& b) {
    return std::pair(a.gain, a.score) > std::pair(b.gain, b.score);
  });
  return scored;
}

std::vector<Term> pair_candidates(const GrowingData& data, const Stage& mains, int resolution,
                                  std::size_t most_features) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (const GrownTerm& grown : mains.terms)
    if (grown.term.order() == 1 && !grown.term.by_value())
      ranked.emplace_back(-grown.parameters, grown.term.features[0]);
  std::ranges::stable_sort(ranked, {}, &std::pair<double, std::size_t>::first);
  if (ranked.size() > most_features) ranked.resize(most_features);
  std::vector<std::size_t> features;
  for (const auto& [parameters, feature] : ranked) features.push_back(feature);
  std::ranges::sort(features);
  std::vector<Term> pairs;
  for (std::size_t a = 0; a < features.size(); ++a)
    for (std::size_t b = a + 1; b < features.size(); ++b)
      pairs.push_back(term_at(data.coordinates, {features[a], features[b]}, resolution));
  return pairs;
}

std::vector<TripleCandidate> triple_candidates(const GrowingData& data, const Stage& pairs, int resolution,
                                               std::size_t most) {
  constexpr double nats_per_parameter = 0.5;
  std::map<std::vector<std::size_t>, double> parameters;
  std::set<std::size_t> features;
  for (const GrownTerm& grown : pairs.terms)
    if (grown.term.order() == 2) {
      parameters[grown.term.features] += grown.parameters;
      features.insert(grown.term.features.begin(), grown.term.features.end());
    }
  const std::vector<std::size_t> all(features.begin(), features.end());
  std::vector<TripleCandidate> found;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b)
      for (std::size_t c = b + 1; c < all.size(); ++c) {
        double sum = 0;
        for (const auto& pair : {std::vector{all[a], all[b]}, {all[a], all[c]}, {all[b], all[c]}})
          if (const auto own = parameters.find(pair); own != parameters.end()) sum += own->second;
        if (sum > 0)
          found.push_back(
              {term_at(data.coordinates, {all[a], all[b], all[c]}, resolution), nats_per_parameter * sum});
      }
  std::ranges::stable_sort(found, std::ranges::greater{}, &TripleCandidate::heredity);
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace kore

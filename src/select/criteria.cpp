#include "kore/criteria.hpp"
#include "kore/error.hpp"
#include "select/candidates.hpp"
#include "select/pilots.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest_rss = 1e-12;       // keeps the logarithms of an interpolating fit finite
constexpr double smallest_variance = 1e-12;  // and the quotient in C_p
constexpr double smallest_freedom = 0.01;    // the floor in GCV's denominator (eq. 35)

double floored_rss(const LadderCandidate& candidate) {
  return std::max(or_infinity(candidate.rss), smallest_rss);
}

double gcv(const LadderCandidate& candidate, double n) {
  const double freedom = std::max(1 - candidate.p / n, smallest_freedom);
  return or_infinity(floored_rss(candidate) / n / (freedom * freedom));
}

/// The noise level that C_p takes as given: that of the candidate GCV would choose, shared by both families
/// so that their scores compare.
double reference_variance(std::span<const LadderCandidate> candidates, double n) {
  const auto pilot =
      std::ranges::min_element(candidates, {}, [n](const LadderCandidate& c) { return gcv(c, n); });
  return std::max(floored_rss(*pilot) / std::max(n - pilot->p, 1.0), smallest_variance);
}

double score_of(Criterion criterion, const LadderCandidate& candidate, double n, double variance) {
  const double rss = floored_rss(candidate);
  switch (criterion) {
    case Criterion::gcv:
      return gcv(candidate, n);
    case Criterion::cp:
      return or_infinity(rss / variance - n + 2 * candidate.p);
    case Criterion::aic:
      return or_infinity(n * std::log(rss / n) + 2 * candidate.p);
    case Criterion::bic:
      return or_infinity(n * std::log(rss / n) + std::log(n) * candidate.p);
  }
  return infinity;
}

/// The best candidate of one family (the first of equals), if it has any, and how many it has.
struct Winner {
  std::optional<int> resolution;
  double score = infinity;
  int candidates = 0;

  void offer(int candidate, double candidate_score) {
    ++candidates;
    if (resolution && !(candidate_score < score)) return;
    resolution = candidate;
    score = candidate_score;
  }
};

void require_sound(std::span<const LadderCandidate> candidates, double n, int families) {
  if (candidates.empty()) refuse_no_candidate();
  if (!(n > 0))
    throw Error(ErrorCode::invalid_argument, "no_weight", "A criterion needs a positive number of rows.");
  if (families != 1 && families != 2) {
    throw Error(ErrorCode::invalid_argument, "bad_structure_count",
                "The number of competing structures is neither 1 (additive) nor 2 (with pairwise).");
  }
  const bool has_pairwise = std::ranges::any_of(
      candidates, [](const LadderCandidate& c) { return c.structure == Structure::pairwise; });
  if (families == 1 && has_pairwise) {
    throw Error(
        ErrorCode::invalid_argument, "unexpected_pairwise_candidate",
        "A pairwise candidate was given where only the additive structure competes; count 2 structures "
        "or leave it out.");
  }
}

}  // namespace

void refuse_no_candidate() {
  throw Error(ErrorCode::invalid_argument, "no_candidate",
              "There is no candidate to choose from; fit at least one resolution.");
}

const char* to_string(Criterion criterion) {
  constexpr std::array names{"gcv", "cp", "aic", "bic"};
  return names.at(static_cast<std::size_t>(criterion));
}

LadderChoice choose_by_criterion(Criterion criterion, std::span<const LadderCandidate> candidates, double n,
                                 int families) {
  require_sound(candidates, n, families);
  const double variance = reference_variance(candidates, n);
  Winner additive;
  Winner pairwise;
  for (const LadderCandidate& candidate : candidates) {
    Winner& family = candidate.structure == Structure::additive ? additive : pairwise;
    family.offer(candidate.resolution, score_of(criterion, candidate, n, variance));
  }
  const bool pairwise_wins = !additive.resolution || pairwise.score < additive.score;
  const Winner& winner = pairwise_wins ? pairwise : additive;
  LadderChoice choice;
  choice.method = to_string(criterion);
  choice.structure = pairwise_wins ? Structure::pairwise : Structure::additive;
  choice.resolution = winner.resolution.value_or(0);
  choice.score = winner.score;
  // The published run counts one refit for each family, even for one without candidates.
  choice.fits = additive.candidates + pairwise.candidates + families;
  return choice;
}

}  // namespace kore

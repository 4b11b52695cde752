#pragma once

#include "kore/law.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kore {

/// What one fit at one resolution tells a selector.
struct FitScore {
  std::size_t p = 0;        ///< Basis size.
  double loo = 0;           ///< Exact leave-one-out mean squared error.
  double rss = 0;           ///< Residual sum of squares.
  double max_leverage = 0;  ///< Largest diagonal entry of the hat matrix.
};

/// The function `G -> FitScore` of one family. It remembers what it has measured and counts its fits, so that
/// a selector may ask freely. Where the numbers come from (memory, a file, a cluster, a made-up function) is
/// the business of `Measure`.
class ResolutionCurve {
 public:
  /// Fits the given distinct resolutions and returns one score for each, in order.
  using Measure = std::function<std::vector<FitScore>(std::span<const int>)>;

  ResolutionCurve(BasisCount size, double n, Measure measure);

  /// The score at `resolution`, fitted if it has not been.
  const FitScore& at(int resolution);
  double loo(int resolution) { return at(resolution).loo; }
  /// Fits those of `resolutions` that are missing, together, so that they can share a pass over the data.
  void prepare(std::span<const int> resolutions);

  int fits() const { return static_cast<int>(points_.size()); }
  const std::map<int, FitScore>& points() const { return points_; }
  const BasisCount& size() const { return size_; }
  double rows() const { return rows_; }
  /// The paper's stability rule: `p(G) < stability * n`, strictly.
  bool stable(int resolution, double stability) const;

 private:
  BasisCount size_;
  double rows_;
  Measure measure_;
  std::map<int, FitScore> points_;
};

/// How a resolution is solved for. Defaults are the paper's (section 3, "Concrete parameter settings").
struct SelectorOptions {
  int max_resolution = 20;  ///< `G_max`; nothing beyond it is fitted.
  int radius = 3;           ///< Certificate: LOO at `G_hat - radius .. G_hat + radius`, `2 radius + 1` fits.
  double stability = 0.45;  ///< Resolutions need `p(G) < stability * n`.
  double pilot_fraction = 0.75;  ///< Upper pilot at this share of the largest stable resolution.
  double bridge_gain = 0.98;     ///< The gap bridge searches only if its probe has less of the best LOO.
  /// Skip the family if not even `G = 1` is stable (pairwise) instead of fitting it anyway (additive).
  bool skip_if_unstable = false;
  /// A family that is fitted though not even `G = 1` is stable has the exact LOO of that fit. If false, it is
  /// infinite, so that it loses to any other family.
  bool score_unstable = false;
};

/// What the selector found, with everything it saw on the way.
struct Selection {
  bool skipped = false;  ///< The family was too large for the data; nothing was fitted and `loo` is infinite.
  int resolution = 1;    ///< `G*`.
  double plug_in = 1;    ///< `G_dagger`, the solution of the law.
  /// Where `G_dagger` lies with 95 % confidence, as far as the noise of the pilots' LOO tells; both zero
  /// where it was not asked for.
  double plug_in_low = 0;
  double plug_in_high = 0;
  LawConstants law;         ///< `A_hat` and `tau_hat`; zero with fewer than two pilots.
  double loo = 0;           ///< LOO at `resolution`; infinite if none is stable, but for `score_unstable`.
  int fits = 0;             ///< Distinct resolutions looked at, also those the curve knew before.
  int largest_stable = 1;   ///< `G_eff`; 0 if skipped.
  bool bridged = false;     ///< The gap bridge found the result.
  std::vector<int> pilots;  ///< Resolutions used as pilots, in order; none if no resolution is stable.
  std::vector<int> certificate;   ///< Resolutions of the certificate, in order.
  std::map<int, FitScore> curve;  ///< Every fit looked at, as measured.
};

/// Two pilots, the closed form, the certificate and the gap bridge (paper, algorithm 1), with the smoothness
/// `beta = k + 1`. A LOO that is NaN counts as infinite: it never wins, and pilots without a finite LOO leave
/// the plug-in to the better pilot.
Selection select_resolution(ResolutionCurve& curve, const SelectorOptions& options);

/// Main effects alone, with interactions of two features, or also of three.
enum class Family { additive, pairwise, threeway };
const char* to_string(Family family);

/// The additive family unless the pairwise one has the strictly smaller LOO.
Family choose_structure(const Selection& additive, const Selection& pairwise);

/// One candidate of the classical ladder.
struct Candidate {
  Family family = Family::additive;
  int resolution = 0;
  double p = 0;
  double rss = 0;
};

enum class Criterion { gcv, cp, aic, bic };
const char* to_string(Criterion criterion);

/// The choice of a classical method and its price.
struct LadderChoice {
  std::string method;  ///< "cv", "gcv", "cp", "aic" or "bic".
  Family family = Family::additive;
  int resolution = 0;
  double score = 0;
  int fits = 0;
};

/// Chooses among fitted candidates (paper, appendix "The full classical-selector ladder"). `candidates` holds
/// the additive ones first, each family by rising resolution; `families` is 1 where no pairwise family
/// competes, and decides the count of fits: all candidates and one refit per family.
LadderChoice choose_by_criterion(Criterion criterion, std::span<const Candidate> candidates, double n,
                                 int families);

/// The go/no-go check of the paper's playbook, from the additive pilots.
struct Diagnostic {
  bool suitable = true;
  std::string reason = "all checks passed";
  double n = 0;
  std::size_t features = 0;
  double effective_density = 0;
  double condition_number = 0;  ///< Of the pilot matrix; infinite with one pilot.
  LawConstants law;
  double plug_in = 1;
  double stability_margin = 0;  ///< `stability - p(G_dagger)/n`.
  std::string
      recommendation;  ///< "use additive", "use pairwise", or the playbook's answer to the first finding.
  std::vector<std::string> advice;  ///< The playbook's triage, in words, one sentence per finding.
};

/// Pilots of the additive curve only; `recommended` is the structure the automatic selector chose, used if
/// suitable.
Diagnostic diagnose(ResolutionCurve& additive, const SelectorOptions& options, std::size_t features,
                    Family recommended);

/// Shuffled K-fold partition, equal to scikit-learn's `KFold(k, shuffle=True, random_state=seed)`: test rows
/// of each fold, ascending.
std::vector<std::vector<std::size_t>> shuffled_folds(std::size_t rows, int folds, std::uint32_t seed);

}  // namespace kore

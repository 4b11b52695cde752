#pragma once

#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"
#include "kore/selector.hpp"
#include "kore/smoother.hpp"
#include "pass/press_passes.hpp"

namespace kore {

/// One fit, with the sums and residuals it was made from.
struct Fitted {
  int resolution = 0;
  GramAccumulator gram;
  Smoother smoother;
  PressSums press;
  std::vector<WeightedResidual> residuals;  ///< As far as they were asked for.
};

/// How designs of a family are solved, whatever their resolution.
struct FamilySettings {
  std::vector<Feature> features;
  std::vector<FeaturePair> pairs;  ///< Empty for the additive structure.
  Structure structure = Structure::additive;
  int degree = 3;
  double ridge = 1e-8;
  bool relative_ridge = false;
  int threads = 1;
  std::size_t memory_budget = std::size_t{1} << 30;    ///< For fits that share a pass.
  std::function<void(const Progress&)> progress = {};  ///< Called after every scored fit.
  Parametrisation additive_parametrisation = Parametrisation::first_block_full;
  double inverse_limit = 1e8;     ///< See SmootherOptions.
  std::size_t residual_step = 0;  ///< Every how many rows a leave-one-out residual is kept; 0: none.
  std::size_t rows = std::numeric_limits<std::size_t>::max();  ///< Where they are known to be few.
};

/// The fits of one family of models (additive or pairwise) to one source of rows. It measures the points of a
/// ResolutionCurve.
class FamilyFits {
 public:
  FamilyFits(const RowSource& source, FamilySettings settings)
      : source_(source), settings_(std::move(settings)) {}

  Design design(int resolution) const;
  BasisCount size() const { return basis_count(settings_.features, settings_.pairs, settings_.degree); }

  /// Fits and scores; a singular problem scores infinity. Where reading the rows again is not free, all
  /// resolutions share two passes. The best fit so far is kept, because it will probably be taken.
  std::vector<FitScore> measure(std::span<const int> resolutions);
  /// Scores without leverages, for criteria that need the residual sum of squares only; `loo` is NaN.
  std::vector<FitScore> measure_rss(std::span<const int> resolutions);
  /// The fit at `resolution`: the kept one, or a new one.
  Fitted take(int resolution);
  /// A fit for its coefficients alone, in a single pass; its `press` stays empty.
  Fitted take_without_leverages(int resolution) const;

  ResolutionCurve curve(double n);

 private:
  struct Attempt {
    std::optional<Fitted> fit;
    std::exception_ptr failure;  // NotPositiveDefinite where there is no fit
  };
  std::vector<Attempt> solve(std::span<const int> resolutions, bool leverages) const;
  void add_up_residuals(std::span<Attempt> attempts) const;
  std::vector<Attempt> attempt(std::span<const int> resolutions, bool leverages) const;
  bool side_by_side(std::span<const int> resolutions) const;
  std::size_t share_a_pass(std::span<const int> resolutions) const;
  std::vector<FitScore> score(std::span<const int> resolutions, bool leverages);
  Fitted fit_one(int resolution, bool leverages) const;

  const RowSource& source_;
  FamilySettings settings_;
  std::unique_ptr<Fitted> best_;
};

}  // namespace kore

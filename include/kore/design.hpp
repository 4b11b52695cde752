#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kore/basis.hpp"
#include "kore/law.hpp"
#include "kore/warp.hpp"

namespace kore {

/// The range a feature's knots span.
struct Range {
  double lowest = 0;
  double highest = 0;
};

enum class FeatureKind {
  spline,    ///< B-splines of the design's degree.
  linear,    ///< A straight line: degree 1 on one interval. Resolutions of terms are ignored.
  category,  ///< One effect for every level. Resolutions of terms are ignored.
};

/// One input coordinate.
struct Feature {
  std::string name;
  /// The range of the training data, in their units. Knots span it unless there is a warp.
  Range range = {};
  FeatureKind kind = FeatureKind::spline;
  /// A category's number of levels. A value of the feature is the position of a level, `0 .. levels - 1`; any
  /// other value, such as that of a level that training did not have, counts as the last level.
  int levels = 0;
  /// Applied to a value before the basis is evaluated. Knots then span the values of the warp, and
  /// extrapolation continues the function of the warped value. Not for categories.
  Warp warp = {};
  /// Values that many rows share, rising: what a coordinate of resolution `each_value` has an effect for. Not
  /// for categories.
  std::vector<double> repeated = {};
  /// The range is one period: a curve meets itself at its ends, with equal values and slopes, and every value
  /// counts as the one in the range that is whole periods away (`into_period`). So no value is outside. Of
  /// splines only, without a warp and repeated values.
  bool cyclic = false;
};

/// A resolution that means: no curve, but an effect of its own for each of `Feature::repeated`, and one for
/// all other values together. It says what is special about single values, which no smooth curve can follow.
inline constexpr int each_value = 0;
/// A resolution that means: a straight line in the feature itself, whatever its warp. In an interaction the
/// line switches the other features' curve: `x f(z)`.
inline constexpr int straight = -1;
/// The smallest resolution of a cyclic feature in a model that grows: three functions around a circle can say
/// how high a wave is and where it is highest.
inline constexpr int coarsest_cyclic = 3;

/// A component of the ANOVA decomposition (paper, eq. 3): a main effect, a pair or a triple of features, with
/// a resolution for each of its coordinates. The paper's single global resolution is the special case of
/// equal numbers everywhere.
struct Term {
  std::vector<std::size_t> features;
  std::vector<int> resolutions;

  std::size_t order() const { return features.size(); }
  /// Whether a coordinate is `each_value`.
  bool by_value() const;
};

inline constexpr std::size_t max_order = 3;

using FeaturePair = std::pair<std::size_t, std::size_t>;

/// How the raw functions of the terms become columns of the least-squares problem.
enum class Parametrisation {
  /// The paper's additive design: the first term keeps all its functions, every other one drops its last; no
  /// intercept, no centring.
  first_block_full,
  /// The paper's pairwise design and its extension to triples: an intercept; every coordinate drops its last
  /// function and is centred by its weighted training mean; interactions are products of centred coordinates.
  centred,
};

/// What of a feature a basis is a function of.
enum class BasisArgument {
  warped,  ///< Its value behind the warp.
  plain,   ///< The value itself: of a line.
  place,   ///< The place of the value among the repeated ones.
  around,  ///< The value within the period of a cyclic feature.
};

/// The basis of one coordinate of one term. Equal ones are evaluated once per row.
struct Marginal {
  std::size_t feature = 0;
  UniformBasis basis;
  BasisArgument argument = BasisArgument::warped;

  bool cyclic() const { return argument == BasisArgument::around; }
  /// How many functions have a coefficient of their own. Those of a cyclic basis begin again behind its
  /// intervals: coefficient `G + i` is coefficient `i`, so that the curve goes on at its other end.
  std::size_t different_functions() const {
    return static_cast<std::size_t>(cyclic() ? basis.resolution() : basis.functions());
  }
};

/// The place of a value among those that are repeated, or their number where it is none of them.
double place_among(std::span<const double> repeated, double value);

/// So many periods away from its range, a cyclic value is taken for the beginning of the range: its last
/// digits hardly say any more where in a period it is.
inline constexpr double most_periods_away = 1e9;
/// The value less whole periods, so that it is within the range of a cyclic feature. Not a number for a value
/// that is not finite.
double into_period(const Range& period, double value);

/// Features, terms and parametrisation: everything about a model except its coefficients.
///
/// A design has two layouts. In the *raw* layout a term owns all products of all functions of its
/// coordinates, the last coordinate's index fastest. A row touches few of them, so sums over rows are kept in
/// this layout. The *solved* layout has the paper's columns, whose coefficients are solved for. The map
/// between them has one block per term: the functions of a coordinate add up to one, so a centred function
/// `a - m_a` is `sum_b (delta_ab - m_a) b`, and the block of an interaction is the Kronecker product of those
/// of its coordinates.
class Design {
 public:
  /// Throws `invalid_argument` for: no term, a term of order 0 or above 3, a feature out of range or twice in
  /// a term, a term given twice (a curve and the effects of single values are two terms), a number of
  /// resolutions that differs from the number of features, a resolution below 1 other than `straight` (not of
  /// a cyclic feature) and, of a feature with repeated values, `each_value`, a bad degree or range, a
  /// category without levels, a warp whose nodes or values do not rise, a warp or repeated values of a
  /// category, repeated values that do not rise, a cyclic feature that is no spline or has a warp or repeated
  /// values.
  Design(std::vector<Feature> features, std::vector<Term> terms, int degree, Parametrisation parametrisation);

  /// Every feature as a main effect at one resolution: the paper's additive family.
  static Design additive(std::vector<Feature> features, int resolution, int degree,
                         Parametrisation parametrisation = Parametrisation::first_block_full);
  /// Main effects and the given pairs, in that order, at one resolution: the paper's pairwise family.
  static Design pairwise(std::vector<Feature> features, std::span<const FeaturePair> pairs, int resolution,
                         int degree);
  /// Terms that are parts of a decomposition: the same features may come at several resolutions.
  static Design of_parts(std::vector<Feature> features, std::vector<Term> terms, int degree);

  const std::vector<Feature>& features() const { return features_; }
  const std::vector<Term>& terms() const { return terms_; }
  int degree() const { return degree_; }
  Parametrisation parametrisation() const { return parametrisation_; }
  bool has_intercept() const { return parametrisation_ == Parametrisation::centred; }

  /// Distinct coordinate bases, and for every term which of them its coordinates use.
  const std::vector<Marginal>& marginals() const { return marginals_; }
  const std::vector<std::size_t>& term_marginals(std::size_t term) const { return term_marginals_[term]; }
  const UniformBasis& basis(std::size_t term, std::size_t coordinate) const {
    return marginal(term, coordinate).basis;
  }
  const Marginal& marginal(std::size_t term, std::size_t coordinate) const {
    return marginals_[term_marginals_[term][coordinate]];
  }
  /// The argument of `basis` for a value of the feature behind a coordinate.
  double argument(std::size_t term, std::size_t coordinate, double value) const;

  /// Columns of the least-squares problem, `p`, intercept included.
  std::size_t columns() const { return offsets_.back(); }
  /// First solved column of a term, and how many it has.
  std::size_t offset(std::size_t term) const { return offsets_[term]; }
  std::size_t term_columns(std::size_t term) const { return offsets_[term + 1] - offsets_[term]; }
  /// Solved columns of one coordinate of a term; those of the term are the products.
  std::size_t coordinate_columns(std::size_t term, std::size_t coordinate) const;

  /// Raw functions of all terms (the intercept is not among them), and where a term's begin.
  std::size_t raw_columns() const { return raw_offsets_.back(); }
  std::size_t raw_offset(std::size_t term) const { return raw_offsets_[term]; }
  std::size_t raw_term_columns(std::size_t term) const { return raw_offsets_[term + 1] - raw_offsets_[term]; }

 private:
  Design(std::vector<Feature> features, std::vector<Term> terms, int degree, Parametrisation parametrisation,
         bool several_resolutions);
  void check(bool several_resolutions) const;
  void lay_out();

  std::vector<Feature> features_;
  std::vector<Term> terms_;
  int degree_;
  Parametrisation parametrisation_;
  std::vector<Marginal> marginals_;
  std::vector<std::vector<std::size_t>> term_marginals_;
  std::vector<std::size_t> offsets_;
  std::vector<std::size_t> raw_offsets_;
};

/// Throws `invalid_argument` for pairs that are out of range, repeated in either order, or of a feature with
/// itself.
void check_pairs(std::span<const FeaturePair> pairs, std::size_t features);

/// Every pair of features, `(0,1), (0,2), ...`.
std::vector<FeaturePair> all_pairs(std::size_t features);

/// The size of a family as a function of its resolution (paper, eq. 8): main effects of all features, and the
/// given pairs. A term with categories counts once for every combination of their levels without the last
/// level of each.
BasisCount basis_count(std::span<const Feature> features, std::span<const FeaturePair> pairs, int degree);

}  // namespace kore

#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "design/transform.hpp"
#include "kore/decomposition.hpp"
#include "kore/design.hpp"

namespace kore {

// From the terms as fitted to effects that mean what they say (kore/decomposition.hpp).
//
// The functions of a coordinate add up to one. So a function of one feature of a pair, written in the pair's
// own knots, is a pair too: `sum_a d_a B_a(x) = sum_ab d_a B_a(x) C_b(z)`. Moving it from the pair to a main
// effect subtracts `d_a` from every coefficient `c_ab`, and the sum of both stays what it is, at every point,
// inside the training range and outside. What is moved is the projection of the pair on such functions: the
// least-squares fit of functions of `x` and of `z` to its values. From a triple first functions of two
// features are moved, then from all pairs functions of one, and at last all means to the constant.
//
// The rows that are fitted to are the training rows, and besides, with a weight of `independent_share`, rows
// in which features were drawn independently of each other. Where two features nearly determine each other,
// the training rows alone would leave large functions undetermined that cancel each other.

inline constexpr double independent_share = 0.01;

/// `sum w b b' / sum w` over rows, of the raw functions `b` of a term; square.
using MomentsOf = std::function<std::vector<double>(const Term&)>;

/// How the coefficients of a part follow from the solved columns of the terms as fitted: for each of those
/// terms, `functions of the part x columns of the term`, row by row.
using Slopes = std::map<std::size_t, std::vector<double>>;

struct PurifiedTerms {
  Decomposition shown;         ///< Without effects.
  std::vector<Slopes> slopes;  ///< One for each part; empty where they were not asked for, and for triples.
  /// For each part, whether its slopes are complete. Terms of very many columns have none.
  std::vector<bool> slopes_known;
};

/// A function as fitted, `intercept + sum_j coefficients_j B_j(x)` in the raw layout of its design.
struct SumAsFitted {
  const Design& design;
  double intercept = 0;
  std::span<const double> coefficients;
};

/// `maps` are those of the terms, for the slopes; without any there are none.
PurifiedTerms purify(const SumAsFitted& fitted, const MomentsOf& moments_of,
                     std::span<const TermMap> maps = {});

}  // namespace kore

#pragma once

#include <vector>

#include "fit/bands.hpp"
#include "kore/model.hpp"

namespace kore {

// What the rows say about each term, from the loose fit of its band (bands.hpp). Of a term let `c` be the
// solution there, `V = noise_variance (A0^-1)_tt` its covariance, `S` its loose penalty, and `G` the block of
// the Gram matrix about the means of the columns, so that `c'G c` is the square sum of the term's values.
//
// - *Effective parameters* are those of the fit itself; without penalties, the columns.
// - *The test* against no effect is that of Wood (2013): with the covariance of the term's values over the
//   rows, the sum over its `r` leading directions of the squared estimate over its variance, where `r` is the
//   rounded number of effective parameters in the loose fit, `m - tr(A0^-1 S)`. Over `r` it is compared with
//   F of `r` and `n - parameters` degrees of freedom. For one straight line it is the t-test. It is
//   approximate: weights are taken as given, and so is the choice of the term.
// - *Concurvity*: the fit of all other terms with their loose penalties to the term's values leaves
//   `c'(((A0^-1)_tt)^-1 - S) c` of `c'G c` (the Schur complement of the others in `A0`); the share that it
//   explains is the observed concurvity of mgcv, but for the penalties.

/// Sets these of every term that has a band or could have one. Costs a few `m^3` operations each.
void add_evidence(const FitInRows& fit, const LooseFit& loose, std::vector<Effect>& effects);

}  // namespace kore

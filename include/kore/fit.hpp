#pragma once

#include <span>
#include <string>
#include <vector>

#include "kore/model.hpp"
#include "kore/options.hpp"
#include "kore/rows.hpp"
#include "kore/screening.hpp"

namespace kore {

/// Names are for messages and reports; both may be empty.
struct Names {
  std::vector<std::string> features;
  std::string target;
};

/// Fits a model: ranges, pilots, the closed form, the certificate and the choice of structure, all from
/// passes over `source`.
///
/// Weights count rows: a weight of 2 is a row given twice, and leave-one-out leaves the group. Their sum is
/// the `n` of the law and of the stability rule, so weights should add up to about the number of rows. A
/// constant target gives the constant model; a constant column has no effect. Throws `invalid_argument`,
/// `invalid_data`, `too_few_rows` (fewer than two rows) or `not_positive_definite`.
Model fit(const RowSource& source, const Options& options = {}, const Names& names = {});
/// The same for arrays.
Model fit(const MatrixView& x, std::span<const double> y, const Options& options = {},
          const Names& names = {});

/// Leave-one-out residuals of the rows a model was fitted on, in their order. Costs one fit.
std::vector<double> loo_residuals(const RowSource& source, const Model& model, int threads = 0);

/// The check before trusting a fit (paper, section "Practical guidance").
struct Diagnosis {
  FitSummary summary;  ///< Of the model that a fit chooses; `family` is taken to be automatic.
  PilotCheck pilots;   ///< Go/no-go from the pilots, with the playbook's advice.
  /// What to do, in sentences: the playbook's, as far as it concerns this fit, and how straight lines do. How
  /// pilots without penalty lie is no concern of a fit with penalties.
  std::vector<std::string> advice;
  double additive_signal_score = 0;  ///< Of the additive selection, by which the paper decides.
  bool bracketed = false;       ///< Neither neighbour of the selected additive resolution has a smaller LOO.
  bool use_kore = false;        ///< Additive signal score above 1, and bracketed.
  double lift_over_linear = 0;  ///< Share of the LOO error of straight lines that the chosen model saves.
};
Diagnosis diagnose(const RowSource& source, const Options& options = {}, const Names& names = {});

}  // namespace kore

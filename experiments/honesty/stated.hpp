#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kore/model.hpp"
#include "kore/rows.hpp"

/// What a model says about itself. The one place of the study that knows where a model keeps it.
namespace kore::experiments::honesty {

struct Stated {
  double rmse = 0;  ///< On rows that the fit has not seen.
  double r2 = 0;
  double noise_variance = 0;
  bool suitable = false;  ///< The verdict begins with this word.
  std::string verdict;
  std::string structure;  ///< "constant", "lines", "main effects", "pairs" or "triples".
};
Stated stated_by(const Model& model);

/// An interval of a new target at one row.
struct Interval {
  double lower = 0;
  double upper = 0;

  bool covers(double value) const { return value >= lower && value <= upper; }
};
/// Of every row of `x`, whose predictions are given.
std::vector<Interval> intervals_at(const Model& model, const MatrixView& x,
                                   const std::vector<double>& predicted, double level);

/// The main effect of a feature at one point, centred over the training rows, with its 95 % band. A model
/// without the term says that the effect is exactly zero.
Interval main_effect_band(const Model& model, std::size_t feature, double point);
bool has_main_effect(const Model& model, std::size_t feature);

}  // namespace kore::experiments::honesty

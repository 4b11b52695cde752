#pragma once

#include <optional>
#include <vector>

#include "kore/fit.hpp"
#include "stats/row_sample.hpp"

namespace kore {

/// What the first pass finds out about the data.
struct Survey {
  std::vector<Feature> features;
  Range target;
  double target_mean = 0;
  double target_variance = 0;
  std::size_t rows = 0;
  double weight_sum = 0;
  std::size_t weighted_rows = 0;  ///< Whose weight is not zero.
};

struct SurveyWithSample {
  Survey survey;
  std::optional<RowSample> sample;  ///< Where one was asked for.
};
/// Ranges, target and weights. Throws for values that no later pass could use. The same pass draws a sample,
/// unless `sample_rows` is zero.
SurveyWithSample survey_with_sample(const RowSource& source, const Options& options, const Names& names,
                                    std::size_t sample_rows);
Survey survey(const RowSource& source, const Options& options, const Names& names);

/// The model of a constant target.
Model constant_model(const Survey& data, const Options& options, const Names& names);

}  // namespace kore

#pragma once

#include <string>
#include <vector>

#include "report/observed.hpp"
#include "report/page.hpp"
#include "report/term_chart.hpp"

/// Charts of the errors of rows.
namespace kore::report {

/// Rows counted by fitted value and error, with the mean error along the fitted values.
Json errors_by_fitted_chart(const Observed& observed, const std::string& target);
/// If there are more levels, those with the largest mean errors are shown.
inline constexpr std::size_t most_error_levels = 20;
/// The mean error with its 95 % interval along one feature, or at its levels if those are named.
struct ErrorsAlong {
  std::string feature;
  Units units = Units::numbers;
  std::vector<std::string> levels = {};
  bool years = false;               ///< As of a curve.
  std::vector<double> single = {};  ///< The few whole numbers that the feature has; empty: others, too.
};
Json errors_by_feature_chart(const std::vector<ErrorBin>& bins, const ErrorsAlong& along);
/// Quantiles of the errors against those of a normal distribution of the same middle half.
Json quantile_chart(const std::vector<double>& error_quantiles);
/// Mean targets against mean predictions of groups of left-out rows, with the middle 80 % of the targets.
Json groups_chart(const std::vector<PredictionGroup>& groups, bool shares, const std::string& what);
/// How often the 90 % interval holds, from small to large predictions.
Json coverage_chart(const std::vector<ErrorBin>& fitted_bins, const std::string& target);
/// How many rows have which leverage.
Json leverage_chart(const Histogram& leverages);

}  // namespace kore::report

#include "fit/survey.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "pass/survey_passes.hpp"

namespace kore {
namespace {

constexpr double largest_square_root =
    1e150;  // beyond it squared errors overflow, below its inverse they vanish
constexpr double largest_weight = 1e100;

void check_target(const Range& target) {
  const double largest = std::max(std::abs(target.lowest), std::abs(target.highest));
  if (largest > largest_square_root)
    throw Error(
        ErrorCode::invalid_data, "target_too_large",
        "The target has values beyond 1e150 in magnitude, whose squares overflow. Rescale the target.");
  if (largest > 0 && largest < 1 / largest_square_root)
    throw Error(ErrorCode::invalid_data, "target_too_small",
                "All values of the target are below 1e-150 in magnitude, and their squares vanish. Rescale "
                "the target.");
}

void check_groups(const RangeAccumulator& ranges, const Options& options) {
  if (ranges.grouped_rows() == 0) return;
  if (ranges.grouped_rows() < ranges.rows())
    throw Error(ErrorCode::invalid_data, "rows_without_group",
                "{rows} of {all} rows came without a group. Give every row a group, or none.",
                {{"rows", ranges.rows() - ranges.grouped_rows()}, {"all", ranges.rows()}});
  if (options.is_published())
    throw Error(ErrorCode::invalid_argument, "groups_of_another_method",
                "The published method chooses by leave-one-out over single rows and cannot leave groups out. "
                "The default method can.");
}

}  // namespace

SurveyWithSample survey_with_sample(const RowSource& source, const Options& options, const Names& names,
                                    std::size_t sample_rows) {
  const std::size_t columns = source.columns();
  if (columns == 0) throw Error(ErrorCode::invalid_data, "no_features", "The data have no feature columns.");
  if (!names.features.empty() && names.features.size() != columns)
    throw Error(ErrorCode::invalid_argument, "name_count_mismatch",
                "{names} names were given for {features} features.",
                {{"names", names.features.size()}, {"features", columns}});
  options.check(columns);
  SurveyPass pass(columns, names.features, sample_rows);
  source.run(pass, resolve_threads(options.threads));
  const RangeAccumulator& ranges = pass.ranges();
  const std::vector<Range>& seen = ranges.ranges();
  if (ranges.rows() < 2)
    throw Error(ErrorCode::too_few_rows, "one_row", "The data have 1 row; a fit needs at least 2.");
  if (!(ranges.weight_sum() <= largest_weight))
    throw Error(ErrorCode::invalid_data, "weights_too_large",
                "The weights add up to more than 1e100. Rescale them so that they add up to about the number "
                "of rows.");
  if (!(ranges.weight_sum() > 1))
    throw Error(
        ErrorCode::too_few_rows, "weights_too_small",
        "The weights add up to {weight}. A weight of 1 counts as one row, so they must add up to more "
        "than 1; about the number of rows is right.",
        {{"weight", ranges.weight_sum()}});
  check_target(ranges.target());
  check_groups(ranges, options);
  Survey result{{},
                ranges.target(),
                ranges.target_mean(),
                ranges.target_variance(),
                ranges.rows(),
                ranges.weight_sum(),
                ranges.weighted_rows()};
  for (std::size_t j = 0; j < columns; ++j)
    result.features.push_back({names.features.empty() ? "" : names.features[j],
                               options.ranges.empty() ? seen[j] : options.ranges[j],
                               options.kinds.empty() ? FeatureKind::spline : options.kinds[j],
                               options.levels.empty() ? 0 : options.levels[j]});
  return {std::move(result), std::move(pass.sample())};
}

Survey survey(const RowSource& source, const Options& options, const Names& names) {
  return survey_with_sample(source, options, names, 0).survey;
}

Model constant_model(const Survey& data, const Options& options, const Names& names) {
  Design design(data.features, Design::additive(data.features, 1, options.degree).terms(), options.degree,
                Parametrisation::centred);
  std::vector<double> zeros(design.raw_columns());
  std::vector<Effect> no_effects(design.terms().size());
  Model model{std::move(design),
              options.extrapolation,
              data.target.lowest,
              std::move(zeros),
              names.target,
              std::move(no_effects),
              {},
              {},
              {},
              {0.0},
              {}};
  model.summary.rows = data.rows;
  model.summary.weight_sum = data.weight_sum;
  model.summary.weighted_rows = data.weighted_rows;
  model.summary.target_mean = data.target.lowest;
  model.summary.target_shift = data.target.lowest;
  model.summary.ridge = options.ridge;
  model.summary.relative_ridge = options.relative_ridge;
  model.summary.convergence = Convergence{};
  return model;
}

}  // namespace kore

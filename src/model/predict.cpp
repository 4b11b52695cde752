#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"
#include "model/check.hpp"
#include "model/column_count.hpp"
#include "model/evaluation.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

std::string label(const Model& model, std::size_t feature) {
  const std::string& name = model.design.features()[feature].name;
  return name.empty() ? "column " + std::to_string(feature) : "the column '" + name + "'";
}

void check_points(const Model& model, const MatrixView& x, std::size_t first_row) {
  check_column_count(model, x.columns());
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const ColumnView& column = x.column(j);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const double value = column[r];
      if (!std::isfinite(value))
        throw Error(ErrorCode::invalid_data, "value_not_finite",
                    "In {place}, row {row} (counted from 0): the value is not a finite number.",
                    {{"place", label(model, j)}, {"row", first_row + r}});
      if (forbidden(model.design.features()[j], model.extrapolation, value))
        refuse_outside(
            "In {place}, row {row} (counted from 0): the value {value} lies outside the training range "
            "[{lowest}, {highest}].",
            model.design.features()[j].range, value, {{"place", label(model, j)}, {"row", first_row + r}});
    }
  }
}

double limited(const Model& model, double mean) {
  return std::clamp(mean, model.prediction_limits.lowest, model.prediction_limits.highest);
}

void require_term(const Model& model, std::size_t term, std::size_t features) {
  check_lengths(model);
  if (term >= model.design.terms().size() || features != model.design.terms()[term].order())
    throw Error(ErrorCode::invalid_argument, "unknown_term",
                "There is no term {term} with {features} features in the model.",
                {{"term", term}, {"features", features}});
}

}  // namespace

void check_column_count(const Model& model, std::size_t columns) {
  check_lengths(model);
  const std::size_t features = model.design.features().size();
  if (columns != features)
    throw Error(ErrorCode::invalid_data, "column_count_mismatch",
                "The model has {features} features, but the data have {columns} columns.",
                {{"features", features}, {"columns", columns}});
}

void predict(const Model& model, const MatrixView& x, std::span<double> predictions, int threads,
             std::size_t first_row) {
  if (predictions.size() != x.rows())
    throw Error(ErrorCode::invalid_argument, "place_count_mismatch",
                "Predictions of {rows} rows need as many places, not {places}.",
                {{"rows", x.rows()}, {"places", predictions.size()}});
  sum_terms(model, x, predictions, threads, first_row);
  carry_sums(model, predictions, first_row);
}

void sum_terms(const Model& model, const MatrixView& x, std::span<double> sums, int threads,
               std::size_t first_row) {
  check_points(model, x, first_row);
  evaluate_rows(model.design, model.intercept, model.coefficients, once_checked(model.extrapolation), x, sums,
                resolve_threads(threads));
}

void carry_sums(const Model& model, std::span<double> sums, std::size_t first_row) {
  if (model.linked()) {
    const std::shared_ptr<const Response> response = response_of(model);
    for (double& sum : sums) sum = limited(model, response->mean(sum));
  } else {
    for (double& sum : sums) sum = carried_prediction(model, sum);
  }
  for (std::size_t r = 0; r < sums.size(); ++r)
    if (!std::isfinite(sums[r]))
      throw Error(
          ErrorCode::out_of_range, "prediction_not_finite",
          "In row {row} (counted from 0): the prediction is not a finite number, because a value lies "
          "too far outside the training range.",
          {{"row", first_row + r}});
}

std::vector<double> predict(const Model& model, const MatrixView& x, int threads) {
  std::vector<double> predictions(x.rows());
  predict(model, x, predictions, threads);
  return predictions;
}

double carried_prediction(const Model& model, double eta) {
  return limited(model, model.linked() ? response_of(model)->mean(eta)
                                       : mean_on(model.target_scale, model.mean_shift, eta));
}

std::shared_ptr<const Response> response_of(const Model& model) {
  std::shared_ptr<const Response> response = response_with(model.family, model.family_parameter);
  if (!response)
    throw Error(
        ErrorCode::corrupt_file, "unknown_family",
        "The KORE model is inconsistent: there is no family '{family}' with the parameter {parameter}.",
        {{"family", model.family}, {"parameter", model.family_parameter}});
  return response;
}

double anova_constant(const Model& model) {
  check_lengths(model);
  double constant = model.intercept;
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    if (model.design.terms()[t].order() == 1) constant += model.effects[t].mean;
  return constant;
}

double term_value(const Model& model, std::size_t term, std::span<const double> point) {
  require_term(model, term, point.size());
  check_point(model.design.features(), model.design.terms()[term].features, model.extrapolation, point);
  const double value = local_sum(model.design, term, point, once_checked(model.extrapolation),
                                 model.coefficients.data() + model.design.raw_offset(term));
  require_finite_effect(value);
  return point.size() == 1 ? value - model.effects[term].mean : value;
}

double effect_error(const Model& model, std::size_t term, std::span<const double> point) {
  require_term(model, term, point.size());
  const Effect& effect = model.effects[term];
  const Extrapolation outside = once_checked(model.extrapolation);
  if (!effect.covariance.empty())
    return std::sqrt(variance_at(model.design, term, point[0], outside, effect.covariance));
  if (effect.covariance_factor.empty()) return Effect::unknown;
  double squares = 0;
  for (std::size_t at = 0; at < effect.covariance_factor.size(); at += model.design.raw_term_columns(term))
    squares +=
        std::pow(local_sum(model.design, term, point, outside, effect.covariance_factor.data() + at), 2);
  return std::sqrt(squares);
}

double effect_error(const Model& model, std::size_t term, double point) {
  return effect_error(model, term, std::span(&point, 1));
}

}  // namespace kore

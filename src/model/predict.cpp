#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"
#include "model/column_count.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

std::string label(const Model& model, std::size_t feature) {
  const std::string& name = model.design.features()[feature].name;
  return name.empty() ? "column " + std::to_string(feature) : "the column '" + name + "'";
}

// Whether a value must be refused. This is decided in the units of the user, before any warp, so that the
// evaluation need not check again.
bool forbidden(const Model& model, std::size_t feature, double value) {
  const Feature& own = model.design.features()[feature];
  const Range& range = own.range;
  return model.extrapolation == Extrapolation::error && own.kind != FeatureKind::category &&
         range.lowest < range.highest && (value < range.lowest || value > range.highest);
}

[[noreturn]] void refuse_outside(std::string_view pattern, const Range& range, double value,
                                 std::vector<Argument> where) {
  where.emplace_back("value", value);
  where.emplace_back("lowest", range.lowest);
  where.emplace_back("highest", range.highest);
  throw Error(ErrorCode::out_of_range, "value_outside_range", pattern, std::move(where));
}

// How a point that was not refused is extrapolated.
Extrapolation once_checked(Extrapolation outside) {
  return outside == Extrapolation::error ? Extrapolation::linear : outside;
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
      if (forbidden(model, j, value))
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
  if (term >= model.design.terms().size() || features != model.design.terms()[term].order())
    throw Error(ErrorCode::invalid_argument, "unknown_term",
                "There is no term {term} with {features} features in the model.",
                {{"term", term}, {"features", features}});
}

// Nested sums over the local functions of the coordinates from `c` on.
double local_sum(const Design& design, std::size_t term, std::size_t c, std::span<const double> point,
                 Extrapolation outside, const double* coefficients) {
  const UniformBasis& basis = design.basis(term, c);
  const LocalBasis local = basis.evaluate(design.argument(term, c, point[c]), outside);
  std::size_t stride = 1;
  for (std::size_t inner = c + 1; inner < point.size(); ++inner)
    stride *= static_cast<std::size_t>(design.basis(term, inner).functions());
  double total = 0;
  for (int s = 0; s <= basis.degree(); ++s) {
    const double* at = coefficients + static_cast<std::size_t>(local.cell + s) * stride;
    const double rest = c + 1 == point.size() ? *at : local_sum(design, term, c + 1, point, outside, at);
    total += local.value[static_cast<std::size_t>(s)] * rest;
  }
  return total;
}

double main_effect_error(const Model& model, std::size_t term, double point, Extrapolation outside) {
  const UniformBasis& basis = model.design.basis(term, 0);
  const LocalBasis local = basis.evaluate(model.design.argument(term, 0, point), outside);
  const auto size = static_cast<std::size_t>(basis.functions());
  const auto cell = static_cast<std::size_t>(local.cell);
  double variance = 0;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(basis.degree()); ++i)
    for (std::size_t j = 0; j <= static_cast<std::size_t>(basis.degree()); ++j)
      variance +=
          local.value[i] * model.effects[term].covariance[(cell + i) * size + cell + j] * local.value[j];
  return std::sqrt(std::max(variance, 0.0));
}

}  // namespace

void check_column_count(const Model& model, std::size_t columns) {
  const std::size_t features = model.design.features().size();
  if (columns != features)
    throw Error(ErrorCode::invalid_data, "column_count_mismatch",
                "The model has {features} features, but the data have {columns} columns.",
                {{"features", features}, {"columns", columns}});
}

void predict(const Model& model, const MatrixView& x, std::span<double> predictions, int threads,
             std::size_t first_row) {
  check_points(model, x, first_row);
  if (predictions.size() != x.rows())
    throw Error(ErrorCode::invalid_argument, "place_count_mismatch",
                "Predictions of {rows} rows need as many places, not {places}.",
                {{"rows", x.rows()}, {"places", predictions.size()}});
  evaluate_rows(model.design, model.intercept, model.coefficients, once_checked(model.extrapolation), x,
                predictions, resolve_threads(threads));
  if (model.linked()) {
    const std::shared_ptr<const Response> response = response_of(model);
    for (double& prediction : predictions) prediction = limited(model, response->mean(prediction));
  } else {
    for (double& prediction : predictions) prediction = carried_prediction(model, prediction);
  }
  for (std::size_t r = 0; r < predictions.size(); ++r)
    if (!std::isfinite(predictions[r]))
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
  double constant = model.intercept;
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    if (model.design.terms()[t].order() == 1) constant += model.effects[t].mean;
  return constant;
}

double term_value(const Model& model, std::size_t term, std::span<const double> point) {
  require_term(model, term, point.size());
  bool known = true;
  for (std::size_t c = 0; c < point.size(); ++c) {
    known = known && std::isfinite(point[c]);
    const std::size_t feature = model.design.terms()[term].features[c];
    if (forbidden(model, feature, point[c]))
      refuse_outside("The value {value} lies outside the training range [{lowest}, {highest}].",
                     model.design.features()[feature].range, point[c], {});
  }
  const double value = local_sum(model.design, term, 0, point, once_checked(model.extrapolation),
                                 model.coefficients.data() + model.design.raw_offset(term));
  if (!known || !std::isfinite(value))
    throw Error(
        ErrorCode::out_of_range, "effect_not_finite",
        "The effect is not a finite number at this point: a value is not finite, or lies too far outside "
        "the training range.");
  return point.size() == 1 ? value - model.effects[term].mean : value;
}

double effect_error(const Model& model, std::size_t term, std::span<const double> point) {
  require_term(model, term, point.size());
  const Effect& effect = model.effects[term];
  const Extrapolation outside = once_checked(model.extrapolation);
  if (!effect.covariance.empty()) return main_effect_error(model, term, point[0], outside);
  if (effect.covariance_factor.empty()) return Effect::unknown;
  double squares = 0;
  for (std::size_t at = 0; at < effect.covariance_factor.size(); at += model.design.raw_term_columns(term))
    squares +=
        std::pow(local_sum(model.design, term, 0, point, outside, effect.covariance_factor.data() + at), 2);
  return std::sqrt(squares);
}

double effect_error(const Model& model, std::size_t term, double point) {
  return effect_error(model, term, std::span(&point, 1));
}

}  // namespace kore

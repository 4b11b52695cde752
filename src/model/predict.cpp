#include <algorithm>
#include <cmath>
#include <limits>

#include "base/number_text.hpp"
#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

std::string label(const Model& model, std::size_t feature) {
  const std::string& name = model.design.features()[feature].name;
  return name.empty() ? "column " + std::to_string(feature) : "the column '" + name + "'";
}

// Whether a value is to be refused. In the user's units, which behind a warp are others: what evaluates need
// not look again.
bool forbidden(const Model& model, std::size_t feature, double value) {
  const Feature& own = model.design.features()[feature];
  const Range& range = own.range;
  return model.extrapolation == Extrapolation::error && own.kind != FeatureKind::category &&
         range.lowest < range.highest && (value < range.lowest || value > range.highest);
}

std::string lies_outside(const Range& range, double value) {
  return number_text(value) + " lies outside the training range [" + number_text(range.lowest) + ", " +
         number_text(range.highest) + "].";
}

// How points go on that were not refused.
Extrapolation once_checked(Extrapolation outside) {
  return outside == Extrapolation::error ? Extrapolation::linear : outside;
}

void check_points(const Model& model, const MatrixView& x, std::size_t first_row) {
  const std::size_t expected = model.design.features().size();
  if (x.columns() != expected)
    throw Error(ErrorCode::invalid_data, "The model has " + std::to_string(expected) +
                                             " features, but the data have " + std::to_string(x.columns()) +
                                             " columns.");
  for (std::size_t j = 0; j < expected; ++j) {
    const ColumnView& column = x.column(j);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const double value = column[r];
      if (!std::isfinite(value))
        throw Error(ErrorCode::invalid_data, "In " + label(model, j) + ", row " +
                                                 std::to_string(first_row + r) +
                                                 " (counted from 0): the value is not a finite number.");
      if (forbidden(model, j, value))
        throw Error(ErrorCode::out_of_range, "In " + label(model, j) + ", row " +
                                                 std::to_string(first_row + r) +
                                                 " (counted from 0): the value " +
                                                 lies_outside(model.design.features()[j].range, value));
    }
  }
}

// Nested sums over the local functions of the coordinates from `c` on.
double local_sum(const Design& design, std::size_t term, std::size_t c, std::span<const double> point,
                 Extrapolation outside, const double* coefficients) {
  const UniformBasis& basis = design.basis(term, c);
  const LocalBasis local = basis.evaluate(design.warp(term, c)(point[c]), outside);
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

}  // namespace

void predict(const Model& model, const MatrixView& x, std::span<double> predictions, int threads,
             std::size_t first_row) {
  check_points(model, x, first_row);
  if (predictions.size() != x.rows())
    throw Error(ErrorCode::invalid_argument, "Predictions of " + std::to_string(x.rows()) +
                                                 " rows need as many places, not " +
                                                 std::to_string(predictions.size()) + ".");
  evaluate_rows(model.design, model.intercept, model.coefficients, once_checked(model.extrapolation), x,
                predictions, resolve_threads(threads));
  for (std::size_t r = 0; r < predictions.size(); ++r)
    if (!std::isfinite(predictions[r]))
      throw Error(
          ErrorCode::out_of_range,
          "In row " + std::to_string(first_row + r) +
              " (counted from 0): the prediction is not a finite number, because a value lies too far "
              "outside the training range.");
}

std::vector<double> predict(const Model& model, const MatrixView& x, int threads) {
  std::vector<double> predictions(x.rows());
  predict(model, x, predictions, threads);
  return predictions;
}

double anova_constant(const Model& model) {
  double constant = model.intercept;
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    if (model.design.terms()[t].order() == 1) constant += model.effects[t].mean;
  return constant;
}

double term_value(const Model& model, std::size_t term, std::span<const double> point) {
  if (term >= model.design.terms().size() || point.size() != model.design.terms()[term].order())
    throw Error(ErrorCode::invalid_argument, "There is no term " + std::to_string(term) + " with " +
                                                 std::to_string(point.size()) + " features in the model.");
  for (std::size_t c = 0; c < point.size(); ++c) {
    const std::size_t feature = model.design.terms()[term].features[c];
    if (forbidden(model, feature, point[c]))
      throw Error(ErrorCode::out_of_range,
                  "The value " + lies_outside(model.design.features()[feature].range, point[c]));
  }
  const double value = local_sum(model.design, term, 0, point, once_checked(model.extrapolation),
                                 model.coefficients.data() + model.design.raw_offset(term));
  if (!std::isfinite(value))
    throw Error(
        ErrorCode::out_of_range,
        "The effect is not a finite number at this point: a value is not finite, or lies too far outside "
        "the training range.");
  return point.size() == 1 ? value - model.effects[term].mean : value;
}

double effect_error(const Model& model, std::size_t term, double point) {
  if (term >= model.effects.size() || model.effects[term].covariance.empty())
    return std::numeric_limits<double>::quiet_NaN();
  const UniformBasis& basis = model.design.basis(term, 0);
  const LocalBasis local = basis.evaluate(model.design.warp(term, 0)(point), model.extrapolation);
  const auto size = static_cast<std::size_t>(basis.functions());
  double variance = 0;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(basis.degree()); ++i)
    for (std::size_t j = 0; j <= static_cast<std::size_t>(basis.degree()); ++j) {
      const std::size_t cell = static_cast<std::size_t>(local.cell);
      variance +=
          local.value[i] * model.effects[term].covariance[(cell + i) * size + cell + j] * local.value[j];
    }
  return std::sqrt(std::max(variance, 0.0));
}

}  // namespace kore

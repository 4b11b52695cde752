#include "kore/decomposition.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "model/check.hpp"
#include "model/evaluation.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

void require_term(const Decomposition& shown, std::size_t term, std::size_t features) {
  if (term < shown.terms.size() && features == shown.terms[term].order()) return;
  throw Error(ErrorCode::invalid_argument, "unknown_term",
              "There is no term {term} with {features} features in the model.",
              {{"term", term}, {"features", features}});
}

/// The parts of a term at a point, each with its coefficients from `first` on, one part's after the other.
double sum_of_parts(const Decomposition& shown, std::size_t term, std::span<const double> point,
                    const double* first) {
  double sum = 0;
  for (const std::size_t part : shown.terms[term].parts) {
    sum += local_sum(shown.design, part, point, once_checked(shown.extrapolation), first);
    first += shown.design.raw_term_columns(part);
  }
  return sum;
}

std::size_t functions_of(const Decomposition& shown, std::size_t term) {
  std::size_t functions = 0;
  for (const std::size_t part : shown.terms[term].parts) functions += shown.design.raw_term_columns(part);
  return functions;
}

}  // namespace

bool ShownTerm::any_by_value() const { return std::ranges::find(by_value, true) != by_value.end(); }

bool has_errors(const Effect& effect) {
  return !effect.covariance.empty() || !effect.covariance_factor.empty();
}

Decomposition as_fitted(const Model& model) {
  check_lengths(model);
  Decomposition shown{
      model.design, model.extrapolation, model.intercept, model.coefficients, {}, model.effects, false};
  for (std::size_t t = 0; t < model.design.terms().size(); ++t) {
    const Term& term = model.design.terms()[t];
    ShownTerm own{term.features, {}, {t}};
    for (const int resolution : term.resolutions) own.by_value.push_back(resolution == each_value);
    shown.terms.push_back(std::move(own));
    if (term.order() > 1 || model.design.basis(t, 0).constant()) continue;
    // The functions of a main effect add up to one, so its mean can be subtracted from its coefficients.
    const double mean = shown.effects[t].mean;
    const auto first = shown.coefficients.begin() + static_cast<std::ptrdiff_t>(model.design.raw_offset(t));
    std::for_each(first, first + static_cast<std::ptrdiff_t>(model.design.raw_term_columns(t)),
                  [mean](double& c) { c -= mean; });
    shown.constant += mean;
    shown.effects[t].mean = 0;
  }
  return shown;
}

Decomposition decomposition(const Model& model) {
  if (!model.purified) return as_fitted(model);
  Decomposition shown = *model.purified;
  shown.extrapolation = model.extrapolation;
  return shown;
}

double term_value(const Decomposition& shown, std::size_t term, std::span<const double> point) {
  require_term(shown, term, point.size());
  check_point(shown.design.features(), shown.terms[term].features, shown.extrapolation, point);
  double value = 0;
  for (const std::size_t part : shown.terms[term].parts)
    value += local_sum(shown.design, part, point, once_checked(shown.extrapolation),
                       shown.coefficients.data() + shown.design.raw_offset(part));
  require_finite_effect(value);
  return value;
}

double effect_error(const Decomposition& shown, std::size_t term, std::span<const double> point) {
  require_term(shown, term, point.size());
  const Effect& effect = shown.effects[term];
  if (!has_errors(effect)) return Effect::unknown;
  if (!effect.covariance.empty())
    return std::sqrt(variance_at(shown.design, shown.terms[term].parts.front(), point[0],
                                 once_checked(shown.extrapolation), effect.covariance));
  const std::size_t functions = functions_of(shown, term);
  double squares = 0;
  for (std::size_t at = 0; at < effect.covariance_factor.size(); at += functions)
    squares += std::pow(sum_of_parts(shown, term, point, effect.covariance_factor.data() + at), 2);
  return std::sqrt(squares);
}

Explanation explain(const Model& model, const Decomposition& shown, const MatrixView& x, int threads,
                    std::size_t first_row) {
  Explanation explanation{{}, std::vector<double>(x.rows()), shown.constant, {}};
  sum_terms(model, x, explanation.sums, threads, first_row);
  explanation.predictions = explanation.sums;
  carry_sums(model, explanation.predictions, first_row);
  std::vector<std::vector<std::size_t>> parts;
  for (const ShownTerm& term : shown.terms) parts.push_back(term.parts);
  explanation.contributions = evaluate_sums(shown.design, parts, shown.coefficients,
                                            once_checked(shown.extrapolation), x, resolve_threads(threads));
  return explanation;
}

}  // namespace kore

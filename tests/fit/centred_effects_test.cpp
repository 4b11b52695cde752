// Main effects of families are centred over rows, with bands that belong to them.
#include "fit/centred_effects.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kore/fit.hpp"
#include "support/family_rows.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::family_options;
using test::family_rows;
using test::Rows;

class CentredEffects : public testing::TestWithParam<const char*> {
 protected:
  Options options = family_options(GetParam());
};

double mean_effect(const Model& model, std::size_t term, const Rows& rows) {
  double sum = 0;
  for (std::size_t r = 0; r < rows.count; ++r)
    sum += term_value(model, term, std::vector<double>{rows.at(r, model.design.terms()[term].features[0])});
  return sum / static_cast<double>(rows.count);
}

void expect_centred(const Model& model, const Rows& rows) {
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    if (model.design.terms()[t].order() > 1) continue;
    EXPECT_NEAR(mean_effect(model, t, rows), 0, 1e-9) << t;
  }
}

TEST_P(CentredEffects, HaveMeanZeroOverRows) {
  const Rows rows = family_rows(GetParam(), 900, 71);
  expect_centred(fit(rows.source(), options), rows);
  options.grown().structure_rows = 400;  // the others are read in passes
  expect_centred(fit(rows.source(), options), rows);
  expect_centred(fit(test::StreamingSource(rows), options), rows);
}

TEST_P(CentredEffects, HaveBandsThatCoverThemAlsoInLongTables) {
  constexpr int draws = 12;
  constexpr int points = 50;
  options.grown().structure_rows = 400;
  options.grown().max_order = 1;
  double covered = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const Rows rows = family_rows(GetParam(), 1500, 80 + 2 * static_cast<std::uint64_t>(draw));
    const Model model = fit(rows.source(), options);
    const auto curve = [](double x) { return 1.5 * std::sin(5 * x); };
    double centre = 0;
    for (std::size_t r = 0; r < rows.count; ++r) centre += curve(rows.at(r, 0)) / 1500;
    for (int i = 0; i < points; ++i) {
      const double x = 0.025 + 0.95 * i / (points - 1);
      const double error = term_value(model, 0, std::vector<double>{x}) - (curve(x) - centre);
      covered += std::abs(error) <= 1.96 * effect_error(model, 0, x) ? 1 : 0;
    }
  }
  EXPECT_GT(covered / (draws * points), 0.9);
}

INSTANTIATE_TEST_SUITE_P(Families, CentredEffects,
                         testing::Values("binomial", "poisson", "gamma", "negative_binomial"));

TEST(FunctionMeans, AreThoseOfARowAtATime) {
  const Rows rows = family_rows("poisson", 60, 72);
  const Model model = fit(rows.source(), family_options("poisson"));
  const std::vector<double> means = function_means(model.design, rows.source(), 2);
  // With every coefficient of a term at its place, the mean of its values is that of its functions.
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    if (model.design.terms()[t].order() > 1) continue;
    double by_functions = 0;
    for (std::size_t i = 0; i < model.design.raw_term_columns(t); ++i)
      by_functions +=
          means[model.design.raw_offset(t) + i] * model.coefficients[model.design.raw_offset(t) + i];
    EXPECT_NEAR(by_functions, mean_effect(model, t, rows) + model.effects[t].mean, 1e-12);
  }
}

TEST(CentringABand, LeavesNoErrorInTheMeanOfTheEffect) {
  const Rows rows = family_rows("poisson", 300, 73);
  const Model model = fit(rows.source(), family_options("poisson"));
  const std::vector<double> means = function_means(model.design, rows.source(), 1);
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    const std::vector<double>& covariance = model.effects[t].covariance;
    if (covariance.empty()) continue;
    const std::size_t size = model.design.raw_term_columns(t);
    double of_mean = 0;
    double trace = 0;
    for (std::size_t i = 0; i < size; ++i) {
      trace += covariance[i * size + i];
      for (std::size_t j = 0; j < size; ++j)
        of_mean += means[model.design.raw_offset(t) + i] * covariance[i * size + j] *
                   means[model.design.raw_offset(t) + j];
    }
    EXPECT_NEAR(of_mean, 0, 1e-12 * trace);
  }
}

}  // namespace
}  // namespace kore

// Fits on scales of the target: what is chosen, means, intervals, and the same model wherever the rows are.
#include <gtest/gtest.h>

#include <cmath>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"
#include "support/scattered_source.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::Rows;
using test::Uniform;

double normal(Uniform& uniform) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum;
}

double signal(const Rows& rows, std::size_t r) {
  return 1 + 2 * std::sin(3 * rows.at(r, 0)) + 1.5 * rows.at(r, 1);
}

/// `log(y)` is a sum of curves, with errors of deviation 0.5: the noise multiplies.
Rows lognormal_rows(std::size_t count, std::uint64_t seed) {
  Rows rows = test::made_up_rows(count, 3, seed);
  Uniform uniform(seed + 1);
  for (std::size_t r = 0; r < count; ++r) rows.y[r] = std::exp(signal(rows, r) + 0.5 * normal(uniform));
  return rows;
}

/// A sum of curves far above zero, with noise that does not depend on it.
Rows additive_rows(std::size_t count, std::uint64_t seed) {
  Rows rows = test::made_up_rows(count, 3, seed);
  Uniform uniform(seed + 1);
  for (std::size_t r = 0; r < count; ++r) rows.y[r] = 4 + signal(rows, r) + 0.8 * normal(uniform);
  for (double& y : rows.y) y = std::max(y, 0.1);
  return rows;
}

Options on(TargetScale scale) {
  Options options;
  options.grown().target_scale = scale;
  return options;
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value / static_cast<double>(values.size());
  return std::sqrt(sum);
}

TEST(TargetScaleOfAFit, IsTheLogarithmWhereNoiseMultiplies) {
  const Rows rows = lognormal_rows(600, 3);
  const Model model = fit(rows.view(), rows.y);
  EXPECT_EQ(model.target_scale, TargetScale::logarithm);
  EXPECT_NEAR(std::sqrt(model.summary.noise_variance), 0.5, 0.05);
}

TEST(TargetScaleOfAFit, IsTheIdentityWhereNoiseAdds) {
  for (const std::uint64_t seed : {3, 4, 5}) {
    const Rows rows = additive_rows(600, seed);
    const Model model = fit(rows.view(), rows.y);
    EXPECT_EQ(model.target_scale, TargetScale::identity);
    EXPECT_TRUE(model.mean_shift.places.empty());
  }
}

TEST(TargetScaleOfAFit, ThatStaysTheIdentityIsTheModelOfTheIdentity) {
  const Rows rows = additive_rows(400, 9);
  const Model open = fit(rows.view(), rows.y);
  const Model asked = fit(rows.view(), rows.y, on(TargetScale::identity));
  EXPECT_EQ(open.coefficients, asked.coefficients);
  EXPECT_EQ(open.residual_quantiles.size(), asked.residual_quantiles.size());
}

TEST(TargetScaleOfAFit, PredictsMeansAndNotMedians) {
  const Rows rows = lognormal_rows(3'000, 5);
  const Model model = fit(rows.view(), rows.y, on(TargetScale::logarithm));
  const std::vector<double> predicted = predict(model, rows.view());
  double ratio = 0;
  for (std::size_t r = 0; r < rows.count; ++r)
    ratio += predicted[r] / std::exp(signal(rows, r) + 0.5 * 0.25) / static_cast<double>(rows.count);
  EXPECT_NEAR(ratio, 1, 0.03) << "the median alone would give 0.88";
}

TEST(TargetScaleOfAFit, StatesErrorsInUnitsOfTheTarget) {
  const Rows rows = lognormal_rows(1'500, 6);
  const Rows other = lognormal_rows(6'000, 60);
  for (const TargetScale scale : {TargetScale::square_root, TargetScale::logarithm}) {
    const Model model = fit(rows.view(), rows.y, on(scale));
    std::vector<double> errors = predict(model, other.view());
    for (std::size_t r = 0; r < other.count; ++r) errors[r] = other.y[r] - errors[r];
    EXPECT_NEAR(model.summary.accuracy->rmse / root_mean_square(errors), 1, 0.15);
    EXPECT_NEAR(root_mean_square(loo_residuals(rows.source(), model)) / root_mean_square(errors), 1, 0.15);
  }
}

TEST(TargetScaleOfAFit, HasIntervalsThatCoverAndAreNeverNegative) {
  const Rows rows = lognormal_rows(1'500, 8);
  const Rows other = lognormal_rows(4'000, 80);
  for (const TargetScale scale : {TargetScale::square_root, TargetScale::logarithm}) {
    const Model model = fit(rows.view(), rows.y, on(scale));
    const IntervalOffsets offsets = interval_offsets(model, 0.9);
    const std::vector<double> predicted = predict(model, other.view());
    double covered = 0;
    for (std::size_t r = 0; r < other.count; ++r) {
      const TargetInterval interval = interval_around(model, offsets, predicted[r]);
      EXPECT_GE(interval.lower, 0);
      EXPECT_LT(interval.lower, interval.upper);
      covered += interval.covers(other.y[r]) ? 1 / static_cast<double>(other.count) : 0;
    }
    EXPECT_NEAR(covered, 0.9, 0.03);
  }
}

TEST(TargetScaleOfAFit, StaysWithinTheLimitsOfTheTarget) {
  const Rows rows = lognormal_rows(500, 12);
  const Model model = fit(rows.view(), rows.y, on(TargetScale::logarithm));
  Rows far = rows;
  for (double& value : far.x) value = 40 * value - 20;
  const double largest = *std::max_element(rows.y.begin(), rows.y.end());
  for (const double prediction : predict(model, far.view())) {
    EXPECT_GE(prediction, 0);
    EXPECT_LE(prediction, 1.5 * largest);
  }
}

TEST(TargetScaleOfAFit, IsTheMeanOfTheTargetWhereNothingPredictsIt) {
  Rows rows = test::made_up_rows(200, 2, 4);
  Uniform uniform(5);
  double mean = 0;
  for (double& y : rows.y) mean += (y = std::exp(normal(uniform))) / 200;
  const Model model = fit(rows.view(), rows.y, on(TargetScale::logarithm));
  const std::vector<double> predicted = predict(model, rows.view());
  EXPECT_NEAR(predicted.front(), mean, 1e-2 * mean);
  EXPECT_EQ(predicted.front(), predicted.back());
}

TEST(TargetScaleOfAFit, WithoutARefereeIsChosenByLeaveOneOut) {
  Options options;
  options.grown().folds = 1;
  const Rows multiplied = lognormal_rows(1'500, 14);
  const Rows added = additive_rows(500, 14);
  EXPECT_EQ(fit(multiplied.view(), multiplied.y, options).target_scale, TargetScale::logarithm);
  EXPECT_EQ(fit(added.view(), added.y, options).target_scale, TargetScale::identity);
}

TEST(TargetScaleOfAFit, RefusesTargetsThatItCannotHave) {
  Rows rows = lognormal_rows(100, 1);
  rows.y[7] = 0;
  EXPECT_EQ(test::refusal(ErrorCode::invalid_data,
                          [&] {
                            fit(rows.view(), rows.y, on(TargetScale::logarithm), {{}, "price"});
                          }),
            "The target 'price' cannot be taken on the logarithmic scale: its smallest value is 0, and "
            "logarithms need values above 0.");
  EXPECT_NO_THROW(fit(rows.view(), rows.y, on(TargetScale::square_root)));
  rows.y[7] = -2;
  EXPECT_EQ(
      test::refusal(ErrorCode::invalid_data, [&] { fit(rows.view(), rows.y, on(TargetScale::square_root)); }),
      "The target cannot be taken on the square-root scale: its smallest value is -2, and square roots "
      "need values of at least 0.");
  EXPECT_EQ(fit(rows.view(), rows.y).target_scale, TargetScale::identity);
}

TEST(TargetScaleOfAFit, LooksAtNoTargetThatDoesNotCount) {
  Rows rows = lognormal_rows(300, 2);
  rows.weights.assign(rows.count, 1);
  rows.weights[5] = 0;
  const auto predictions = [&](double target) {
    rows.y[5] = target;
    return predict(fit(rows.source(), on(TargetScale::logarithm)), rows.view());
  };
  EXPECT_EQ(predictions(-3), predictions(2));
}

TEST(TargetScaleOfAFit, IsTheSameOnAnyNumberOfThreads) {
  const Rows rows = lognormal_rows(700, 21);
  Options one;
  one.threads = 1;
  Options three;
  three.threads = 3;
  EXPECT_EQ(to_bytes(fit(rows.view(), rows.y, one)), to_bytes(fit(rows.view(), rows.y, three)));
}

/// A sample decides here, and other rows judge.
TEST(TargetScaleOfAFit, OfALongTableIsTheSameInMemoryStreamedAndScattered) {
  const Rows rows = lognormal_rows(2'500, 31);
  Options options;
  options.grown().structure_rows = 600;
  const Model model = fit(rows.view(), rows.y, options);
  EXPECT_EQ(model.target_scale, TargetScale::logarithm);
  const Model streamed = fit(test::StreamingSource(rows), options);
  const Model scattered = fit(test::ScatteredSource(rows), options);
  const std::vector<double> here = predict(model, rows.view());
  const std::vector<double> from_stream = predict(streamed, rows.view());
  const std::vector<double> from_places = predict(scattered, rows.view());
  for (std::size_t r = 0; r < rows.count; ++r) {
    EXPECT_NEAR(from_stream[r], here[r], 1e-9 * here[r]);
    EXPECT_NEAR(from_places[r], here[r], 1e-9 * here[r]);
  }
}

TEST(TargetScaleOfAFit, SurvivesItsFile) {
  const Rows rows = lognormal_rows(300, 41);
  const Model model = fit(rows.view(), rows.y, on(TargetScale::logarithm));
  const Model again = model_from_bytes(to_bytes(model));
  EXPECT_EQ(again.target_scale, TargetScale::logarithm);
  EXPECT_EQ(again.summary.scaled_variance, model.summary.scaled_variance);
  EXPECT_EQ(again.summary.loo_r2(), model.summary.loo_r2());
  EXPECT_EQ(predict(again, rows.view()), predict(model, rows.view()));
  EXPECT_EQ(to_bytes(again), to_bytes(model));
}

TEST(TargetScaleOfAFit, OfDiagnoseIsThatOfTheFit) {
  const Rows rows = lognormal_rows(400, 51);
  const Diagnosis diagnosis = diagnose(rows.source());
  const Model model = fit(rows.view(), rows.y);
  EXPECT_EQ(diagnosis.summary.loo, model.summary.loo);
  EXPECT_EQ(diagnosis.summary.accuracy->rmse, model.summary.accuracy->rmse);
  EXPECT_GT(diagnosis.lift_over_linear, 0.3);
}

}  // namespace
}  // namespace kore

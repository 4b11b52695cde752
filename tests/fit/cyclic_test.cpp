// Features that begin again: hours, months, directions of the wind.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "support/error_of.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/scattered_source.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::Rows;

double wave(double hour) { return std::sin(2 * std::numbers::pi * (hour - 20) / 24); }

/// Hours 0 to 23, each whole, and a feature that acts on its own and with the hour.
Rows hours(std::size_t count, std::uint64_t seed, double noise = 0.3) {
  Rows rows = test::made_up_rows(count, 2, seed);
  test::Uniform uniform(seed + 1);
  for (std::size_t r = 0; r < count; ++r) {
    rows.at(r, 0) = std::floor(24 * rows.at(r, 0));
    const double x = rows.at(r, 1);
    rows.y[r] = 2 * wave(rows.at(r, 0)) + x + 3 * (x - 0.5) * wave(rows.at(r, 0) + 5) +
                uniform.between(-noise, noise);
  }
  return rows;
}

Options cyclic() {
  Options options;
  options.grown().periods = {24, 0};
  return options;
}

/// Value and slope of every effect at the two ends of the hours.
void expect_closed(const Decomposition& shown) {
  constexpr double step = 1e-4;
  std::size_t seen = 0;
  for (std::size_t t = 0; t < shown.terms.size(); ++t) {
    const std::vector<std::size_t>& features = shown.terms[t].features;
    const auto hour = std::ranges::find(features, std::size_t{0});
    if (hour == features.end()) continue;
    const auto at = [&](double value) {
      std::vector<double> point(features.size(), 0.3);
      point[static_cast<std::size_t>(hour - features.begin())] = value;
      return term_value(shown, t, point);
    };
    EXPECT_NEAR(at(0), at(24), 1e-10) << "effect " << t;
    EXPECT_NEAR((at(step) - at(0)) / step, (at(24) - at(24 - step)) / step, 1e-3) << "effect " << t;
    ++seen;
  }
  EXPECT_EQ(seen, 2U) << "the curve of the hour and its surface";
}

TEST(Cyclic, CurvesAndSurfacesMeetThemselves) {
  const Rows rows = hours(600, 921);
  const Model model = fit(rows.view(), rows.y, cyclic());
  EXPECT_TRUE(model.design.features()[0].cyclic);
  EXPECT_FALSE(model.design.features()[1].cyclic);
  EXPECT_EQ(model.design.features()[0].range.highest, 24);
  ASSERT_TRUE(model.purified);
  expect_closed(as_fitted(model));
  expect_closed(decomposition(model));
  for (const double hour : {0.0, 3.0, 11.0, 23.0, 23.5})
    for (const double x : {0.1, 0.6}) {
      const double truth = 2 * wave(hour) + x + 3 * (x - 0.5) * wave(hour + 5);
      EXPECT_NEAR(predict(model, test::Rows{1, 2, {hour, x}, {0}, {}}.view())[0], truth, 0.2) << hour;
    }
}

TEST(Cyclic, ACircleHasNoBeginning) {
  const Rows rows = hours(500, 923);
  Rows turned = rows;
  for (std::size_t r = 0; r < rows.count; ++r) turned.at(r, 0) = std::fmod(rows.at(r, 0) + 12, 24);
  Options options = cyclic();
  options.grown().folds = 1;
  options.grown().max_resolutions = {12, 0};
  const Model one = fit(rows.view(), rows.y, options);
  const Model other = fit(turned.view(), turned.y, options);
  // To the accuracy with which penalties are solved for.
  EXPECT_NEAR(one.summary.loo, other.summary.loo, 1e-5 * one.summary.loo);
  const std::vector<double> before = predict(one, rows.view());
  const std::vector<double> after = predict(other, turned.view());
  for (std::size_t r = 0; r < rows.count; ++r) EXPECT_NEAR(before[r], after[r], 1e-4);
}

TEST(Cyclic, AreTheSameInMemoryAndInPasses) {
  const Rows rows = hours(900, 925);
  Options options = cyclic();
  for (const std::size_t deciding : {5000, 400}) {
    options.grown().structure_rows = deciding;
    const Model kept = fit(rows.source(), options);
    const Model read = fit(test::StreamingSource(rows), options);
    const Model merged = fit(test::ScatteredSource(rows, {5, 300, 320}), options);
    expect_closed(decomposition(read));
    // Sums over blocks of rows are rounded in another order where not all rows decide.
    const std::vector<double> expected = predict(kept, rows.view());
    const std::vector<double> streamed = predict(read, rows.view());
    const std::vector<double> scattered = predict(merged, rows.view());
    if (deciding == 5000) {
      EXPECT_EQ(streamed, expected);
    }
    for (std::size_t r = 0; r < rows.count; ++r) {
      EXPECT_NEAR(streamed[r], expected[r], 1e-8);
      EXPECT_NEAR(scattered[r], expected[r], 1e-8);
    }
  }
}

TEST(Cyclic, ModelsComeBackFromTheirFile) {
  const Rows rows = hours(400, 927);
  const Model model = fit(rows.view(), rows.y, cyclic());
  const Model read = model_from_bytes(to_bytes(model));
  EXPECT_TRUE(read.design.features()[0].cyclic);
  EXPECT_EQ(predict(read, rows.view()), predict(model, rows.view()));
  EXPECT_EQ(loo_residuals(rows.source(), read), loo_residuals(rows.source(), model));
}

TEST(Cyclic, AFeatureWithoutEffectBecomesLevel) {
  Rows rows = hours(400, 929);
  test::Uniform uniform(930);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = 2 * rows.at(r, 1) + uniform.between(-1, 1);
  const Model model = fit(rows.view(), rows.y, cyclic());
  const Decomposition shown = decomposition(model);
  for (std::size_t t = 0; t < shown.terms.size(); ++t)
    if (shown.terms[t].features == std::vector<std::size_t>{0}) {
      EXPECT_LT(shown.effects[t].share, 0.01);
    }
}

TEST(Cyclic, ValuesCountAsThoseWholePeriodsAway) {
  Rows rows = hours(500, 935);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 0) = 6 + std::floor(rows.at(r, 0) * 17 / 24);
  const Model model = fit(rows.view(), rows.y, cyclic());
  ASSERT_EQ(model.design.features()[0].range.lowest, 6);
  ASSERT_EQ(model.design.features()[0].range.highest, 30);
  Rows moved = rows;
  for (std::size_t r = 0; r < rows.count; ++r) moved.at(r, 0) += 24 * (static_cast<double>(r % 9) - 4);
  EXPECT_EQ(predict(model, moved.view()), predict(model, rows.view()));
  EXPECT_EQ(outside_count(model, moved.view()), std::vector<std::size_t>(rows.count));
  EXPECT_EQ(widening(model, moved.view()), widening(model, rows.view()));
  const auto at = [&](double hour) { return predict(model, Rows{1, 2, {hour, 0.4}, {0}, {}}.view())[0]; };
  EXPECT_EQ(at(3), at(27));
  EXPECT_NEAR(at(5.999999), at(6), 1e-4) << "there is no step where the range begins";
  EXPECT_EQ(at(6 + 1e12), at(6)) << "too far away to tell";
  EXPECT_EQ(term_value(model, 0, std::array{3.0}), term_value(model, 0, std::array{27.0}));
  Model strict = model;
  strict.extrapolation = Extrapolation::error;
  EXPECT_EQ(predict(strict, moved.view()), predict(model, rows.view()));
  EXPECT_EQ(test::error_of([&] {
              predict(strict, Rows{1, 2, {3, 9}, {0}, {}}.view());
            }).code(),
            ErrorCode::out_of_range)
      << "the other feature is no circle";
}

TEST(Cyclic, AFitOfManyRoundsIsThatOfOne) {
  const Rows rows = hours(400, 937);
  Rows moved = rows;
  // The smallest value stays, because a period begins at it.
  for (std::size_t r = 0; r < rows.count; ++r) moved.at(r, 0) += 24 * static_cast<double>(r % 5);
  const Model one = fit(rows.view(), rows.y, cyclic());
  const Model other = fit(moved.view(), moved.y, cyclic());
  const std::vector<double> before = predict(one, rows.view());
  const std::vector<double> after = predict(other, moved.view());
  for (std::size_t r = 0; r < rows.count; ++r) EXPECT_NEAR(before[r], after[r], 1e-4);
  // Ends that rounding puts just beyond the period.
  Rows tenths = rows;
  for (std::size_t r = 0; r < rows.count; ++r) tenths.at(r, 0) = 0.1 * (1 + std::fmod(rows.at(r, 0), 8));
  Options options;
  options.grown().periods = {0.7, 0};
  const Model narrow = fit(tenths.view(), tenths.y, options);
  const auto at = [&](double x) { return predict(narrow, Rows{1, 2, {x, 0.4}, {0}, {}}.view())[0]; };
  EXPECT_NEAR(at(0.1), at(0.8), 1e-10);
}

/// A table whose curves are all cyclic has fewer columns at first than the law expects of open ones.
TEST(Cyclic, NoOtherCurveIsNeeded) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t features = 1 + seed % 3;
    Rows rows = test::made_up_rows(60 + 20 * (seed % 7), features, 3000 + seed);
    test::Uniform uniform(4000 + seed);
    for (std::size_t r = 0; r < rows.count; ++r) {
      rows.y[r] = uniform.between(-1, 1) * std::pow(10.0, static_cast<double>(seed % 4) - 2);
      for (std::size_t j = 0; j < features; ++j)
        rows.y[r] += std::sin(2 * std::numbers::pi * rows.at(r, j) * static_cast<double>(1 + seed % 2));
    }
    Options options;
    options.grown().periods.assign(features, 1);
    options.grown().folds = seed % 10 == 0 ? 0 : 1;
    if (features == 3) {
      options.kinds.assign(3, FeatureKind::spline);
      options.kinds[2] = FeatureKind::category;
      options.levels = {0, 0, 3};
      options.grown().periods[2] = 0;
      for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 2) = std::floor(3 * rows.at(r, 2));
    }
    const Model model = fit(rows.view(), rows.y, options);
    ASSERT_TRUE(model.summary.additive) << seed;
    const Selection& found = *model.summary.additive;
    EXPECT_TRUE(std::isfinite(found.plug_in)) << seed;
    EXPECT_FALSE(found.certificate.empty()) << seed;
    for (const StageSummary& stage : model.summary.stages)
      EXPECT_FALSE(stage.lines && stage.columns > 1) << "circles are no lines, " << seed;
    for (const double y : predict(model, rows.view())) EXPECT_TRUE(std::isfinite(y));
    EXPECT_GT(model.summary.loo_r2(), seed % 4 == 3 ? -0.1 : 0.3) << seed;
  }
}

/// The cubic B-spline on the whole numbers 0 to 4, by its definition as differences of cubes.
test::Real cardinal(test::Real u) {
  if (!(u > 0 && u < 4)) return 0;
  const auto cube = [&](test::Real at) { return u > at ? (u - at) * (u - at) * (u - at) : 0; };
  return (cube(0) - 4 * cube(1) + 6 * cube(2) - 4 * cube(3) + cube(4)) / 6;
}

/// The functions of a circle of so many intervals at a position, round after round.
test::Vector periodic(test::Real position, int intervals) {
  test::Vector values;
  for (int i = 0; i < intervals; ++i) {
    values.push_back(0);
    for (int round = -5; round <= 5; ++round) values.back() += cardinal(position - i + 3 - round * intervals);
  }
  return values;
}

/// Least squares with bends penalised around the circle, by splines made by hand and elimination in long
/// double.
TEST(Cyclic, IsThePenalisedFitOfPeriodicSplines) {
  Rows rows = test::made_up_rows(150, 1, 951);
  test::Uniform uniform(952);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 0) *= 57;  // more than two rounds
    rows.y[r] = 3 + wave(rows.at(r, 0)) + uniform.between(-0.4, 0.4);
  }
  Options options;
  options.grown().periods = {24};
  const Model model = fit(rows.view(), rows.y, options);
  ASSERT_EQ(model.design.terms().size(), 1U);
  ASSERT_EQ(model.penalty_weights.size(), 1U);
  ASSERT_EQ(model.penalty_weights[0].size(), 1U);
  const int intervals = model.design.terms()[0].resolutions[0];
  const auto kept = static_cast<std::size_t>(intervals - 1);
  const double lowest = std::ranges::min(rows.x);
  const auto at = [&](double x) { return periodic((test::Real{x} - lowest) * intervals / 24, intervals); };
  test::Vector means(kept);
  for (const double x : rows.x)
    for (std::size_t i = 0; i < kept; ++i) means[i] += at(x)[i] / static_cast<test::Real>(rows.count);
  const auto columns = [&](double x) {
    test::Vector row{1};
    for (std::size_t i = 0; i < kept; ++i) row.push_back(at(x)[i] - means[i]);
    return row;
  };
  test::Matrix matrix(kept + 1, test::Vector(kept + 1));
  test::Vector right(kept + 1);
  for (std::size_t r = 0; r < rows.count; ++r) {
    const test::Vector row = columns(rows.x[r]);
    for (std::size_t i = 0; i <= kept; ++i) {
      right[i] += row[i] * rows.y[r];
      for (std::size_t j = 0; j <= kept; ++j) matrix[i][j] += row[i] * row[j];
    }
  }
  const auto g = static_cast<std::size_t>(intervals);
  for (std::size_t start = 0; start < g; ++start) {  // c_i - 2 c_(i+1) + c_(i+2), and the last one is zero
    test::Vector bend(g);
    bend[start] += 1;
    bend[(start + 1) % g] -= 2;
    bend[(start + 2) % g] += 1;
    for (std::size_t i = 0; i < kept; ++i)
      for (std::size_t j = 0; j < kept; ++j)
        matrix[i + 1][j + 1] += model.penalty_weights[0][0] * bend[i] * bend[j];
  }
  const test::Vector solution = test::solve_dense(matrix, right);
  for (double x = -30; x < 90; x += 1.37) {
    const double round = x - 24 * std::floor((x - lowest) / 24);
    EXPECT_NEAR(predict(model, Rows{1, 1, {x}, {0}, {}}.view())[0],
                static_cast<double>(test::dot(columns(round), solution)), 1e-6)
        << x;
  }
}

TEST(Cyclic, BandsCoverTheTruth) {
  constexpr int draws = 40;
  double covered = 0;
  double points = 0;
  for (int draw = 0; draw < draws; ++draw) {
    Rows rows = hours(200, 940 + 2 * static_cast<std::uint64_t>(draw));
    test::Uniform uniform(2000 + static_cast<std::uint64_t>(draw));
    for (std::size_t r = 0; r < rows.count; ++r)
      rows.y[r] = wave(rows.at(r, 0)) + rows.at(r, 1) + uniform.between(-1.5, 1.5);
    Options options = cyclic();
    options.grown().max_order = 1;
    options.grown().folds = 1;
    const Model model = fit(rows.view(), rows.y, options);
    double centre = 0;
    for (std::size_t r = 0; r < rows.count; ++r)
      centre += wave(rows.at(r, 0)) / static_cast<double>(rows.count);
    for (double hour = 0; hour < 24; hour += 1) {
      const double off =
          term_value(model, 0, std::array{hour}) - (wave(hour) - centre) - model.effects[0].mean;
      covered += std::abs(off) <= 1.96 * effect_error(decomposition(model), 0, std::array{hour}) ? 1 : 0;
      ++points;
    }
  }
  EXPECT_GT(covered / points, 0.9);
  EXPECT_LT(covered / points, 0.995);
}

TEST(Cyclic, ASingleFeatureMayBeLimited) {
  const Rows rows = hours(600, 931);
  Options options = cyclic();
  options.grown().max_resolutions = {5, 3};
  const Model model = fit(rows.view(), rows.y, options);
  for (const Term& term : model.design.terms())
    for (std::size_t c = 0; c < term.order(); ++c)
      EXPECT_LE(term.resolutions[c], term.features[c] == 0 ? 5 : 3);
}

TEST(Cyclic, WhatCannotBeIsRefused) {
  const Rows rows = hours(100, 933);
  const auto refusal = [&](std::vector<double> periods, std::vector<int> finest) {
    Options options;
    options.grown().periods = std::move(periods);
    options.grown().max_resolutions = std::move(finest);
    return test::error_of([&] { fit(rows.view(), rows.y, options); }).message().reason();
  };
  EXPECT_EQ(refusal({1e-9, 0}, {}), "period_too_short");
  EXPECT_EQ(refusal({24}, {}), "option_of_wrong_length");
  EXPECT_EQ(refusal({-1, 0}, {}), "bad_period");
  EXPECT_EQ(refusal({24, 0}, {2, 0}), "bad_max_resolution");
  EXPECT_EQ(refusal({}, {1}), "option_of_wrong_length");
  EXPECT_EQ(refusal({}, {-1, 0}), "bad_max_resolution");
}

}  // namespace
}  // namespace kore

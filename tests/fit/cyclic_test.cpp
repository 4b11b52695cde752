// Features that begin again: hours, months, directions of the wind.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "support/error_of.hpp"
#include "support/made_up_rows.hpp"
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
  EXPECT_NEAR(one.summary.loo, other.summary.loo, 1e-8);
  const std::vector<double> before = predict(one, rows.view());
  const std::vector<double> after = predict(other, turned.view());
  for (std::size_t r = 0; r < rows.count; ++r) EXPECT_NEAR(before[r], after[r], 1e-6);
}

TEST(Cyclic, AreTheSameInMemoryAndInPasses) {
  const Rows rows = hours(900, 925);
  Options options = cyclic();
  for (const std::size_t deciding : {5000, 400}) {
    options.grown().structure_rows = deciding;
    const Model kept = fit(rows.source(), options);
    const Model read = fit(test::StreamingSource(rows), options);
    EXPECT_EQ(to_bytes(kept), to_bytes(read));
    expect_closed(decomposition(read));
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
  EXPECT_EQ(refusal({12, 0}, {}), "values_beyond_period");
  EXPECT_EQ(refusal({24}, {}), "option_of_wrong_length");
  EXPECT_EQ(refusal({-1, 0}, {}), "bad_period");
  EXPECT_EQ(refusal({24, 0}, {2, 0}), "bad_max_resolution");
  EXPECT_EQ(refusal({}, {1}), "option_of_wrong_length");
  EXPECT_EQ(refusal({}, {-1, 0}), "bad_max_resolution");
}

}  // namespace
}  // namespace kore

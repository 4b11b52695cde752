// What a fit promises: weights, threads, streams, leave-one-out, scales.
#include "kore/fit.hpp"

#include <gtest/gtest.h>

#include "penalty/roughness.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/streaming_source.hpp"
#include "support/unpenalised_options.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;
using test::StreamingSource;

Options one_resolution(StructureChoice structure, Options options = {}) {
  options.structure = structure;
  options.max_resolution_additive = 1;
  options.max_resolution_pairwise = 1;
  return options;
}

void expect_close(const std::vector<double>& ours, const std::vector<double>& theirs, double tolerance) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], tolerance) << i;
}

/// Ridge and penalties as the fit was solved.
SmootherOptions solver_of(const Model& model) {
  SmootherOptions solver;
  solver.ridge = model.summary.ridge;
  solver.relative_ridge = model.summary.relative_ridge;
  for (std::size_t t = 0; t < model.penalty_weights.size(); ++t)
    solver.penalties.push_back({t, weighted_penalty(model.design, t, model.penalty_weights[t])});
  return solver;
}

TEST(Fit, IsTheDenseLeastSquaresFitWithItsPenalties) {
  Rows rows = made_up_rows(60, 2, 401);
  rows.weights = test::uneven_weights(rows.count, 402);
  for (const Options& profile : {Options{}, test::unpenalised_options(), Options::paper()})
    for (const StructureChoice structure : {StructureChoice::additive, StructureChoice::pairwise}) {
      const Model model = fit(rows.source(), one_resolution(structure, profile));
      const test::PressOracle oracle(model.design, rows.block(), solver_of(model));
      const test::Vector solution = oracle.solution();
      double loo = 0;
      double residuals = 0;
      double weight = 0;
      double parameters = 0;
      const std::vector<double> predictions = predict(model, rows.view());
      for (std::size_t r = 0; r < rows.count; ++r) {
        const auto fitted = static_cast<double>(test::dot(oracle.row(r), solution));
        EXPECT_NEAR(predictions[r], fitted, 1e-7);
        loo += rows.weights[r] * std::pow(oracle.loo_residual(r), 2);
        residuals += rows.weights[r] * std::pow(rows.y[r] - fitted, 2);
        weight += rows.weights[r];
        parameters += oracle.leverage(r);
      }
      EXPECT_EQ(model.summary.rows, rows.count);
      EXPECT_NEAR(model.summary.weight_sum, weight, 1e-12);
      EXPECT_NEAR(model.summary.loo / (loo / weight), 1, 1e-7);
      EXPECT_NEAR(model.summary.residual_variance / (residuals / weight), 1, 1e-7);
      EXPECT_NEAR(model.summary.parameters, parameters, 1e-6);
    }
}

TEST(Fit, TellsMeanAndVarianceOfTheTarget) {
  Rows rows = made_up_rows(300, 2, 403);
  rows.weights = test::uneven_weights(rows.count, 404);
  for (double& y : rows.y) y += 1e7;
  double weight = 0;
  double mean = 0;
  double squares = 0;
  for (std::size_t r = 0; r < rows.count; ++r) weight += rows.weights[r];
  for (std::size_t r = 0; r < rows.count; ++r) mean += rows.weights[r] * (rows.y[r] - 1e7) / weight;
  for (std::size_t r = 0; r < rows.count; ++r)
    squares += rows.weights[r] * std::pow(rows.y[r] - 1e7 - mean, 2);
  for (const Options& profile : {Options{}, Options::paper()}) {
    const Model model = fit(rows.source(), profile);
    EXPECT_NEAR(model.summary.target_mean, 1e7 + mean, 1e-6);
    EXPECT_NEAR(model.summary.target_variance / (squares / weight), 1, 1e-7);
    EXPECT_EQ(model.summary.loo_r2(), 1 - model.summary.loo / model.summary.target_variance);
  }
}

TEST(Fit, UnderWeightsEqualsThatOfRepeatedRows) {
  Rows rows = made_up_rows(80, 3, 405);
  std::vector<std::size_t> repeated;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::size_t copies = r % 4;  // some rows not at all
    rows.weights.push_back(static_cast<double>(copies));
    for (std::size_t copy = 0; copy < copies; ++copy) repeated.push_back(r);
  }
  Rows expanded = rows.pick(repeated);
  expanded.weights.clear();
  for (const StructureChoice structure : {StructureChoice::additive, StructureChoice::pairwise}) {
    const Model weighted = fit(rows.source(), one_resolution(structure, test::unpenalised_options()));
    const Model plain = fit(expanded.source(), one_resolution(structure, test::unpenalised_options()));
    EXPECT_EQ(weighted.summary.weight_sum, plain.summary.weight_sum);
    EXPECT_NEAR(weighted.summary.residual_variance / plain.summary.residual_variance, 1, 1e-8);
    EXPECT_NEAR(weighted.summary.parameters, plain.summary.parameters, 1e-7);
    EXPECT_NEAR(weighted.effects[0].variance / plain.effects[0].variance, 1, 1e-8);
    expect_close(predict(weighted, rows.view()), predict(plain, rows.view()), 1e-7);
  }
}

TEST(Fit, SolvesForTheSamePenaltiesUnderWeightsAndOfRepeatedRows) {
  // Interactions are found by leave-one-out, which leaves a row of weight 2 at once and its copies one by
  // one.
  Rows rows = made_up_rows(150, 2, 418, 0.5);
  std::vector<std::size_t> repeated;
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.weights.push_back(static_cast<double>(r % 3));
    for (std::size_t copy = 0; copy < r % 3; ++copy) repeated.push_back(r);
  }
  Rows expanded = rows.pick(repeated);
  expanded.weights.clear();
  const Model weighted = fit(rows.source(), one_resolution(StructureChoice::additive));
  const Model plain = fit(expanded.source(), one_resolution(StructureChoice::additive));
  ASSERT_FALSE(plain.penalty_weights.empty());
  ASSERT_EQ(weighted.penalty_weights.size(), plain.penalty_weights.size());
  for (std::size_t t = 0; t < plain.penalty_weights.size(); ++t)
    for (std::size_t k = 0; k < plain.penalty_weights[t].size(); ++k)
      EXPECT_NEAR(weighted.penalty_weights[t][k] / plain.penalty_weights[t][k], 1, 1e-6);
  EXPECT_NEAR(weighted.summary.noise_variance / plain.summary.noise_variance, 1, 1e-8);
  EXPECT_NEAR(weighted.summary.residual_variance / plain.summary.residual_variance, 1, 1e-8);
  EXPECT_NEAR(weighted.summary.parameters, plain.summary.parameters, 1e-7);
  expect_close(predict(weighted, rows.view()), predict(plain, rows.view()), 1e-7);
}

TEST(Fit, PassesOverRowsOfZeroWeight) {
  Rows rows = made_up_rows(200, 2, 406);
  rows.weights.assign(rows.count, 1.0);
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < rows.count; ++r) {
    if (r % 5 == 0) {
      rows.weights[r] = 0;
      rows.y[r] = 1e6;
      rows.at(r, 0) = 50;
    } else {
      kept.push_back(r);
    }
  }
  const Rows fewer = rows.pick(kept);
  const Model with = fit(rows.source());
  const Model without = fit(fewer.source());
  EXPECT_EQ(with.summary.resolution, without.summary.resolution);
  EXPECT_NEAR(with.summary.loo / without.summary.loo, 1, 1e-7);
  EXPECT_EQ(with.design.features()[0].range.highest, without.design.features()[0].range.highest);
  expect_close(predict(with, fewer.view()), predict(without, fewer.view()), 1e-7);
}

TEST(Fit, GivesTheSameModelToTheByteOnAnyNumberOfThreads) {
  Rows rows = made_up_rows(6000, 4, 407);
  rows.weights = test::uneven_weights(rows.count, 408);
  for (const PairChoice choice : {PairChoice::all, PairChoice::discover}) {
    std::vector<std::vector<std::byte>> models;
    for (const int threads : {1, 2, 4}) {
      Options options;
      options.threads = threads;
      options.pair_choice = choice;
      options.max_resolution_pairwise = 3;
      models.push_back(to_bytes(fit(rows.source(), options)));
    }
    EXPECT_TRUE(models[1] == models[0]) << "2 threads";
    EXPECT_TRUE(models[2] == models[0]) << "4 threads";
  }
}

TEST(Fit, OfAStreamIsThatOfMemory) {
  Rows rows = made_up_rows(1200, 3, 409);
  rows.weights = test::uneven_weights(rows.count, 410);
  for (const Options& profile : {Options{}, Options::paper()}) {
    Options options = profile;
    options.pair_choice = PairChoice::discover;
    const StreamingSource stream(rows);
    const Model streamed = fit(stream, options);
    const Model in_memory = fit(rows.source(), options);
    EXPECT_EQ(streamed.summary.structure, in_memory.summary.structure);
    EXPECT_EQ(streamed.summary.resolution, in_memory.summary.resolution);
    EXPECT_EQ(streamed.summary.fits, in_memory.summary.fits);
    EXPECT_EQ(streamed.summary.pairs, in_memory.summary.pairs);
    EXPECT_NEAR(streamed.summary.loo / in_memory.summary.loo, 1, 1e-9);
    EXPECT_NEAR(streamed.summary.signal_score / in_memory.summary.signal_score, 1, 1e-9);
    expect_close(streamed.coefficients, in_memory.coefficients,
                 1e-6);  // a nearly flat direction is free to wander
    expect_close(predict(streamed, rows.view()), predict(in_memory, rows.view()), 1e-9);
  }
}

TEST(Fit, ReadsALongStreamForTheStructureTheFitAndTheIntervals) {
  const Rows rows = made_up_rows(1200, 3, 411);
  Options options;
  const StreamingSource whole(rows);
  fit(whole, options);
  EXPECT_EQ(whole.passes(), 1);  // ranges and the rows themselves
  options.grown().structure_rows = 100;
  const StreamingSource with_refinement(rows);
  fit(with_refinement, options);
  // As below, and up to three rounds of finer interactions, each of which is a fit.
  EXPECT_LE(with_refinement.passes(), 4 + 3 * 3);
  options.max_resolution_pairwise = 1;  // no interaction may become finer
  const StreamingSource with_intervals(rows);
  const Model model = fit(with_intervals, options);
  EXPECT_EQ(model.summary.structure_rows, 100U);
  EXPECT_GE(model.summary.fits, 5);
  // Ranges and sample; sums, with a pass for means before them where dense rows are cheaper; leave-one-out.
  // The referee needs none: rows of the same sample judge.
  EXPECT_LE(with_intervals.passes(), 4);
  options.intervals = false;
  const StreamingSource without_intervals(rows);
  fit(without_intervals, options);
  EXPECT_EQ(without_intervals.passes(), with_intervals.passes());
}

TEST(Fit, ReadsAStreamOnceForEveryStepAndNotForEveryFit) {
  const Rows rows = made_up_rows(1200, 2, 411);
  Options options = test::unpenalised_options();
  options.structure = StructureChoice::additive;
  options.intervals = false;
  const StreamingSource stream(rows);
  const Model model = fit(stream, options);
  ASSERT_FALSE(model.summary.additive->bridged);
  EXPECT_GE(model.summary.fits, 5);
  EXPECT_EQ(stream.passes(),
            5);  // ranges; both pilots; the certificate, each of the latter with its residuals
  options.intervals = true;
  const StreamingSource again(rows);
  fit(again, options);
  EXPECT_EQ(again.passes(), 5);  // the quantiles come from the residuals of the certificate
}

TEST(LooResiduals, HaveTheMeanSquareOfTheSummary) {
  Rows rows = made_up_rows(300, 3, 412);
  rows.weights = test::uneven_weights(rows.count, 413);
  const StreamingSource stream(rows);
  const MemorySource memory = rows.source();
  for (const Options& profile : {Options{}, Options::paper()})
    for (const StructureChoice structure : {StructureChoice::additive, StructureChoice::pairwise}) {
      Options options = profile;
      options.structure = structure;
      const Model model = model_from_bytes(to_bytes(fit(rows.source(), options)));
      for (const RowSource* source :
           {static_cast<const RowSource*>(&stream), static_cast<const RowSource*>(&memory)}) {
        const std::vector<double> residuals = loo_residuals(*source, model, 2);
        ASSERT_EQ(residuals.size(), rows.count);
        double squares = 0;
        for (std::size_t r = 0; r < rows.count; ++r) squares += rows.weights[r] * residuals[r] * residuals[r];
        EXPECT_NEAR(squares / model.summary.weight_sum / model.summary.loo, 1, 1e-8);
      }
    }
}

TEST(LooResiduals, AreThoseOfFitsWithoutEachRow) {
  const Rows rows = made_up_rows(50, 2, 414);
  for (const Options& profile : {Options{}, test::unpenalised_options()}) {
    const Model model = fit(rows.view(), rows.y, one_resolution(StructureChoice::pairwise, profile));
    const test::PressOracle oracle(model.design, rows.block(), solver_of(model));
    expect_close(loo_residuals(rows.source(), model), oracle.loo_residuals(), 1e-7);
  }
}

TEST(Fit, DoesNotDependOnTheScaleOfTheFeatures) {
  const Rows rows = made_up_rows(250, 2, 415);
  for (const Options& profile : {Options{}, Options::paper()}) {
    const Model plain = fit(rows.view(), rows.y, profile);
    const std::vector<double> expected = predict(plain, rows.view());
    for (const double scale : {1e-300, 1e-150, 1e-12, 1e12, 1e150, 1e300}) {
      SCOPED_TRACE(scale);
      Rows scaled = rows;
      for (std::size_t r = 0; r < rows.count; ++r) scaled.at(r, 0) *= scale;
      const Model model = fit(scaled.view(), scaled.y, profile);
      EXPECT_EQ(model.summary.resolution, plain.summary.resolution);
      EXPECT_EQ(model.summary.structure, plain.summary.structure);
      EXPECT_NEAR(model.summary.loo / plain.summary.loo, 1, 1e-7);
      expect_close(predict(model, scaled.view()), expected, 1e-6);
    }
    Rows opposite = rows;  // the widest range there is
    for (std::size_t r = 0; r < rows.count; ++r) opposite.at(r, 0) = 1e300 * (2 * rows.at(r, 0) - 1);
    expect_close(predict(fit(opposite.view(), opposite.y, profile), opposite.view()), expected, 1e-6);
  }
}

TEST(Fit, DoesNotDependOnTheUnitOfTheTarget) {
  const Rows rows = made_up_rows(250, 2, 416);
  for (const Options& profile : {Options{}, Options::paper()}) {
    const Model plain = fit(rows.view(), rows.y, profile);
    const std::vector<double> expected = predict(plain, rows.view());
    for (const double unit : {1e-149, 1e-70, 1e-6, 1e6, 1e70, 1e148}) {
      SCOPED_TRACE(unit);
      Rows scaled = rows;
      for (double& y : scaled.y) y *= unit;
      const Model model = fit(scaled.view(), scaled.y, profile);
      EXPECT_EQ(model.summary.resolution, plain.summary.resolution);
      EXPECT_EQ(model.summary.structure, plain.summary.structure);
      EXPECT_NEAR(std::sqrt(model.summary.loo) / unit / std::sqrt(plain.summary.loo), 1, 1e-8);
      EXPECT_NEAR(model.effects[0].share, plain.effects[0].share, 1e-8);
      std::vector<double> predictions = predict(model, scaled.view());
      for (double& value : predictions) value /= unit;
      expect_close(predictions, expected, 1e-8);
    }
  }
}

TEST(Fit, DoesNotDependOnTheOriginOfTheTarget) {
  const Rows rows = made_up_rows(250, 2, 417);
  const Model plain = fit(rows.view(), rows.y);
  const std::vector<double> expected = predict(plain, rows.view());
  for (const double origin : {-1e3, 1e6, 1e9}) {
    SCOPED_TRACE(origin);
    Rows moved = rows;
    for (double& y : moved.y) y += origin;
    const Model model = fit(moved.view(), moved.y);
    EXPECT_EQ(model.summary.resolution, plain.summary.resolution);
    EXPECT_NEAR(model.summary.loo / plain.summary.loo, 1, 1e-5);
    EXPECT_NEAR(model.effects[0].share, plain.effects[0].share, 1e-5);
    std::vector<double> predictions = predict(model, moved.view());
    for (double& value : predictions) value -= origin;
    expect_close(predictions, expected, 1e-6);
  }
}

}  // namespace
}  // namespace kore

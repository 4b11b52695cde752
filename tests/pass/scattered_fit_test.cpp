// Fits to rows that only tasks can reach, against fits to the same rows in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kore/fit.hpp"
#include "support/mixed_design.hpp"
#include "support/refusal.hpp"
#include "support/scattered_source.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;
using test::ScatteredSource;

Rows weighted(Rows rows) {
  rows.weights = test::uneven_weights(rows.count, 12);
  rows.weights[3] = 0;
  return rows;
}

void expect_same_terms(const Design& ours, const Design& theirs) {
  ASSERT_EQ(ours.terms().size(), theirs.terms().size());
  for (std::size_t t = 0; t < ours.terms().size(); ++t) {
    EXPECT_EQ(ours.terms()[t].features, theirs.terms()[t].features);
    EXPECT_EQ(ours.terms()[t].resolutions, theirs.terms()[t].resolutions);
  }
}

double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

/// Largest difference of two vectors of coefficients, relative to the largest coefficient.
double distance(const std::vector<double>& ours, const std::vector<double>& theirs) {
  std::vector<double> gaps = ours;
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] -= theirs.at(i);
  return largest(gaps) / largest(theirs);
}

/// The same choices, and coefficients within `tolerance` of the largest.
void expect_same_model(const Model& ours, const Model& theirs, double tolerance) {
  EXPECT_EQ(ours.summary.structure, theirs.summary.structure);
  EXPECT_EQ(ours.summary.resolution, theirs.summary.resolution);
  EXPECT_EQ(ours.summary.fits, theirs.summary.fits);
  EXPECT_EQ(ours.summary.pairs, theirs.summary.pairs);
  EXPECT_EQ(ours.summary.rows, theirs.summary.rows);
  expect_same_terms(ours.design, theirs.design);
  ASSERT_EQ(ours.coefficients.size(), theirs.coefficients.size());
  EXPECT_LE(distance(ours.coefficients, theirs.coefficients), tolerance);
  const double scale = std::max(largest(theirs.coefficients), std::abs(theirs.intercept));
  EXPECT_NEAR(ours.intercept, theirs.intercept, tolerance * scale);
  EXPECT_NEAR(ours.summary.loo, theirs.summary.loo, 1e-10 * theirs.summary.loo);
  ASSERT_EQ(ours.residual_quantiles.size(), theirs.residual_quantiles.size());
  for (std::size_t i = 0; i < ours.residual_quantiles.size(); ++i)
    ASSERT_NEAR(ours.residual_quantiles[i], theirs.residual_quantiles[i],
                1e-9 * largest(theirs.residual_quantiles));
}

std::vector<double> predictions(const Model& model, const Rows& rows) { return predict(model, rows.view()); }

std::vector<std::string> expect_same_fit(const Rows& rows, const Options& options, double tolerance = 1e-10) {
  const ScatteredSource scattered(rows);
  const Model there = fit(scattered, options);
  const Model here = fit(rows.source(), options);
  expect_same_model(there, here, tolerance);
  EXPECT_LE(distance(predictions(there, rows), predictions(here, rows)), 1e-10);
  return scattered.kinds();
}

/// Products without penalty are so nearly dependent that the mere order of the rows, on one machine, moves
/// their coefficients by 1e-10 (and predictions by a hundredth of that). No sum over parts can do better.
double moved_by_order(const Rows& rows, const Options& options) {
  std::vector<std::size_t> order(rows.count);
  for (std::size_t r = 0; r < rows.count; ++r) order[r] = rows.count - 1 - r;
  const Rows reversed = rows.pick(order);
  const double moved =
      distance(fit(reversed.source(), options).coefficients, fit(rows.source(), options).coefficients);
  EXPECT_LT(moved, 1e-9);
  return std::max(1e-10, 3 * moved);
}

std::vector<std::string> expect_same_pairwise_fit(const Rows& rows, const Options& options) {
  return expect_same_fit(rows, options, moved_by_order(rows, options));
}

Options paper(StructureChoice structure) {
  Options options = Options::paper();
  options.structure = structure;
  return options;
}

Options grown(StructureChoice structure, std::size_t structure_rows) {
  Options options;
  options.structure = structure;
  options.grown().structure_rows = structure_rows;
  return options;
}

bool contains(const std::vector<std::string>& kinds, const char* kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

TEST(ScatteredRows, GiveThePapersAdditiveModel) {
  expect_same_fit(made_up_rows(1200, 4, 1), paper(StructureChoice::additive));
  expect_same_fit(weighted(made_up_rows(1200, 4, 2)), paper(StructureChoice::additive));
}

TEST(ScatteredRows, GiveThePapersPairwiseModel) {
  expect_same_pairwise_fit(made_up_rows(1500, 3, 3), paper(StructureChoice::pairwise));
  expect_same_pairwise_fit(weighted(made_up_rows(1500, 3, 4)), paper(StructureChoice::automatic));
}

TEST(ScatteredRows, AreScreenedForPairs) {
  Options options = paper(StructureChoice::automatic);
  options.pair_choice = PairChoice::discover;
  const auto kinds = expect_same_pairwise_fit(weighted(made_up_rows(1500, 5, 5)), options);
  EXPECT_TRUE(contains(kinds, "residual products"));
}

TEST(ScatteredRows, GrowTheModelOfTheDefaultProfile) {
  const auto kinds = expect_same_fit(made_up_rows(900, 3, 6), grown(StructureChoice::automatic, 5000));
  EXPECT_EQ(kinds, (std::vector<std::string>{"survey"}));
}

TEST(ScatteredRows, GrowFromTheSameSampleAndAreAllFitted) {
  for (const StructureChoice structure : {StructureChoice::additive, StructureChoice::automatic}) {
    const auto kinds = expect_same_fit(weighted(made_up_rows(2500, 3, 7)), grown(structure, 600));
    EXPECT_TRUE(contains(kinds, "survey"));
    EXPECT_TRUE(contains(kinds, "press"));
  }
  expect_same_fit(made_up_rows(2500, 3, 8), grown(StructureChoice::pairwise, 600));
}

/// A curve, a straight line, a column that says nothing and now and then a product: penalties of effects that
/// are not there run off to infinity, where only rounding would be left to tell them when to stop.
Rows straight_and_idle_rows(std::uint64_t seed) {
  Rows rows = made_up_rows(3000, 4, seed);
  test::Uniform noise(seed + 1);
  for (std::size_t r = 0; r < rows.count; ++r) {
    const double product = seed % 2 == 0 ? rows.at(r, 0) * rows.at(r, 2) : 0;
    rows.y[r] = 100 + std::sin(6 * rows.at(r, 0)) + rows.at(r, 1) + product + noise.between(-0.5, 0.5);
  }
  return rows;
}

TEST(ScatteredRows, AreWeighedWhereTheyAreUnderTheRobustLoss) {
  for (const std::size_t count : {500U, 3000U}) {
    Rows rows = weighted(made_up_rows(count, 3, 17));
    for (std::size_t r = 5; r < count; r += 60) rows.y[r] += 20;
    Options options;
    options.grown().loss = Loss::robust;
    options.grown().structure_rows = 1000;
    expect_same_fit(rows, options, 1e-9);
  }
}

TEST(ScatteredRows, GrowTheSameModelWhereEffectsAreStraightOrNotThere) {
  for (std::uint64_t seed = 20; seed < 26; ++seed) {
    SCOPED_TRACE(seed);
    expect_same_fit(straight_and_idle_rows(seed),
                    grown(StructureChoice::automatic, seed % 3 == 0 ? 600 : 1500));
  }
}

TEST(ScatteredRows, MayHoldCategories) {
  Options options = grown(StructureChoice::automatic, 700);
  const Design design = test::mixed_design(3);
  for (const Feature& feature : design.features()) {
    options.kinds.push_back(feature.kind);
    options.levels.push_back(feature.levels);
  }
  expect_same_fit(weighted(test::mixed_rows(2200, 9)), options);
}

TEST(ScatteredRows, OfAConstantTargetGiveTheConstant) {
  Rows rows = made_up_rows(900, 2, 10);
  std::ranges::fill(rows.y, 3.0);
  EXPECT_EQ(fit(ScatteredSource(rows), Options{}).intercept, 3.0);
}

TEST(ScatteredRows, ThatNoFitCanUseAreRefusedWhereTheyAre) {
  Rows rows = made_up_rows(900, 2, 11);
  rows.at(800, 1) = std::nan("");
  const ScatteredSource scattered(rows);
  const std::string sentence = test::refusal(ErrorCode::invalid_data, [&] { fit(scattered, Options{}); });
  EXPECT_NE(sentence.find("In column 1"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace kore

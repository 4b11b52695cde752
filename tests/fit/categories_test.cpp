// Categories from the options to the prediction.
#include <gtest/gtest.h>

#include <map>

#include "kore/fit.hpp"
#include "kore/ladder.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"
#include "support/unpenalised_options.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

/// A category of four levels in the first column, whose effect no curve could follow, and a spline whose
/// slope depends on it.
Rows rows_with_category(std::size_t count, std::uint64_t seed) {
  Rows rows = made_up_rows(count, 2, seed);
  constexpr std::array effect{3.0, -2.0, 5.0, 0.0};
  test::Uniform noise(seed + 1);
  for (std::size_t r = 0; r < count; ++r) {
    const double level = std::floor(4 * rows.at(r, 0));
    rows.at(r, 0) = level;
    rows.y[r] = effect[static_cast<std::size_t>(level)] + std::sin(4 * rows.at(r, 1)) +
                (level == 2 ? 3 * rows.at(r, 1) : 0) + 0.1 * noise.between(-1, 1);
  }
  return rows;
}

Options with_category(int levels) {
  Options options;
  options.kinds = {FeatureKind::category, FeatureKind::spline};
  options.levels = {levels, 0};
  return options;
}

TEST(Category, AloneGivesTheMeansOfItsLevels) {
  Rows rows = rows_with_category(300, 601);
  rows.weights = test::uneven_weights(rows.count, 602);
  Rows alone{rows.count, 1, rows.column(0), rows.y, rows.weights};
  std::map<double, std::pair<double, double>> sums;
  for (std::size_t r = 0; r < rows.count; ++r) {
    sums[rows.at(r, 0)].first += rows.weights[r] * rows.y[r];
    sums[rows.at(r, 0)].second += rows.weights[r];
  }
  for (const bool penalise : {false, true})
    for (const int levels : {4, 5}) {  // with and without a level that nobody has seen
      Options options = penalise ? Options{} : test::unpenalised_options();
      options.kinds = {FeatureKind::category};
      options.levels = {levels};
      const Model model = fit(alone.source(), options);
      const std::vector<double> predicted = predict(model, alone.view());
      for (std::size_t r = 0; r < rows.count; ++r) {
        const auto& [sum, weight] = sums[rows.at(r, 0)];
        // A penalty draws them together, by the noise of a mean over the spread of all: 0.4 / 75 / 10.
        EXPECT_NEAR(predicted[r], sum / weight, penalise ? 2e-3 : 1e-6);
      }
      const std::vector<double> unseen{17};
      const double last = predict(model, MatrixView::column_major(unseen, 1, 1))[0];
      EXPECT_GT(last, -2);
      EXPECT_LT(last, 6);
    }
}

TEST(Category, OfManyRareLevelsIsDrawnToTheMean) {
  // Sixty levels of five rows each whose means are nothing but noise.
  Rows rows = made_up_rows(300, 1, 608);
  test::Uniform uniform(609);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 0) = static_cast<double>(r % 60);
    rows.y[r] = uniform.between(-1, 1);
  }
  Options options;
  options.kinds = {FeatureKind::category};
  options.levels = {60};
  const Model model = fit(rows.source(), options);
  EXPECT_LT(model.summary.loo, 1.01 * model.summary.target_variance);
  EXPECT_LT(model.summary.parameters, 10);
  EXPECT_GT(fit(rows.source(), test::unpenalised(options)).summary.loo, 1.1 * model.summary.target_variance);
}

TEST(Category, HasItsOwnCurvesInAPair) {
  const Rows rows = rows_with_category(600, 603);
  const Model model = fit(rows.source(), with_category(4));
  EXPECT_EQ(model.summary.structure, Structure::pairwise);
  EXPECT_GT(model.summary.loo_r2(), 0.998);
  const std::vector<double> points{2, 2, 1, 1, 0.1, 0.9, 0.1, 0.9};
  const std::vector<double> predicted = predict(model, MatrixView::column_major(points, 4, 2));
  const double common = std::sin(3.6) - std::sin(0.4);
  EXPECT_NEAR(predicted[1] - predicted[0], common + 2.4, 0.1);
  EXPECT_NEAR(predicted[3] - predicted[2], common, 0.1);
}

TEST(Category, IsDiagnosedAgainstLinesAndItsOwnLevels) {
  // Straight lines beside the category are all there is: nothing is gained over them.
  Rows rows = rows_with_category(600, 604);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = (rows.at(r, 0) == 1 ? 4 : 0) + rows.at(r, 1) + 0.1 * std::sin(1e4 * rows.at(r, 1));
  const Diagnosis diagnosis = diagnose(rows.source(), with_category(4));
  EXPECT_GT(diagnosis.summary.loo_r2(), 0.99);
  EXPECT_LT(diagnosis.lift_over_linear, 0.01);
}

TEST(Category, IsCrossValidated) {
  const Rows rows = rows_with_category(300, 605);
  LadderOptions options;
  options.max_resolution_additive = options.max_resolution_pairwise = 2;
  options.kinds = {FeatureKind::category, FeatureKind::spline};
  options.levels = {4, 0};
  const LadderChoice choice = cross_validate(rows.block(), all_pairs(2), options);
  EXPECT_EQ(choice.structure, Structure::pairwise);
  EXPECT_LT(choice.score, 0.01);
  options.levels = {4};
  EXPECT_EQ(test::refusal(ErrorCode::invalid_argument, [&] { cross_validate(rows.block(), {}, options); }),
            "There are 1 numbers of levels for 2 features; give one for each, or none.");
}

TEST(Category, NeedsItsNumberOfLevels) {
  const Rows rows = rows_with_category(60, 606);
  EXPECT_EQ(test::refusal(ErrorCode::invalid_argument,
                          [&] {
                            fit(rows.source(), with_category(0), {{"kind", "x"}, "y"});
                          }),
            "The category 'kind' has 0 levels; it must have between 1 and 1000000.");
}

TEST(Category, OfOneLevelIsAConstant) {
  const Rows rows = rows_with_category(200, 607);
  const Model model = fit(rows.source(), with_category(1));
  Rows alone{rows.count, 1, rows.column(1), rows.y, {}};
  const Model without = fit(alone.source());
  const std::vector<double> ours = predict(model, rows.view());
  const std::vector<double> theirs = predict(without, alone.view());
  for (std::size_t r = 0; r < rows.count; ++r) EXPECT_NEAR(ours[r], theirs[r], 1e-9);
}

}  // namespace
}  // namespace kore

// What the default profile promises about its predictions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/noisy_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;
using test::rows_of;
using test::StreamingSource;

double rmse(const std::vector<double>& predicted, const Rows& rows) {
  double squares = 0;
  for (std::size_t r = 0; r < rows.count; ++r) squares += std::pow(predicted[r] - rows.y[r], 2);
  return std::sqrt(squares / static_cast<double>(rows.count));
}

/// Ordinary least squares by elimination.
std::vector<double> least_squares_predictions(const Rows& train, const Rows& test) {
  const std::size_t p = train.columns + 1;
  test::Matrix matrix(p, test::Vector(p));
  test::Vector right(p);
  const auto value = [](const Rows& rows, std::size_t r, std::size_t i) {
    return i == 0 ? 1.0 : rows.at(r, i - 1);
  };
  for (std::size_t r = 0; r < train.count; ++r)
    for (std::size_t i = 0; i < p; ++i) {
      right[i] += value(train, r, i) * train.y[r];
      for (std::size_t j = 0; j < p; ++j) matrix[i][j] += value(train, r, i) * value(train, r, j);
    }
  const test::Vector solution = test::solve_dense(matrix, right);
  std::vector<double> predictions;
  for (std::size_t r = 0; r < test.count; ++r) {
    test::Real sum = 0;
    for (std::size_t i = 0; i < p; ++i) sum += solution[i] * value(test, r, i);
    predictions.push_back(static_cast<double>(sum));
  }
  return predictions;
}

double smooth(const auto& x) { return std::sin(5 * x(0)) + 2 * (x(1) - 0.5) * (x(2) - 0.5) + x(3) * x(3); }

TEST(DefaultProfile, OfLinearDataIsAsGoodAsLeastSquares) {
  const auto line = [](const auto& x) {
    double sum = 0;
    for (std::size_t j = 0; j < 48; ++j) sum += std::cos(static_cast<double>(j)) * x(j);
    return sum;
  };
  for (const std::uint64_t seed : {851U, 861U, 871U}) {
    const Rows train = rows_of(1000, 48, seed, 0.5, line);
    const Rows test = rows_of(2000, 48, seed + 2, 0.5, line);
    const Model model = fit(train.source());
    EXPECT_LT(rmse(predict(model, test.view()), test),
              1.01 * rmse(least_squares_predictions(train, test), test))
        << "seed " << seed;
  }
}

TEST(DefaultProfile, OfPureNoiseIsAsGoodAsTheMean) {
  for (const std::size_t columns : {3U, 10U})
    for (const std::uint64_t seed : {853U, 863U, 873U}) {
      const auto nothing = [](const auto&) { return 1.0; };
      const Rows train = rows_of(500, columns, seed, 1, nothing);
      const Rows test = rows_of(4000, columns, seed + 2, 1, nothing);
      const Model model = fit(train.source());
      EXPECT_LT(rmse(predict(model, test.view()), test),
                1.01 * rmse(std::vector<double>(test.count, model.summary.target_mean), test))
          << columns << " columns, seed " << seed;
    }
}

TEST(DefaultProfile, IsNotHurtByADuplicatedOrUselessColumns) {
  for (const std::uint64_t seed : {855U, 865U}) {
    Rows train = rows_of(800, 4, seed, 0.2, [](const auto& x) { return smooth(x); });
    Rows test = rows_of(4000, 4, seed + 2, 0.2, [](const auto& x) { return smooth(x); });
    const double plain = rmse(predict(fit(train.source()), test.view()), test);
    const Rows twice = train.with_column(4, train.column(0));
    const Rows test_twice = test.with_column(4, test.column(0));
    EXPECT_NEAR(rmse(predict(fit(twice.source()), test_twice.view()), test) / plain, 1, 0.02)
        << "a duplicate, seed " << seed;
    test::Uniform uniform(seed + 3);
    for (int useless = 0; useless < 10; ++useless)
      for (Rows* rows : {&train, &test}) {
        std::vector<double> column(rows->count);
        for (double& value : column) value = uniform();
        *rows = rows->with_column(rows->columns, column);
      }
    EXPECT_NEAR(rmse(predict(fit(train.source()), test.view()), test) / plain, 1, 0.02)
        << "ten useless columns, seed " << seed;
  }
}

TEST(DefaultProfile, OfASampleOfTheRowsIsNearlyThatOfAll) {
  const Rows train = rows_of(6000, 4, 857, 0.3, [](const auto& x) { return smooth(x); });
  const Rows test = rows_of(4000, 4, 859, 0.3, [](const auto& x) { return smooth(x); });
  const double all = rmse(predict(fit(train.source()), test.view()), test);
  Options options;
  options.grown().structure_rows = 1000;
  const Model model = fit(train.source(), options);
  EXPECT_EQ(model.summary.structure_rows, 1000U);
  EXPECT_EQ(model.summary.rows, 6000U);
  EXPECT_NEAR(rmse(predict(model, test.view()), test) / all, 1, 0.01);
  EXPECT_NEAR(model.summary.loo, 0.09, 0.01);
}

TEST(DefaultProfile, GivesTheSameBytesOnAnyNumberOfThreads) {
  Rows rows = made_up_rows(2500, 4, 881, 0.2);
  rows.weights = test::uneven_weights(rows.count, 882);
  for (const std::size_t structure_rows : {20000U, 500U}) {
    Options options;
    options.grown().structure_rows = structure_rows;
    options.threads = 1;
    const std::vector<std::byte> alone = to_bytes(fit(rows.source(), options));
    for (const int threads : {2, 4}) {
      options.threads = threads;
      EXPECT_TRUE(to_bytes(fit(rows.source(), options)) == alone)
          << threads << " threads, structure from " << structure_rows;
    }
  }
}

TEST(DefaultProfile, OfAStreamIsThatOfMemory) {
  Rows rows = made_up_rows(2500, 4, 881, 0.2);
  rows.weights = test::uneven_weights(rows.count, 882);
  const StreamingSource stream(rows);
  EXPECT_TRUE(to_bytes(fit(stream)) == to_bytes(fit(rows.source())));
  // Of more rows than decide on the structure, sums run over the blocks as they come: equal but for rounding.
  Options options;
  options.grown().structure_rows = 500;
  const Model streamed = fit(stream, options);
  const Model in_memory = fit(rows.source(), options);
  EXPECT_EQ(streamed.summary.pairs, in_memory.summary.pairs);
  EXPECT_NEAR(streamed.summary.loo / in_memory.summary.loo, 1, 1e-9);
  const std::vector<double> ours = predict(streamed, rows.view());
  const std::vector<double> theirs = predict(in_memory, rows.view());
  for (std::size_t r = 0; r < rows.count; ++r) ASSERT_NEAR(ours[r], theirs[r], 1e-8);
}

void expect_same(const std::optional<Selection>& ours, const std::optional<Selection>& theirs) {
  ASSERT_EQ(ours.has_value(), theirs.has_value());
  if (!ours) return;
  EXPECT_EQ(ours->plug_in, theirs->plug_in);
  EXPECT_EQ(ours->plug_in_low, theirs->plug_in_low);
  EXPECT_EQ(ours->plug_in_high, theirs->plug_in_high);
  EXPECT_EQ(ours->pilots, theirs->pilots);
}

TEST(DefaultProfile, KeepsEverythingItHasLearnedInItsFile) {
  const Rows rows = made_up_rows(500, 3, 883, 0.2);
  const Model model = fit(rows.source());
  const Model back = model_from_bytes(to_bytes(model));
  ASSERT_FALSE(model.penalty_weights.empty());
  ASSERT_FALSE(model.summary.screened.empty());
  ASSERT_FALSE(model.effects[0].covariance.empty());
  ASSERT_GT(model.summary.additive->plug_in_high, 0);
  EXPECT_EQ(back.penalty_weights, model.penalty_weights);
  ASSERT_EQ(back.effects.size(), model.effects.size());
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    EXPECT_EQ(back.effects[t].covariance, model.effects[t].covariance);
  ASSERT_EQ(back.summary.stages.size(), model.summary.stages.size());
  for (std::size_t i = 0; i < model.summary.stages.size(); ++i) {
    const StageSummary& ours = model.summary.stages[i];
    const StageSummary& theirs = back.summary.stages[i];
    EXPECT_EQ(std::tie(theirs.structure, theirs.penalised, theirs.terms, theirs.columns, theirs.parameters,
                       theirs.loo, theirs.price, theirs.chosen),
              std::tie(ours.structure, ours.penalised, ours.terms, ours.columns, ours.parameters, ours.loo,
                       ours.price, ours.chosen));
    EXPECT_GE(ours.price, 0);
  }
  ASSERT_EQ(back.summary.screened.size(), model.summary.screened.size());
  for (std::size_t i = 0; i < model.summary.screened.size(); ++i) {
    EXPECT_EQ(back.summary.screened[i].features, model.summary.screened[i].features);
    EXPECT_EQ(back.summary.screened[i].gain, model.summary.screened[i].gain);
    EXPECT_EQ(back.summary.screened[i].kept, model.summary.screened[i].kept);
  }
  EXPECT_EQ(back.summary.noise_variance, model.summary.noise_variance);
  EXPECT_EQ(back.summary.structure_rows, 500U);
  expect_same(back.summary.additive, model.summary.additive);
  expect_same(back.summary.pairwise, model.summary.pairwise);
  for (const double x : {0.1, 0.5, 0.9}) EXPECT_EQ(effect_error(back, 0, x), effect_error(model, 0, x));
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_EQ(back.design.features()[j].warp.nodes, model.design.features()[j].warp.nodes);
}

TEST(DefaultProfile, MoreRowsNeverMakeMainEffectsCoarser) {
  // Work for interactions that allows five columns of them.
  const Rows rows = rows_of(3000, 4, 887, 0.2, [](const auto& x) { return smooth(x) + std::sin(20 * x(1)); });
  Options options;
  options.grown().structure_rows = 1000;
  const Model free = fit(rows.source(), options);
  ASSERT_GT(free.summary.pairs.size(), 0U);
  options.grown().interaction_work = 25.0 * 3000;
  const Model bound = fit(rows.source(), options);
  EXPECT_TRUE(bound.summary.pairs.empty());
  options.grown().interaction_work = 1e300;
  EXPECT_EQ(fit(rows.source(), options).summary.pairs, free.summary.pairs);
  EXPECT_EQ(bound.summary.additive->largest_stable, free.summary.additive->largest_stable);
  EXPECT_GE(bound.summary.resolution, 12);
}

TEST(DefaultProfile, MakesMainEffectsAsMuchFinerForAllRowsAsTheLawSays) {
  const Rows rows = rows_of(20000, 3, 889, 0.1, [](const auto& x) { return std::sin(20 * x(1)) + x(0); });
  Options options;
  options.structure = StructureChoice::additive;
  options.grown().structure_rows = 1000;
  const Model model = fit(rows.source(), options);
  const StageSummary& chosen = *std::ranges::find_if(model.summary.stages, &StageSummary::chosen);
  ASSERT_FALSE(chosen.lines);
  const double sampled = chosen.penalised ? std::max(2 * model.summary.additive->resolution, 12)
                                          : model.summary.additive->resolution;
  EXPECT_EQ(model.summary.resolution, std::lround(sampled * std::pow(20.0, 1.0 / 9)));
  options.grown().structure_rows = 20000;
  EXPECT_LT(model.summary.loo, 1.001 * fit(rows.source(), options).summary.loo);
}

TEST(DefaultProfile, WorkForInteractionsDoesNotBindTablesThatAreNotSampled) {
  const Rows rows = rows_of(1000, 4, 889, 0.2, [](const auto& x) { return smooth(x); });
  Options options;
  const std::vector<std::byte> usual = to_bytes(fit(rows.source(), options));
  options.grown().interaction_work = 1;
  EXPECT_TRUE(to_bytes(fit(rows.source(), options)) == usual);
}

TEST(DefaultProfile, WithoutALimitOnColumnsHasNone) {
  // 2600 lines are beyond the default limit.
  Rows rows = made_up_rows(40, 2600, 891);
  Options options;
  options.grown().max_order = 1;
  EXPECT_EQ(test::refusal(ErrorCode::invalid_argument, [&] { fit(rows.source(), options); })
                .find("The main effects have 2601 columns even as straight lines"),
            0U);
  options.kinds.assign(2600, FeatureKind::linear);
  options.max_columns = 0;
  std::size_t columns = 0;
  options.progress = [&](const Progress& first) {
    columns = first.score.p;
    throw std::runtime_error("one fit is enough to see");
  };
  EXPECT_THROW(fit(rows.source(), options), std::runtime_error);
  EXPECT_EQ(columns, 2601U);
}

TEST(DefaultProfile, TakesTheRidgeAsItIsGiven) {
  const Rows rows = made_up_rows(300, 2, 893, 0.2);
  Options options;
  options.grown().target_scale = TargetScale::identity;
  options.structure = StructureChoice::additive;
  options.ridge = 5;
  options.relative_ridge = false;
  const Model absolute = fit(rows.source(), options);
  EXPECT_FALSE(absolute.summary.relative_ridge);
  EXPECT_EQ(absolute.summary.ridge, 5);
  options.relative_ridge = true;
  options.ridge = 1e-10;
  EXPECT_LT(absolute.summary.parameters, fit(rows.source(), options).summary.parameters);
  // The file has what leave-one-out needs to be made again.
  const std::vector<double> again = loo_residuals(rows.source(), absolute);
  double squares = 0;
  for (const double residual : again) squares += residual * residual / 300;
  EXPECT_NEAR(squares / absolute.summary.loo, 1, 1e-6);
}

TEST(DefaultProfile, OfGivenRangesSeesTheValuesThatAreThere) {
  Rows rows = made_up_rows(200, 2, 895, 0.1);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 0) = std::floor(2 * rows.at(r, 0));
  Options options;
  options.ranges = {{-1, 2}, {-1, 2}};
  EXPECT_EQ(fit(rows.source(), options).design.features()[0].kind, FeatureKind::linear);
  for (double& x : rows.x) x = 0.5;  // nothing varies, whatever the ranges say
  const Model model = fit(rows.source(), options);
  EXPECT_NEAR(predict(model, rows.view())[0], model.summary.target_mean, 1e-6);
}

TEST(DefaultProfile, KeepsAPairThatWasAskedFor) {
  const Rows rows = rows_of(400, 3, 897, 1, [](const auto& x) { return std::sin(5 * x(0)) + x(1); });
  Options options;
  options.structure = StructureChoice::pairwise;
  options.pair_choice = PairChoice::given;
  options.pairs = {{2, 0}};
  for (const std::size_t structure_rows : {5000U, 150U}) {
    options.grown().structure_rows = structure_rows;
    const Model model = fit(rows.source(), options);
    EXPECT_EQ(model.summary.pairs, (std::vector<FeaturePair>{{0, 2}}));
    EXPECT_EQ(model.summary.structure, Structure::pairwise);
    EXPECT_EQ(model.penalty_weights.size(), model.design.terms().size());
  }
}

TEST(DefaultProfile, TellsAStoryThatHangsTogether) {
  const Rows rows = made_up_rows(500, 3, 885, 0.2);
  const FitSummary summary = fit(rows.source()).summary;
  int chosen = 0;
  for (const StageSummary& stage : summary.stages) {
    if (!stage.chosen) continue;
    ++chosen;
    EXPECT_EQ(stage.structure, summary.structure);
    EXPECT_EQ(stage.loo, summary.loo);
    EXPECT_EQ(stage.parameters, summary.parameters);
  }
  EXPECT_EQ(chosen, 1);
  std::size_t kept = 0;
  for (const ScreenedTerm& screened : summary.screened)
    kept += screened.kept && screened.features.size() == 2 ? 1 : 0;
  EXPECT_EQ(kept, summary.pairs.size());
  EXPECT_NEAR(summary.noise_variance, 0.04, 0.01);
}

}  // namespace
}  // namespace kore

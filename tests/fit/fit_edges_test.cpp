// Data at the edge of what can be fitted have a sensible model.
#include <gtest/gtest.h>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"
#include "support/unpenalised_options.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::refusal;
using test::Rows;

const std::vector<Options>& profiles() {
  static const std::vector<Options> both{Options{}, Options::paper()};
  return both;
}

double mean_square_error(const Model& model, const Rows& rows) {
  const std::vector<double> predictions = predict(model, rows.view());
  double squares = 0;
  for (std::size_t r = 0; r < rows.count; ++r) squares += std::pow(predictions[r] - rows.y[r], 2);
  return squares / static_cast<double>(rows.count);
}

void expect_finite(const Model& model) {
  for (const double c : model.coefficients) ASSERT_TRUE(std::isfinite(c));
  for (const Effect& effect : model.effects)
    for (const double value : {effect.mean, effect.variance, effect.share, effect.covariance_share})
      ASSERT_TRUE(std::isfinite(value));
  for (const double value :
       {model.intercept, model.summary.residual_variance, model.summary.target_mean,
        model.summary.target_variance, model.summary.parameters, model.summary.max_leverage})
    ASSERT_TRUE(std::isfinite(value));
  EXPECT_FALSE(std::isnan(model.summary.loo));
  EXPECT_FALSE(std::isnan(model.summary.signal_score));
}

TEST(ConstantTarget, GivesTheMean) {
  for (const Options& profile : profiles())
    for (const PairChoice choice : {PairChoice::all, PairChoice::discover})
      for (const double value : {0.0, -4.25, 1e149}) {
        Rows rows = made_up_rows(40, 3, 421);
        rows.y.assign(rows.count, value);
        rows.weights = test::uneven_weights(rows.count, 422);
        Options options = profile;
        options.pair_choice = choice;
        const Model model = fit(rows.source(), options, {{}, "y"});
        expect_finite(model);
        for (const double predicted : predict(model, made_up_rows(5, 3, 423).view()))
          EXPECT_EQ(predicted, value);
        EXPECT_EQ(anova_constant(model), value);
        EXPECT_EQ(model.summary.target_mean, value);
        EXPECT_EQ(model.summary.target_variance, 0);
        EXPECT_EQ(model.summary.rows, rows.count);
        EXPECT_EQ(model.summary.loo, 0);
        EXPECT_EQ(model.summary.loo_r2(), 0);
        EXPECT_EQ(model.target, "y");
        EXPECT_TRUE(to_bytes(model_from_bytes(to_bytes(model))) == to_bytes(model));
        for (const double residual : loo_residuals(rows.source(), model)) EXPECT_EQ(residual, 0);
      }
}

TEST(ConstantTarget, OfConstantFeaturesGivesTheMean) {
  Rows rows{5, 1, std::vector<double>(5, 2.0), std::vector<double>(5, 3.0), {}};
  for (const Options& profile : profiles()) {
    const Model model = fit(rows.view(), rows.y, profile);
    EXPECT_EQ(predict(model, rows.view())[0], 3);
    for (const double residual : loo_residuals(rows.source(), model)) EXPECT_EQ(residual, 0);
  }
}

TEST(ConstantColumn, HasNoEffectWhereverItStands) {
  const Rows plain = made_up_rows(300, 2, 424);
  for (const Options& profile : profiles())
    for (const StructureChoice structure : {StructureChoice::additive, StructureChoice::pairwise})
      for (const std::size_t position : {0U, 1U, 2U}) {
        SCOPED_TRACE(position);
        // The published additive columns have no intercept but the first block.
        if (position == 0 && profile.is_published()) continue;
        const Rows rows = plain.with_column(position, std::vector<double>(plain.count, -7.5));
        Options options = profile;
        options.structure = structure;
        options.max_resolution_additive = 3;
        options.max_resolution_pairwise = 1;
        const Model without = fit(plain.view(), plain.y, options);
        const Model with = fit(rows.view(), rows.y, options);
        expect_finite(with);
        EXPECT_EQ(with.summary.resolution, without.summary.resolution);
        // The relative ridge is a little smaller for the columns of zeros.
        EXPECT_NEAR(with.summary.loo / without.summary.loo, 1, 1e-3);
        for (std::size_t t = 0; t < with.effects.size(); ++t)
          for (const std::size_t j : with.design.terms()[t].features)
            if (j == position) {
              EXPECT_EQ(with.effects[t].variance, 0);
            }
        Rows points = rows;
        const std::vector<double> expected = predict(without, plain.view());
        for (const double elsewhere : {-7.5, 0.0, 1e300}) {
          for (std::size_t r = 0; r < points.count; ++r) points.at(r, position) = elsewhere;
          const std::vector<double> predicted = predict(with, points.view());
          for (std::size_t r = 0; r < points.count; ++r) ASSERT_NEAR(predicted[r], expected[r], 1e-3);
        }
      }
}

TEST(ConstantColumn, MayBeLeftBehindWhereExtrapolationIsForbidden) {
  Rows rows = made_up_rows(100, 1, 425).with_column(1, std::vector<double>(100, 2.0));
  Options options;
  options.extrapolation = Extrapolation::error;
  const Model model = fit(rows.view(), rows.y, options);
  const double expected = predict(model, rows.view())[0];
  rows.at(0, 1) = 99;
  EXPECT_EQ(predict(model, rows.view())[0], expected);
}

TEST(ConstantColumn, AsTheOnlyKindGivesTheMean) {
  for (const std::size_t columns : {1U, 2U, 3U})
    for (const PairChoice pairs : {PairChoice::automatic, PairChoice::all, PairChoice::discover})
      for (const StructureChoice structure : {StructureChoice::automatic, StructureChoice::additive}) {
        Rows rows = made_up_rows(50, columns, 426);
        std::fill(rows.x.begin(), rows.x.end(), 0.25);
        rows.weights = test::uneven_weights(rows.count, 427);
        double weight = 0;
        double sum = 0;
        for (std::size_t r = 0; r < rows.count; ++r) {
          weight += rows.weights[r];
          sum += rows.weights[r] * rows.y[r];
        }
        double loo = 0;
        for (std::size_t r = 0; r < rows.count; ++r) {
          const double others = (sum - rows.weights[r] * rows.y[r]) / (weight - rows.weights[r]);
          loo += rows.weights[r] * std::pow(rows.y[r] - others, 2) / weight;
        }
        Options options;
        options.structure = structure;
        options.pair_choice = pairs;
        const Model model = fit(rows.source(), options);
        expect_finite(model);
        EXPECT_NEAR(predict(model, rows.view())[0], sum / weight, 1e-8);
        EXPECT_NEAR(model.summary.loo / loo, 1, 1e-7);
        EXPECT_EQ(model.summary.fits, 1);
        EXPECT_NEAR(model.summary.parameters, 1, 1e-6);
        EXPECT_EQ(loo_residuals(rows.source(), model).size(), rows.count);
      }
}

TEST(DuplicatedColumns, GiveTheModelOfOneOfThem) {
  const Rows plain = made_up_rows(300, 2, 428);
  const Rows rows = plain.with_column(2, plain.column(0));
  for (const Options& profile : profiles()) {
    Options options = profile;
    if (!options.is_published()) options.grown().target_scale = TargetScale::identity;
    options.structure = StructureChoice::additive;
    options.max_resolution_additive = 2;
    const Model without = fit(plain.view(), plain.y, options);
    const Model with = fit(rows.view(), rows.y, options);
    expect_finite(with);
    EXPECT_EQ(with.summary.resolution, without.summary.resolution);
    // Penalty weights are solved for to a few percent, which changes the fit by that much of its shrinkage.
    const double settled = profile.is_published() ? 1 : 30;
    EXPECT_NEAR(with.summary.loo / without.summary.loo, 1, 1e-5 * settled);
    EXPECT_NEAR(with.summary.parameters, without.summary.parameters, 1e-3 * settled);
    const std::vector<double> expected = predict(without, plain.view());
    const std::vector<double> predicted = predict(with, rows.view());
    for (std::size_t r = 0; r < rows.count; ++r)
      ASSERT_NEAR(predicted[r], expected[r], profile.is_published() ? 1e-5 : 1e-3);  // the noise has 0.1
  }
}

TEST(DuplicatedColumns, GiveSensiblePairs) {
  const Rows plain = made_up_rows(400, 2, 429);
  const Rows rows = plain.with_column(2, plain.column(0));
  for (const Options& profile : profiles()) {
    const Model model = fit(rows.view(), rows.y, profile);
    expect_finite(model);
    EXPECT_LT(mean_square_error(model, rows), 0.02);  // the noise is 0.01
    EXPECT_LT(model.summary.loo, 0.02);
    EXPECT_GE(model.summary.loo, model.summary.residual_variance);
  }
}

TEST(FewRows, GiveAFiniteModel) {
  for (const Options& profile : profiles())
    for (const std::size_t columns : {1U, 2U, 5U})
      for (std::size_t count = 2; count <= 12; ++count) {
        SCOPED_TRACE(std::to_string(count) + " rows, " + std::to_string(columns) + " columns");
        const Rows rows = made_up_rows(count, columns, 430 + count);
        for (const PairChoice choice : {PairChoice::automatic, PairChoice::all, PairChoice::discover}) {
          Options options = profile;
          options.pair_choice = choice;
          const Model model = fit(rows.view(), rows.y, options);
          expect_finite(model);
          EXPECT_LT(mean_square_error(model, rows), model.summary.target_variance + 1e-6);
          EXPECT_EQ(loo_residuals(rows.source(), model).size(), count);
          EXPECT_TRUE(to_bytes(model_from_bytes(to_bytes(model))) == to_bytes(model));
        }
      }
}

TEST(FewRows, ThatNoResolutionIsStableForHaveTheirExactLooButNotInThePaperProfile) {
  const Rows rows = made_up_rows(8, 1, 441);  // p = 4 is not below 3.6
  EXPECT_TRUE(std::isinf(fit(rows.view(), rows.y, Options::paper()).summary.loo));
  for (const bool penalise : {false, true}) {
    const Options options = penalise ? Options{} : test::unpenalised_options();
    const Model model = fit(rows.view(), rows.y, options);
    double squares = 0;
    for (const double residual : loo_residuals(rows.source(), model)) squares += residual * residual;
    EXPECT_NEAR(model.summary.loo / (squares / 8), 1, 1e-9);
    EXPECT_FALSE(model.summary.interpolates());
    EXPECT_TRUE(model.summary.additive->pilots.empty());
    EXPECT_EQ(model.summary.additive->resolution, 1);
    EXPECT_TRUE(std::isfinite(model.summary.additive->loo));
    if (!penalise) {
      EXPECT_EQ(model.summary.additive->loo, model.summary.loo);
    }
  }
  const Rows enough = made_up_rows(9, 1, 441);
  EXPECT_TRUE(std::isfinite(fit(enough.view(), enough.y).summary.loo));
}

TEST(FewRows, OfTwoPointsGiveALineThroughThem) {
  const std::vector<double> x{0, 1};
  const std::vector<double> y{3, 5};
  const Model model = fit(MatrixView::column_major(x, 2, 1), y);
  expect_finite(model);
  EXPECT_TRUE(model.summary.interpolates());
  EXPECT_NEAR(predict(model, MatrixView::column_major(x, 2, 1))[0], 3, 1e-4);
  EXPECT_NEAR(predict(model, MatrixView::column_major(x, 2, 1))[1], 5, 1e-4);
}

TEST(FewRows, AreTooFewForThePairwiseFamilyAlone) {
  const Rows rows = made_up_rows(35, 2, 442);  // p = 16 is not below 15.75
  Options options = test::unpenalised_options();
  options.structure = StructureChoice::pairwise;
  options.pair_choice = PairChoice::all;
  EXPECT_EQ(refusal(ErrorCode::too_few_rows, [&] { fit(rows.view(), rows.y, options); }),
            "The rows are too few for the pairwise structure: even at resolution 1 it has 16 columns, which "
            "must be below "
            "0.45 times the number of rows.");
  const Rows enough = made_up_rows(36, 2, 442);
  EXPECT_EQ(fit(enough.view(), enough.y, options).summary.structure, Structure::pairwise);
}

TEST(FewRows, CarryAPairWhereItsPenaltyIsSolvedFor) {
  const Rows rows = made_up_rows(35, 2, 442);
  Options options;
  options.structure = StructureChoice::pairwise;
  const Model model = fit(rows.view(), rows.y, options);
  expect_finite(model);
  EXPECT_EQ(model.summary.structure, Structure::pairwise);
}

TEST(PairwiseFamily, OfNoiseIsThePairThatWasGivenAndWithoutAnyItIsRefused) {
  Rows rows = made_up_rows(400, 3, 445);
  test::Uniform noise(446);
  for (double& y : rows.y) y = noise.between(-1, 1);
  Options options;
  options.structure = StructureChoice::pairwise;
  options.pair_choice = PairChoice::given;
  options.pairs = {{0, 2}};
  EXPECT_EQ(fit(rows.view(), rows.y, options).summary.structure, Structure::pairwise);
  const std::string sentence =
      "No pair of features was found: every pair vanishes under its penalty, or the rows are too few to "
      "tell.";
  // There is none beside a constant.
  const Rows alone = made_up_rows(100, 1, 447).with_column(1, std::vector<double>(100, 2.0));
  options.pair_choice = PairChoice::automatic;
  options.pairs.clear();
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { fit(alone.view(), alone.y, options); }), sentence);
}

TEST(Discovery, FindsTheInteractionThatIsThere) {
  const Rows rows = made_up_rows(600, 5, 443);
  Options options = test::unpenalised_options();
  options.pair_choice = PairChoice::discover;
  const Model model = fit(rows.view(), rows.y, options);
  ASSERT_FALSE(model.summary.pairs.empty());
  EXPECT_EQ(model.summary.pairs[0], (FeaturePair{0, 1}));
  EXPECT_EQ(model.summary.structure, Structure::pairwise);
  options.published().discovery_threshold = 1;
  const Model none = fit(rows.view(), rows.y, options);
  EXPECT_TRUE(none.summary.pairs.empty());
  EXPECT_FALSE(none.summary.pairwise);
  EXPECT_EQ(none.summary.structure, Structure::additive);
}

TEST(Discovery, ThatFindsNothingLeavesNoPairwiseFamily) {
  const Rows rows = made_up_rows(600, 3, 444);
  Options options = test::unpenalised_options();
  options.structure = StructureChoice::pairwise;
  options.pair_choice = PairChoice::discover;
  options.published().discovery_threshold = 0.999;
  EXPECT_EQ(
      refusal(ErrorCode::invalid_data, [&] { fit(rows.view(), rows.y, options); }),
      "No pair of features was found: none explains at least 0.999 of what an additive fit leaves, or the "
      "rows are "
      "too few to tell.");
}

}  // namespace
}  // namespace kore

// The check before trusting a fit, on data.
#include <gtest/gtest.h>

#include <cmath>

#include "kore/fit.hpp"
#include "select/family.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"
#include "support/unpenalised_options.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

double mean_square(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return squares / static_cast<double>(values.size());
}

Options additive_only() {
  Options options;
  options.pair_choice = PairChoice::none;
  return options;
}

TEST(Diagnosis, TellsTheSignalScoreOfTheAdditiveFit) {
  const Rows rows = made_up_rows(200, 2, 471, 0.8);
  const Diagnosis diagnosis = diagnose(rows.source(), additive_only());
  const Model model = fit(rows.view(), rows.y, additive_only());
  EXPECT_NEAR(diagnosis.additive_signal_score, model.summary.signal_score, 1e-12);
  EXPECT_EQ(diagnosis.summary.structure, Structure::additive);
  EXPECT_EQ(diagnosis.use_kore, diagnosis.additive_signal_score > 1 && diagnosis.bracketed);
}

TEST(Diagnosis, HasTheSummaryOfTheFit) {
  const Rows rows = made_up_rows(150, 3, 482);
  for (Options options : {Options{}, Options::paper()}) {
    const FitSummary ours = diagnose(rows.source(), options).summary;
    const FitSummary fitted = fit(rows.view(), rows.y, options).summary;
    EXPECT_EQ(ours.loo, fitted.loo);
    EXPECT_EQ(ours.signal_score, fitted.signal_score);
    EXPECT_EQ(ours.parameters, fitted.parameters);
    EXPECT_EQ(ours.structure, fitted.structure);
    EXPECT_EQ(ours.rows, fitted.rows);
  }
}

TEST(Diagnosis, KeepsThePlaybooksAdviceOnPilotsFromFitsWithPenalties) {
  const Rows rows = made_up_rows(12, 2, 483);
  Options options = additive_only();
  EXPECT_FALSE(diagnose(rows.source(), options).pilots.suitable) << "there is one pilot only";
  for (const std::string& sentence : diagnose(rows.source(), options).advice)
    EXPECT_EQ(sentence.find("pilots"), std::string::npos) << sentence;
  EXPECT_EQ(diagnose(rows.source(), test::unpenalised(options)).advice.front().substr(0, 14),
            "The two pilots");
}

TEST(Diagnosis, IsBracketedWhereNeitherNeighbourIsBetter) {
  for (const std::uint64_t seed : {472U, 473U, 474U, 475U}) {
    const Rows rows = made_up_rows(150, 2, seed);
    const MemorySource source = rows.source();
    const Diagnosis diagnosis = diagnose(source, additive_only());
    const Model model = fit(source, additive_only());
    FamilySettings settings;
    settings.features = rows.features();
    settings.ridge = model.summary.ridge;
    settings.relative_ridge = model.summary.relative_ridge;
    settings.additive_parametrisation = model.design.parametrisation();
    FamilyFits fits(source, settings);
    const int g = model.summary.additive->resolution;
    const double here = fits.take(g).press.loo();
    const bool better_below = g > 1 && fits.take(g - 1).press.loo() < here;
    const bool better_above =
        g < model.summary.additive->largest_stable && fits.take(g + 1).press.loo() < here;
    EXPECT_EQ(diagnosis.bracketed, !better_below && !better_above) << "seed " << seed;
  }
}

TEST(Diagnosis, OfConstantFeaturesIsRefused) {
  Rows rows = made_up_rows(60, 2, 481);
  std::fill(rows.x.begin(), rows.x.end(), 0.5);
  EXPECT_EQ(test::refusal(ErrorCode::invalid_data, [&] { diagnose(rows.source()); }),
            "Every feature is constant: there is nothing to diagnose.");
}

TEST(Diagnosis, MeasuresTheLiftOverStraightLines) {
  const Rows rows = made_up_rows(80, 2, 476);
  const Diagnosis diagnosis = diagnose(rows.source(), additive_only());
  const Model model = fit(rows.view(), rows.y, additive_only());
  std::vector<Feature> lines = rows.features();
  for (Feature& feature : lines) feature.kind = FeatureKind::linear;
  const test::PressOracle oracle(Design::additive(lines, 1, 3), rows.block(), {});
  double best = mean_square(oracle.loo_residuals());
  for (const StageSummary& stage : model.summary.stages)
    if (stage.lines) best = std::min(best, stage.loo);  // lines with a penalty
  EXPECT_NEAR(diagnosis.lift_over_linear, 1 - model.summary.loo / best, 1e-7);
  EXPECT_GT(diagnosis.lift_over_linear, 0.1);
}

TEST(Diagnosis, AdvisesStraightLinesWhereSplinesGainNothing) {
  Rows rows = made_up_rows(400, 2, 477);
  test::Uniform uniform(478);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = 3 * rows.at(r, 0) - rows.at(r, 1) + uniform.between(-1, 1);
  const Diagnosis diagnosis = diagnose(rows.source(), additive_only());
  EXPECT_LT(diagnosis.lift_over_linear, 0.01);
  ASSERT_FALSE(diagnosis.advice.empty());
  EXPECT_EQ(diagnosis.advice.back(),
            "The splines gain next to nothing over straight lines on left-out rows: the regression is at its "
            "noise floor, "
            "and ordinary least squares is enough.");
}

TEST(Diagnosis, OfASampleIsNotTakenForOneOfAllRows) {
  // 95 lines without noise: nearly as many parameters as the sample has rows.
  Rows rows = made_up_rows(2000, 95, 483);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.y[r] = 0;
    for (std::size_t j = 0; j < 95; ++j) rows.y[r] += std::cos(static_cast<double>(j)) * rows.at(r, j);
  }
  Options options = additive_only();
  options.kinds.assign(95, FeatureKind::linear);
  options.grown().structure_rows = 100;
  const Diagnosis diagnosis = diagnose(rows.source(), options);
  const FitSummary fitted = fit(rows.source(), options).summary;
  EXPECT_EQ(diagnosis.summary.weight_sum, 2000);
  EXPECT_EQ(diagnosis.summary.parameters, fitted.parameters);
  EXPECT_EQ(diagnosis.summary.loo, fitted.loo);
  EXPECT_FALSE(diagnosis.summary.interpolates()) << "96 parameters of 100 rows, but the fit has 2000";
}

TEST(Diagnosis, MakesNoFitThatTheGrowthHasNotMade) {
  const Rows rows = made_up_rows(400, 2, 485, 0.3);
  int fits = 0;
  Options options = additive_only();
  options.progress = [&](const Progress& fit) { fits += fit.referee ? 0 : 1; };
  const Model model = fit(rows.source(), options);
  EXPECT_EQ(model.summary.fits, fits);
  EXPECT_EQ(model.summary.pilot_check->plug_in, model.summary.additive->plug_in);
  EXPECT_EQ(model.summary.pilot_check->law.bias_scale, model.summary.additive->law.bias_scale);
}

TEST(Diagnosis, ReportsNoiseAsNoise) {
  Rows rows = made_up_rows(200, 2, 479);
  test::Uniform uniform(480);
  for (double& y : rows.y) y = uniform.between(-1, 1);
  const Diagnosis diagnosis = diagnose(rows.source(), additive_only());
  EXPECT_LT(diagnosis.summary.signal_score, 1);
  EXPECT_FALSE(diagnosis.use_kore);
}

}  // namespace
}  // namespace kore

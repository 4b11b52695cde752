// The fits behind a curve: from memory and from a stream, shared and kept.
#include "select/family.hpp"

#include <gtest/gtest.h>

#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;
using test::StreamingSource;

FamilySettings settings(const Rows& rows, Structure structure, int degree = 3) {
  FamilySettings s;
  s.features = rows.features();
  s.structure = structure;
  s.degree = degree;
  if (structure == Structure::pairwise) s.pairs = {{0, 1}};
  return s;
}

void expect_close(const std::vector<double>& ours, const std::vector<double>& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_NEAR(ours[i], theirs[i], 1e-9 * std::max(1.0, std::abs(theirs[i]))) << "coefficient " << i;
}

class FamilyOn : public testing::TestWithParam<Structure> {};

TEST_P(FamilyOn, ScoresAsDenseFitsDo) {
  Rows rows = made_up_rows(70, 2, 241);
  rows.weights = test::uneven_weights(rows.count, 242);
  const MemorySource source = rows.source();
  FamilyFits fits(source, settings(rows, GetParam(), 2));
  const std::vector<int> resolutions{1, 3, 2};
  const std::vector<FitScore> scores = fits.measure(resolutions);
  ASSERT_EQ(scores.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const Design design = fits.design(resolutions[i]);
    const test::PressOracle oracle(design, rows.block(), {});
    const test::Vector solution = oracle.solution();
    double rss = 0;
    double loo = 0;
    double weight = 0;
    double leverage = 0;
    for (std::size_t r = 0; r < rows.count; ++r) {
      const auto residual = static_cast<double>(rows.y[r] - test::dot(oracle.row(r), solution));
      rss += rows.weights[r] * residual * residual;
      loo += rows.weights[r] * std::pow(oracle.loo_residual(r), 2);
      weight += rows.weights[r];
      leverage = std::max(leverage, oracle.leverage(r));
    }
    EXPECT_EQ(scores[i].p, design.columns());
    EXPECT_EQ(static_cast<double>(scores[i].p), fits.size()(resolutions[i]));
    EXPECT_NEAR(scores[i].loo / (loo / weight), 1, 1e-9);
    EXPECT_NEAR(scores[i].rss / rss, 1, 1e-9);
    EXPECT_NEAR(scores[i].max_leverage, leverage, 1e-9);
  }
}

TEST_P(FamilyOn, SharesTwoPassesAmongResolutionsThatAreKnownTogether) {
  const Rows rows = made_up_rows(600, 2, 243);
  const StreamingSource stream(rows);
  FamilyFits fits(stream, settings(rows, GetParam()));
  fits.measure(std::vector<int>{1, 2, 3, 4});
  EXPECT_EQ(stream.passes(), 2);
  fits.measure_rss(std::vector<int>{2, 3});
  EXPECT_EQ(stream.passes(), 4);
}

TEST_P(FamilyOn, SharesOnlyWhatFitsIntoTheMemoryBudget) {
  const Rows rows = made_up_rows(600, 2, 244);
  FamilySettings tight = settings(rows, GetParam());
  tight.memory_budget = 1;
  const StreamingSource stream(rows);
  FamilyFits fits(stream, tight);
  const auto one_by_one = fits.measure(std::vector<int>{1, 2, 3});
  EXPECT_EQ(stream.passes(), 6);
  const StreamingSource again(rows);
  const auto together = FamilyFits(again, settings(rows, GetParam())).measure(std::vector<int>{1, 2, 3});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(one_by_one[i].loo, together[i].loo);
}

TEST_P(FamilyOn, KeepsItsBestFitAndMakesAnyOtherAgain) {
  const Rows rows = made_up_rows(600, 2, 245);
  const StreamingSource stream(rows);
  FamilyFits fits(stream, settings(rows, GetParam()));
  const std::vector<int> resolutions{1, 2, 3};
  const std::vector<FitScore> scores = fits.measure(resolutions);
  std::size_t best = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (scores[i].loo < scores[best].loo) best = i;
  const Fitted kept = fits.take(resolutions[best]);
  EXPECT_EQ(stream.passes(), 2);
  EXPECT_EQ(kept.resolution, resolutions[best]);
  EXPECT_EQ(kept.press.loo(), scores[best].loo);
  const Fitted again = fits.take(resolutions[best]);  // it was given away
  EXPECT_EQ(stream.passes(), 4);
  EXPECT_EQ(again.smoother.coefficients(), kept.smoother.coefficients());
  const std::size_t other = best == 0 ? 1 : 0;
  EXPECT_EQ(fits.take(resolutions[other]).press.loo(), scores[other].loo);
  EXPECT_EQ(stream.passes(), 6);
}

TEST_P(FamilyOn, FitsForCoefficientsAloneInOnePass) {
  const Rows rows = made_up_rows(600, 2, 246);
  const StreamingSource stream(rows);
  FamilyFits fits(stream, settings(rows, GetParam()));
  const Fitted bare = fits.take_without_leverages(2);
  EXPECT_EQ(stream.passes(), 1);
  EXPECT_EQ(bare.smoother.coefficients(), fits.take(2).smoother.coefficients());
}

TEST_P(FamilyOn, MeasuresResidualsWithoutLeverages) {
  const Rows rows = made_up_rows(200, 2, 247);
  const MemorySource source = rows.source();
  FamilyFits fits(source, settings(rows, GetParam()));
  const std::vector<int> two{2};
  const FitScore bare = fits.measure_rss(two)[0];
  EXPECT_TRUE(std::isnan(bare.loo));
  EXPECT_EQ(bare.rss, fits.measure(two)[0].rss);
}

TEST_P(FamilyOn, SelectsFromAStreamAsFromMemory) {
  Rows rows = made_up_rows(1500, 2, 248);
  rows.weights = test::uneven_weights(rows.count, 249);
  double n = 0;
  for (const double w : rows.weights) n += w;
  const MemorySource memory = rows.source();
  SelectorOptions selector;
  selector.max_resolution = 10;
  FamilyFits expected_fits(memory, settings(rows, GetParam()));
  ResolutionCurve expected_curve = expected_fits.curve(n);
  const Selection expected = select_resolution(expected_curve, selector);
  const Fitted best = expected_fits.take(expected.resolution);
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{1, 97, 0, 256, 31}, {1500}, {7, 1000}, {64}}) {
    const StreamingSource stream(rows, sizes);
    FamilyFits fits(stream, settings(rows, GetParam()));
    ResolutionCurve curve = fits.curve(n);
    const Selection selection = select_resolution(curve, selector);
    EXPECT_EQ(selection.resolution, expected.resolution);
    EXPECT_EQ(selection.fits, expected.fits);
    EXPECT_EQ(selection.pilots, expected.pilots);
    EXPECT_EQ(selection.certificate, expected.certificate);
    EXPECT_NEAR(selection.plug_in / expected.plug_in, 1, 1e-6);
    for (const auto& [g, score] : expected.curve) {
      ASSERT_TRUE(selection.curve.contains(g));
      EXPECT_NEAR(selection.curve.at(g).loo / score.loo, 1, 1e-9) << "G = " << g;
    }
    // Pilots and certificate, each in two passes, and no more for the fit that won.
    EXPECT_LE(stream.passes(), 4);
    const Fitted fit = fits.take(selection.resolution);
    EXPECT_LE(stream.passes(), 4);
    expect_close(fit.smoother.coefficients(), best.smoother.coefficients());
  }
}

TEST_P(FamilyOn, ReportsEveryScoredFit) {
  const Rows rows = made_up_rows(200, 2, 250);
  std::vector<Progress> seen;
  FamilySettings watched = settings(rows, GetParam());
  watched.progress = [&seen](const Progress& progress) { seen.push_back(progress); };
  const MemorySource source = rows.source();
  FamilyFits fits(source, watched);
  const std::vector<int> resolutions{2, 1};
  const auto scores = fits.measure(resolutions);
  ASSERT_EQ(seen.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(seen[i].structure, GetParam());
    EXPECT_EQ(seen[i].resolution, resolutions[i]);
    EXPECT_EQ(seen[i].score.loo, scores[i].loo);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, FamilyOn, testing::Values(Structure::additive, Structure::pairwise),
                         [](const auto& test_case) { return std::string(to_string(test_case.param)); });

TEST(Structure, ScoresASingularProblemAsInfinitelyBad) {
  Rows rows = made_up_rows(100, 1, 251);
  rows = rows.with_column(1, rows.column(0));
  FamilySettings exact = settings(rows, Structure::additive);
  exact.ridge = 0;
  const MemorySource source = rows.source();
  FamilyFits fits(source, exact);
  const std::vector<int> one{1};
  const FitScore score = fits.measure(one)[0];
  EXPECT_TRUE(std::isinf(score.loo));
  EXPECT_TRUE(std::isinf(score.rss));
  EXPECT_EQ(score.p, 7U);
  const std::string sentence =
      "The normal equations are singular in the columns of feature 1: they depend on other columns beyond "
      "what the "
      "ridge can separate. Drop a duplicated feature, lower the resolution or raise the ridge.";
  EXPECT_EQ(test::refusal(ErrorCode::not_positive_definite, [&] { fits.take(1); }), sentence);
  EXPECT_EQ(test::refusal(ErrorCode::not_positive_definite, [&] { fits.take_without_leverages(1); }),
            sentence);
}

TEST(Structure, FitsTheOtherResolutionsWhereOneIsSingular) {
  // Two distinct values carry a straight line; the ridge is nil, so that anything finer has no solution.
  Rows rows = made_up_rows(60, 1, 252);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 0) = r % 2 == 0 ? 0.0 : 1.0;
  FamilySettings exact = settings(rows, Structure::additive, 1);
  exact.ridge = 0;
  const MemorySource source = rows.source();
  const StreamingSource stream(rows);
  for (const RowSource* rows_of :
       {static_cast<const RowSource*>(&source), static_cast<const RowSource*>(&stream)}) {
    FamilyFits fits(*rows_of, exact);
    const auto scores = fits.measure(std::vector<int>{3, 1});
    EXPECT_TRUE(std::isinf(scores[0].loo));
    EXPECT_TRUE(std::isfinite(scores[1].loo));
    EXPECT_EQ(fits.take(1).press.loo(), scores[1].loo);
  }
}

TEST(Structure, InCentredColumnsKeepsItsConstantWhereTheFirstFeatureIsConstant) {
  const Rows plain = made_up_rows(80, 2, 253);
  const Rows rows = plain.with_column(0, std::vector<double>(80, 4.0));
  const MemorySource source = rows.source();
  const MemorySource plain_source = plain.source();
  FamilySettings centred = settings(rows, Structure::additive);
  centred.additive_parametrisation = Parametrisation::centred;
  FamilyFits fits(source, centred);
  FamilyFits plain_fits(plain_source, settings(plain, Structure::additive));
  for (const int g : {1, 3}) {
    EXPECT_EQ(static_cast<double>(fits.design(g).columns()), fits.size()(g));
    EXPECT_NEAR(fits.take(g).press.loo() / plain_fits.take(g).press.loo(), 1, 1e-6);
  }
}

}  // namespace
}  // namespace kore

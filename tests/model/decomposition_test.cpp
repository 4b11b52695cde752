// A model as effects that add up to its sums, and the section of the file that holds them.
#include "kore/decomposition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/bytes.hpp"
#include "kore/fit.hpp"
#include "model/purified_section.hpp"
#include "support/error_of.hpp"
#include "support/family_rows.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::Rows;

Options with_pairs() {
  Options options;
  options.pair_choice = PairChoice::given;
  options.pairs = {{0, 1}, {1, 2}};
  options.structure = StructureChoice::pairwise;
  return options;
}

const Model& fitted() {
  static const Model model = fit(test::made_up_rows(400, 3, 61, 0.2).source(), with_pairs());
  return model;
}

void expect_sums(const Model& model, const Decomposition& shown, const MatrixView& x) {
  const Explanation explained = explain(model, shown, x, 2);
  EXPECT_EQ(explained.predictions, predict(model, x));
  for (std::size_t r = 0; r < x.rows(); ++r) {
    double sum = explained.constant;
    for (const std::vector<double>& values : explained.contributions) sum += values[r];
    EXPECT_NEAR(sum, explained.sums[r], 1e-10);
    EXPECT_EQ(explained.predictions[r], carried_prediction(model, explained.sums[r]));
  }
}

TEST(Decomposition, AddsUpToTheSumsOfTheModelPurifiedAndAsFitted) {
  ASSERT_TRUE(fitted().purified);
  Rows rows = test::made_up_rows(100, 3, 62);
  for (std::size_t r = 0; r < 50; ++r) rows.at(r, r % 3) = 4 * rows.at(r, r % 3) - 1.5;  // outside
  expect_sums(fitted(), decomposition(fitted()), rows.view());
  expect_sums(fitted(), as_fitted(fitted()), rows.view());
}

TEST(Decomposition, AddsUpOnTheScaleOfTheLinkForEveryFamily) {
  for (const char* family : {"binomial", "poisson", "negative_binomial", "gamma"}) {
    Rows rows = test::made_up_rows(600, 3, 63);
    test::Uniform uniform(64);
    for (std::size_t r = 0; r < rows.count; ++r)
      rows.y[r] =
          test::draw(family, uniform,
                     test::true_predictor(rows, r) + 12 * (rows.at(r, 0) - 0.5) * (rows.at(r, 1) - 0.5));
    Options options = test::family_options(family);
    options.pair_choice = PairChoice::given;
    options.pairs = {{0, 1}};
    options.structure = StructureChoice::pairwise;
    const Model model = fit(rows.source(), options);
    ASSERT_TRUE(model.purified) << family;
    expect_sums(model, decomposition(model), rows.view());
  }
}

TEST(Decomposition, AddsUpInEveryProfileOnEveryScaleAndWithTheRobustLoss) {
  Rows rows = test::made_up_rows(500, 3, 66, 0.2);
  for (double& y : rows.y) y = std::exp(0.5 * y);
  Options paper = Options::paper();
  paper.structure = StructureChoice::pairwise;
  paper.max_resolution_pairwise = 2;
  std::vector<Options> all{paper, with_pairs(), with_pairs(), with_pairs()};
  all[1].grown().target_scale = TargetScale::square_root;
  all[2].grown().target_scale = TargetScale::logarithm;
  all[3].grown().loss = Loss::robust;
  all.push_back(Options::paper());
  all.back().structure = StructureChoice::additive;
  for (const Options& options : all) {
    const Model model = fit(rows.source(), options);
    expect_sums(model, decomposition(model), rows.view());
    expect_sums(model, as_fitted(model), rows.view());
  }
}

TEST(Decomposition, OfPointsIsThatOfRows) {
  const Decomposition shown = decomposition(fitted());
  const Rows rows = test::made_up_rows(20, 3, 65);
  const Explanation explained = explain(fitted(), shown, rows.view());
  for (std::size_t t = 0; t < shown.terms.size(); ++t)
    for (std::size_t r = 0; r < rows.count; ++r) {
      std::vector<double> point;
      for (const std::size_t j : shown.terms[t].features) point.push_back(rows.at(r, j));
      EXPECT_NEAR(term_value(shown, t, point), explained.contributions[t][r], 1e-12);
    }
}

TEST(Decomposition, HasMeansOfZeroAndSharesThatAddUpToOne) {
  const Rows rows = test::made_up_rows(400, 3, 61, 0.2);  // those of the fit
  const Decomposition shown = decomposition(fitted());
  const Explanation explained = explain(fitted(), shown, rows.view());
  double sums = 0;
  double shares = 0;
  for (const double sum : explained.sums) sums += sum / 400;
  EXPECT_NEAR(shown.constant, sums, 1e-9);
  for (std::size_t t = 0; t < shown.terms.size(); ++t) {
    double mean = 0;
    for (const double value : explained.contributions[t]) mean += value / 400;
    EXPECT_NEAR(mean, 0, 1e-9);
    shares += shown.effects[t].covariance_share;
  }
  EXPECT_NEAR(shares, 1, 1e-9);
}

TEST(Decomposition, RefusesTheRowsThatPredictRefuses) {
  Rows rows = test::made_up_rows(3, 3, 66);
  rows.at(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const Model& model) {
    return std::string(test::error_of([&] { explain(model, decomposition(model), rows.view()); }).what());
  };
  EXPECT_EQ(refused(fitted()), test::error_of([&] { predict(fitted(), rows.view()); }).what());
  Model strict = fitted();
  strict.extrapolation = Extrapolation::error;
  rows.at(1, 2) = 50;
  EXPECT_EQ(refused(strict), test::error_of([&] { predict(strict, rows.view()); }).what());
}

TEST(PurifiedSection, IsReadAsItWasWritten) {
  const Model back = model_from_bytes(to_bytes(fitted()));
  ASSERT_TRUE(back.purified);
  EXPECT_EQ(to_bytes(back), to_bytes(fitted()));
  const Rows rows = test::made_up_rows(30, 3, 67);
  EXPECT_EQ(explain(back, decomposition(back), rows.view()).contributions,
            explain(fitted(), decomposition(fitted()), rows.view()).contributions);
  EXPECT_EQ(effect_error(decomposition(back), 0, std::array{0.3}),
            effect_error(decomposition(fitted()), 0, std::array{0.3}));
}

TEST(PurifiedSection, MayBeMissingAsInOlderFiles) {
  Model old = fitted();
  old.purified.reset();
  const Model back = model_from_bytes(to_bytes(old));
  EXPECT_FALSE(back.purified);
  const Decomposition shown = decomposition(back);
  EXPECT_FALSE(shown.purified);
  for (std::size_t t = 0; t < shown.terms.size(); ++t) {
    const std::vector<double> point(shown.terms[t].order(), 0.4);
    EXPECT_NEAR(term_value(shown, t, point), term_value(back, t, point), 1e-13);
    EXPECT_EQ(effect_error(shown, t, point), effect_error(back, t, point));
  }
  EXPECT_NEAR(shown.constant, anova_constant(back), 1e-13);
}

TEST(PurifiedSection, IsRefusedByItsNameWhereItLies) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::function<void(Decomposition&)> damages[]{
      [](Decomposition& d) { d.constant = nan; },
      [](Decomposition& d) { d.coefficients.pop_back(); },
      [](Decomposition& d) { d.coefficients[3] = nan; },
      [](Decomposition& d) { d.terms[0].parts.clear(); },
      [](Decomposition& d) { d.terms[0].parts = {99}; },
      [](Decomposition& d) { d.terms[0].parts.push_back(d.terms[1].parts[0]); },
      [](Decomposition& d) { d.terms[1].parts = d.terms[0].parts; },
      [](Decomposition& d) { d.effects[0].variance = -1; },
      [](Decomposition& d) { d.effects[0].share = nan; },
      [](Decomposition& d) { d.effects[0].p_value = 2; },
      [](Decomposition& d) { d.effects[0].covariance_factor.push_back(1); },
      [](Decomposition& d) { d.effects[0].covariance_factor[0] = nan; },
      [](Decomposition& d) {
        d.terms.pop_back();
        d.effects.pop_back();
      }};
  for (const auto& damage : damages) {
    Model model = fitted();
    damage(*model.purified);
    const std::vector<std::byte> bytes = to_bytes(model);
    EXPECT_SAYS(test::error_of([&] { model_from_bytes(bytes); }), "purified effects");
  }
}

TEST(PurifiedSection, IsRefusedWhereItsPartsAreNone) {
  ByteWriter out;
  write_purified(out, *fitted().purified);
  std::vector<std::byte> bytes = out.take();
  bytes[9] = std::byte{77};  // the first feature of the first part
  ByteReader in(bytes);
  EXPECT_SAYS(test::error_of([&] { read_purified(in, fitted().design); }), "impossible design");
}

}  // namespace
}  // namespace kore

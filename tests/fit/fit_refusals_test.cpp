// Bad data and bad options are refused in a sentence.
#include <gtest/gtest.h>

#include <limits>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"
#include "support/unpenalised_options.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::refusal;
using test::Rows;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string refused_data(const Rows& rows, const Names& names = {}) {
  return refusal(ErrorCode::invalid_data, [&] { fit(rows.source(), {}, names); });
}

Rows good_rows() { return made_up_rows(50, 3, 451); }

TEST(BadData, WithoutRowsOrColumnsAreRefused) {
  const Rows none = made_up_rows(0, 2, 1);
  EXPECT_EQ(refusal(ErrorCode::too_few_rows, [&] { fit(none.view(), none.y); }), "The data have no rows.");
  const Rows one = made_up_rows(1, 2, 1);
  EXPECT_EQ(refusal(ErrorCode::too_few_rows, [&] { fit(one.view(), one.y); }),
            "The data have 1 row; a fit needs at least 2.");
  const std::vector<double> y(5, 1.0);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { fit(MatrixView({}, 5), y); }),
            "The data have no feature columns.");
}

TEST(BadData, OfMismatchedLengthsAreRefused) {
  Rows rows = good_rows();
  rows.y.pop_back();
  EXPECT_EQ(refused_data(rows),
            "The target has 49 values, but the features have 50 rows. Both must be equal.");
  rows = good_rows();
  rows.weights.assign(51, 1.0);
  EXPECT_EQ(refused_data(rows),
            "The weight column has 51 values, but the features have 50 rows. Both must be equal.");
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { MatrixView::row_major(rows.x, 50, 4); }),
            "A table of 50 rows and 4 columns needs 200 numbers, but 150 were given.");
}

TEST(BadData, WithValuesThatAreNotFiniteAreRefused) {
  Rows rows = good_rows();
  rows.at(20, 2) = nan;
  EXPECT_EQ(refused_data(rows, {{"a", "b", "weight"}, ""}),
            "In the column 'weight', row 20 (counted from 0): the value is missing (NaN). Impute it or drop "
            "the row.");
  rows.at(20, 2) = -infinity;
  EXPECT_EQ(refused_data(rows),
            "In column 2, row 20 (counted from 0): the value is infinite. Only finite numbers can be used.");
  rows.at(20, 2) = 2e300;
  EXPECT_EQ(refused_data(rows),
            "In column 2, row 20 (counted from 0): the value is larger than 1e300 in magnitude. Rescale the "
            "column.");
  rows = good_rows();
  rows.y[49] = nan;
  EXPECT_EQ(refused_data(rows),
            "In the target, row 49 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
  rows.y[49] = infinity;
  EXPECT_EQ(
      refused_data(rows),
      "In the target, row 49 (counted from 0): the value is infinite. Only finite numbers can be used.");
}

TEST(BadData, WithUnusableWeightsAreRefused) {
  Rows rows = good_rows();
  rows.weights.assign(rows.count, 1.0);
  rows.weights[7] = nan;
  EXPECT_EQ(refused_data(rows),
            "In the weights, row 7 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
  rows.weights[7] = infinity;
  EXPECT_EQ(
      refused_data(rows),
      "In the weights, row 7 (counted from 0): the value is infinite. Only finite numbers can be used.");
  rows.weights[7] = -1;
  EXPECT_EQ(
      refused_data(rows),
      "In the weights, row 7 (counted from 0): the weight is negative. Weights must be zero or positive.");
  rows.weights.assign(rows.count, 0.0);
  EXPECT_EQ(refused_data(rows), "All weights are zero: there is nothing to fit.");
  rows.weights.assign(rows.count, 1e99);
  EXPECT_EQ(
      refused_data(rows),
      "The weights add up to more than 1e100. Rescale them so that they add up to about the number of rows.");
  rows.weights.assign(rows.count, 0.015625);
  EXPECT_EQ(refusal(ErrorCode::too_few_rows, [&] { fit(rows.source()); }),
            "The weights add up to 0.78125. A weight of 1 counts as one row, so they must add up to more "
            "than 1; about the "
            "number of rows is right.");
}

TEST(BadData, WithTargetsWhoseSquaresOverflowOrVanishAreRefused) {
  Rows rows = good_rows();
  rows.y[3] = -2e150;
  EXPECT_EQ(refused_data(rows),
            "The target has values beyond 1e150 in magnitude, whose squares overflow. Rescale the target.");
  for (double& y : rows.y) y = std::copysign(5e-151, y);
  EXPECT_EQ(refused_data(rows),
            "All values of the target are below 1e-150 in magnitude, and their squares vanish. Rescale the "
            "target.");
}

TEST(BadData, WithTheWrongNumberOfNamesAreRefused) {
  const Rows rows = good_rows();
  EXPECT_EQ(refusal(ErrorCode::invalid_argument,
                    [&] {
                      fit(rows.source(), {}, {{"a", "b"}, ""});
                    }),
            "2 names were given for 3 features.");
}

TEST(BadData, ForALeaveOneOutOfAnotherModelAreRefused) {
  const Rows rows = good_rows();
  const Model model = fit(rows.view(), rows.y);
  const Rows narrow = made_up_rows(50, 2, 452);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { loo_residuals(narrow.source(), model); }),
            "The model has 3 features, but the data have 2 columns.");
}

TEST(BadData, OfZeroWeightMayLieAnywhere) {
  Rows rows = good_rows();
  rows.weights.assign(rows.count, 1.0);
  rows.weights[4] = 0;
  rows.at(4, 0) = 1e200;  // its cube overflows
  Rows fewer = rows;
  fewer.at(4, 0) = 0.5;
  const Model model = fit(rows.source());
  EXPECT_NEAR(model.summary.loo / fit(fewer.source()).summary.loo, 1, 1e-8);
}

TEST(BadData, WithAConstantTargetCannotBeDiagnosed) {
  Rows rows = good_rows();
  rows.y.assign(rows.count, 1.0);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { diagnose(rows.source()); }),
            "The target is constant: there is nothing to diagnose.");
}

/// What fit says to options changed by `change`.
template <class Change>
std::string refused_options(Change&& change) {
  const Rows rows = good_rows();
  Options options;
  change(options);
  return refusal(ErrorCode::invalid_argument, [&] { fit(rows.view(), rows.y, options); });
}

TEST(BadOptions, OutOfTheirRangeAreRefused) {
  for (const int degree : {-1, 0, 8})
    EXPECT_EQ(refused_options([&](Options& o) { o.degree = degree; }),
              "The option 'degree' is " + std::to_string(degree) + "; it must be between 1 and 7.");
  EXPECT_EQ(refused_options([](Options& o) { o.max_resolution_additive = 0; }),
            "The option 'max_resolution_additive' is 0; it must be between 1 and 1000000.");
  EXPECT_EQ(refused_options([](Options& o) { o.max_resolution_pairwise = -3; }),
            "The option 'max_resolution_pairwise' is -3; it must be between 1 and 1000000.");
  EXPECT_EQ(refused_options([](Options& o) { o.method = PublishedOptions{.radius_additive = -1}; }),
            "The option 'radius_additive' is -1; it must be between 0 and 1000000.");
  EXPECT_EQ(refused_options([](Options& o) { o.method = PublishedOptions{.radius_pairwise = -1}; }),
            "The option 'radius_pairwise' is -1; it must be between 0 and 1000000.");
  EXPECT_EQ(refused_options([](Options& o) { o.threads = -1; }),
            "The option 'threads' is -1; it must be at least 0.");
  EXPECT_EQ(refused_options([](Options& o) {
              o.threads = -1;
              o.method = PublishedOptions{};
            }),
            "The option 'threads' is -1; it must be at least 0.");
  for (const int order : {0, 4})
    EXPECT_EQ(refused_options([&](Options& o) { o.grown().max_order = order; }),
              "The option 'max_order' is " + std::to_string(order) + "; it must be 1, 2 or 3.");
  EXPECT_EQ(refused_options([](Options& o) { o.grown().structure_rows = 99; }),
            "The option 'structure_rows' is 99; it must be at least 100.");
  for (const double bad : {-1.0, nan})
    EXPECT_TRUE(refused_options([&](Options& o) {
                  o.grown().interaction_work = bad;
                }).starts_with("The option 'interaction_work' is "));
  for (const double bad : {0.0, 1.0, -0.5, nan})
    EXPECT_TRUE(
        refused_options([&](Options& o) { o.stability = bad; }).starts_with("The option 'stability' is "));
  for (const double bad : {-1.0, infinity, nan})
    EXPECT_TRUE(refused_options([&](Options& o) { o.ridge = bad; }).starts_with("The option 'ridge' is "));
  for (const double bad : {-0.1, 1.5, nan})
    EXPECT_TRUE(refused_options([&](Options& o) {
                  o.method = PublishedOptions{.discovery_threshold = bad};
                }).starts_with("The option 'discovery_threshold' is "));
  Options negative;
  negative.threads = -1;
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { negative.check(3); }),
            "The option 'threads' is -1; it must be at least 0.");
}

TEST(BadOptions, ThatAskForPairsAndForbidThemAreRefused) {
  const char* const sentence =
      "The option 'max_order' is 1; it must be 2 or 3 where pairs are given or the structure is 'pairwise'.";
  EXPECT_EQ(refused_options([](Options& o) {
              o.grown().max_order = 1;
              o.structure = StructureChoice::pairwise;
            }),
            sentence);
  EXPECT_EQ(refused_options([](Options& o) {
              o.grown().max_order = 1;
              o.pair_choice = PairChoice::given;
              o.pairs = {{0, 1}};
            }),
            sentence);
}

TEST(BadOptions, SayWhatTheyMayBe) {
  EXPECT_TRUE(
      refused_options([](Options& o) { o.stability = 2; }).ends_with("; it must be above 0 and below 1."));
  EXPECT_TRUE(refused_options([](Options& o) {
                o.ridge = -2;
              }).ends_with("; it must be a finite number that is not negative."));
  EXPECT_TRUE(refused_options([](Options& o) {
                o.method = PublishedOptions{.discovery_threshold = 2};
              }).ends_with("; it must be between 0 and 1."));
}

TEST(BadOptions, OfTheWrongLengthAreRefused) {
  EXPECT_EQ(refused_options([](Options& o) {
              o.ranges = {{0, 1}};
            }),
            "The option 'ranges' is 1 long; it must be empty or have one entry for each of the 3 features.");
  EXPECT_EQ(refused_options([](Options& o) { o.kinds.assign(4, FeatureKind::linear); }),
            "The option 'kinds' is 4 long; it must be empty or have one entry for each of the 3 features.");
  const auto sentence = [](int count) {
    return "The option 'levels' is " + std::to_string(count) +
           " long; it must be empty where no feature is a category, or have one entry for each of the 3 "
           "features.";
  };
  EXPECT_EQ(refused_options([](Options& o) { o.levels = {3}; }), sentence(1));
  EXPECT_EQ(refused_options([](Options& o) { o.kinds.assign(3, FeatureKind::category); }), sentence(0));
}

TEST(BadOptions, WithRangesThatAreNoneAreRefused) {
  const auto sentence = [](const std::string& from, const std::string& to) {
    return "The range of a coordinate must be finite and ordered, but it goes from " + from + " to " + to +
           ".";
  };
  EXPECT_EQ(refused_options([](Options& o) { o.ranges = {{0, 1}, {2, 1}, {0, 1}}; }), sentence("2", "1"));
  EXPECT_EQ(refused_options([](Options& o) {
              o.ranges = {{0, 1}, {0, infinity}, {0, 1}};
            }),
            sentence("0", "inf"));
  EXPECT_EQ(refused_options([](Options& o) { o.ranges = {{nan, 1}, {0, 1}, {0, 1}}; }), sentence("nan", "1"));
}

TEST(BadOptions, WithBadPairsAreRefused) {
  const auto refused_pairs = [](std::vector<FeaturePair> pairs) {
    return refused_options([&](Options& o) {
      o.pair_choice = PairChoice::given;
      o.pairs = std::move(pairs);
    });
  };
  EXPECT_EQ(refused_pairs({{0, 1}, {1, 3}}),
            "The pair (1, 3) is out of range: there are 3 features, counted from 0.");
  EXPECT_EQ(refused_pairs({{2, 2}}),
            "The pair (2, 2) joins a feature with itself. A pair needs two different features.");
  EXPECT_EQ(refused_pairs({{0, 1}, {1, 2}, {0, 1}}), "The pair (0, 1) is given twice.");
  EXPECT_EQ(refused_pairs({{0, 1}, {1, 0}}), "The pair (1, 0) is given twice.");
  EXPECT_EQ(refused_options([](Options& o) {
              o.pairs = {{0, 1}};
            }),
            "The option 'pairs' is set; it must be empty unless pair_choice is 'given'.");
}

TEST(BadOptions, ThatAskForPairsWhereThereAreNoneAreRefused) {
  const std::string sentence =
      "The option 'structure' is 'pairwise'; it must be 'automatic' or 'additive' where there are no pairs.";
  EXPECT_EQ(refused_options([](Options& o) {
              o.structure = StructureChoice::pairwise;
              o.pair_choice = PairChoice::none;
            }),
            sentence);
  EXPECT_EQ(refused_options([](Options& o) {
              o.structure = StructureChoice::pairwise;
              o.pair_choice = PairChoice::given;
            }),
            sentence);
  const Rows narrow = made_up_rows(100, 1, 453);
  Options options;
  options.structure = StructureChoice::pairwise;
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { fit(narrow.view(), narrow.y, options); }), sentence);
}

TEST(Options, OfBothProfilesAreSound) {
  EXPECT_NO_THROW(Options{}.check(1));
  EXPECT_NO_THROW(Options{}.check(100));
  EXPECT_NO_THROW(Options::paper().check(2));
  EXPECT_EQ(Options::paper().ridge, 1e-8);
  EXPECT_FALSE(Options::paper().relative_ridge);
  EXPECT_FALSE(Options::paper().published().centre_target);
  EXPECT_EQ(Options::paper().extrapolation, Extrapolation::continue_polynomial);
  EXPECT_EQ(Options{}.extrapolation, Extrapolation::linear);
}

TEST(Options, WithAResolutionBeyondAllReasonStopAtWhatTheRowsCarry) {
  const Rows rows = good_rows();
  for (const bool penalise : {false, true}) {
    Options options = penalise ? Options{} : test::unpenalised_options();
    options.max_resolution_additive = max_intervals;
    options.max_resolution_pairwise = max_intervals;
    if (!penalise) options.published().radius_additive = max_intervals;
    const Model model = fit(rows.view(), rows.y, options);
    // p = 3 (G + 2) + 1 stays below 22.5; a penalised fit may have more columns, not more parameters.
    EXPECT_LE(model.summary.additive->resolution, 7);
    EXPECT_LE(model.design.columns(), options.max_columns);
    EXPECT_LT(model.summary.parameters, 25);
    if (!penalise) {
      EXPECT_LE(model.summary.resolution, 7);
    }
  }
}

TEST(BadOptions, WithTheRobustLossOnAnotherScaleAreRefused) {
  EXPECT_EQ(refused_options([](Options& o) {
              o.grown().loss = Loss::robust;
              o.grown().target_scale = TargetScale::logarithm;
            }),
            "The option 'target_scale' is 'log'; it must be 'auto' or 'identity' with the robust loss.");
}

}  // namespace
}  // namespace kore

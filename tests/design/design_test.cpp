#include "kore/design.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "kore/error.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::refusal;

constexpr Range unit{0, 1};

std::vector<Feature> splines(std::size_t count) {
  return std::vector<Feature>(count, {"", unit, FeatureKind::spline});
}

/// Feature `j` is linear where bit `j` is set.
std::vector<Feature> of_kinds(std::size_t count, unsigned linear) {
  auto features = splines(count);
  for (std::size_t j = 0; j < count; ++j)
    if ((linear >> j & 1U) != 0) features[j].kind = FeatureKind::linear;
  return features;
}

Design centred(std::size_t features, std::vector<Term> terms, int degree = 3) {
  return {splines(features), std::move(terms), degree, Parametrisation::centred};
}

std::string refused(std::vector<Feature> features, std::vector<Term> terms,
                    Parametrisation parametrisation = Parametrisation::centred) {
  return refusal(ErrorCode::invalid_argument,
                 [&] { Design(std::move(features), std::move(terms), 3, parametrisation); });
}

TEST(DesignColumns, OfTheAdditiveFamilyFollowThePaper) {
  for (int k = 1; k <= max_degree; ++k)
    for (int g = 1; g <= 20; ++g)
      for (const std::size_t d : {1, 2, 7}) {
        const auto full = static_cast<std::size_t>(g + k);
        EXPECT_EQ(Design::additive(splines(d), g, k).columns(), d * full - (d - 1));
      }
}

TEST(DesignColumns, OfThePairwiseFamilyFollowThePaper) {
  for (int k = 1; k <= max_degree; ++k)
    for (int g = 1; g <= 8; ++g)
      for (const std::size_t d : {1, 3, 5}) {
        const auto pairs = all_pairs(d);
        const auto m = static_cast<std::size_t>(g + k - 1);
        EXPECT_EQ(Design::pairwise(splines(d), pairs, g, k).columns(), 1 + d * m + pairs.size() * m * m);
      }
}

TEST(DesignColumns, WithTriplesFollowTheGeneralOrder) {
  for (const int k : {1, 3, 5})
    for (const int g : {1, 2, 4}) {
      const Design design = centred(4,
                                    {{{0}, {g}},
                                     {{1}, {g}},
                                     {{2}, {g}},
                                     {{3}, {g}},
                                     {{0, 3}, {g, g}},
                                     {{0, 1, 2}, {g, g, g}},
                                     {{3, 2, 1}, {g, g, g}}},
                                    k);
      const auto m = static_cast<std::size_t>(g + k - 1);
      EXPECT_EQ(design.columns(), 1 + 4 * m + m * m + 2 * m * m * m);
      EXPECT_EQ(static_cast<double>(design.columns()), (BasisCount{k, {4, 1, 2}, 1}(g)));
    }
}

TEST(DesignColumns, MultiplyTheResolutionsOfTheCoordinates) {
  const Design design = centred(3, {{{1}, {4}}, {{0, 2}, {2, 5}}, {{2, 0, 1}, {1, 3, 2}}}, 3);
  EXPECT_EQ(design.term_columns(0), 6u);
  EXPECT_EQ(design.term_columns(1), 4u * 7u);
  EXPECT_EQ(design.term_columns(2), 3u * 5u * 4u);
  EXPECT_EQ(design.offset(0), 1u);
  EXPECT_EQ(design.offset(1), 7u);
  EXPECT_EQ(design.offset(2), 35u);
  EXPECT_EQ(design.columns(), 95u);
  EXPECT_EQ(design.coordinate_columns(2, 0), 3u);
  EXPECT_EQ(design.coordinate_columns(2, 1), 5u);
  EXPECT_EQ(design.coordinate_columns(2, 2), 4u);
}

TEST(DesignColumns, OfALinearFeatureAreOneWhateverTheResolution) {
  const auto features = of_kinds(3, 0b101);
  for (const int g : {1, 2, 50}) {
    const Design design(features, {{{0}, {g}}, {{0, 2}, {g, g}}, {{1}, {2}}, {{1, 2}, {2, g}}}, 3,
                        Parametrisation::centred);
    EXPECT_EQ(design.term_columns(0), 1u);
    EXPECT_EQ(design.term_columns(1), 1u);
    EXPECT_EQ(design.term_columns(2), 4u);
    EXPECT_EQ(design.term_columns(3), 4u);
    EXPECT_EQ(design.basis(0, 0).degree(), 1);
    EXPECT_EQ(design.basis(0, 0).resolution(), 1);
  }
  // Two functions of the first feature, which keeps all, and one less of the others.
  EXPECT_EQ(Design::additive(features, 4, 3).columns(), 2u + 6u + 1u);
}

TEST(DesignColumns, AreCountedByBasisCountForEveryFamily) {
  constexpr std::size_t d = 4;
  const std::vector<std::vector<FeaturePair>> graphs{{}, {{0, 1}}, {{2, 0}, {1, 3}}, all_pairs(d)};
  for (unsigned linear = 0; linear < 16; ++linear)
    for (const auto& pairs : graphs)
      for (const int k : {1, 2, 3, 7})
        for (const int g : {1, 2, 5}) {
          const auto features = of_kinds(d, linear);
          const auto counted = basis_count(features, pairs, k)(g);
          EXPECT_EQ(counted, static_cast<double>(Design::pairwise(features, pairs, g, k).columns()));
          if (pairs.empty()) {
            EXPECT_EQ(counted, static_cast<double>(Design::additive(features, g, k).columns()));
          }
        }
}

TEST(DesignColumns, OfACategoryAreOneLessThanItsLevelsWhateverTheResolution) {
  std::vector<Feature> features = splines(2);
  features.push_back({"", {0, 4}, FeatureKind::category, 5});
  features.push_back({"", {0, 0}, FeatureKind::category, 1});
  for (const int g : {1, 50}) {
    const Design design(features,
                        {{{2}, {g}}, {{3}, {g}}, {{0, 2}, {2, g}}, {{2, 3}, {g, g}}, {{0, 2, 1}, {1, g, 2}}},
                        3, Parametrisation::centred);
    EXPECT_EQ(design.term_columns(0), 4u);
    EXPECT_EQ(design.term_columns(1), 0u);  // a constant: it can differ from nothing
    EXPECT_EQ(design.term_columns(2), 4u * 4u);
    EXPECT_EQ(design.term_columns(3), 0u);
    EXPECT_EQ(design.term_columns(4), 3u * 4u * 4u);
    EXPECT_EQ(design.raw_term_columns(0), 5u);
    EXPECT_EQ(design.raw_term_columns(1), 1u);
    EXPECT_EQ(design.raw_term_columns(2), 5u * 5u);
    EXPECT_EQ(design.marginals().size(), 5u);
  }
}

TEST(DesignColumns, WithCategoriesAreCountedByBasisCount) {
  constexpr std::size_t d = 5;
  const std::vector<std::vector<FeaturePair>> graphs{{}, {{0, 1}}, {{2, 0}, {1, 3}}, all_pairs(d)};
  constexpr std::array kinds{FeatureKind::spline, FeatureKind::linear, FeatureKind::category};
  for (unsigned mix = 0; mix < 243; ++mix) {
    std::vector<Feature> features = splines(d);
    unsigned rest = mix;
    for (std::size_t j = 0; j < d; ++j, rest /= 3) {
      features[j].kind = kinds[rest % 3];
      features[j].levels = j == 4 ? 1 : 2 + static_cast<int>(3 * j);
    }
    for (const auto& pairs : graphs)
      for (const int g : {1, 2, 5}) {
        const BasisCount size = basis_count(features, pairs, 3);
        EXPECT_EQ(size(g), static_cast<double>(Design::pairwise(features, pairs, g, 3).columns()));
        if (pairs.empty()) {
          EXPECT_EQ(size(g), static_cast<double>(Design::additive(features, g, 3).columns()));
        }
        EXPECT_EQ(size.order() == 0, size(1) == size(2));
      }
  }
}

TEST(DesignLayout, HoldsAllProductsOfAllFunctionsInTheOrderOfTheTerms) {
  const Design design = centred(3, {{{1}, {4}}, {{0, 2}, {2, 5}}, {{2, 0, 1}, {1, 3, 2}}}, 3);
  EXPECT_EQ(design.raw_offset(0), 0u);
  EXPECT_EQ(design.raw_term_columns(0), 7u);
  EXPECT_EQ(design.raw_offset(1), 7u);
  EXPECT_EQ(design.raw_term_columns(1), 5u * 8u);
  EXPECT_EQ(design.raw_offset(2), 47u);
  EXPECT_EQ(design.raw_term_columns(2), 4u * 6u * 5u);
  EXPECT_EQ(design.raw_columns(), 167u);
}

TEST(DesignLayout, HasTheSameRawFunctionsInBothParametrisations) {
  const Design additive = Design::additive(splines(3), 4, 2);
  const Design pairwise = Design::pairwise(splines(3), {}, 4, 2);
  EXPECT_EQ(additive.raw_columns(), 18u);
  EXPECT_EQ(pairwise.raw_columns(), 18u);
  EXPECT_FALSE(additive.has_intercept());
  EXPECT_TRUE(pairwise.has_intercept());
  EXPECT_EQ(additive.offset(0), 0u);
  EXPECT_EQ(additive.term_columns(0), 6u);
  EXPECT_EQ(additive.term_columns(1), 5u);
  EXPECT_EQ(pairwise.offset(0), 1u);
  EXPECT_EQ(pairwise.term_columns(0), 5u);
}

TEST(DesignLayout, EvaluatesEqualCoordinatesOnce) {
  auto features = of_kinds(3, 0b100);
  const Design design(features,
                      {{{0}, {3}}, {{1}, {2}}, {{2}, {5}}, {{0, 1}, {3, 4}}, {{1, 2, 0}, {2, 9, 3}}}, 3,
                      Parametrisation::centred);
  // Feature 0 at 3, feature 1 at 2 and at 4, and the straight line, which knows no resolution.
  ASSERT_EQ(design.marginals().size(), 4u);
  EXPECT_EQ(design.term_marginals(3)[0], design.term_marginals(0)[0]);
  EXPECT_NE(design.term_marginals(3)[1], design.term_marginals(1)[0]);
  EXPECT_EQ(design.term_marginals(4),
            (std::vector<std::size_t>{design.term_marginals(1)[0], design.term_marginals(2)[0],
                                      design.term_marginals(0)[0]}));
  for (std::size_t t = 0; t < design.terms().size(); ++t)
    for (std::size_t c = 0; c < design.terms()[t].order(); ++c) {
      const Marginal& marginal = design.marginals()[design.term_marginals(t)[c]];
      EXPECT_EQ(marginal.feature, design.terms()[t].features[c]);
    }
}

TEST(DesignLayout, TakesTheKnotsFromTheRangesOfTheFeatures) {
  const Design design({{"x", {-2, 5}, FeatureKind::spline}, {"c", {3, 3}, FeatureKind::spline}},
                      {{{0}, {4}}, {{1}, {2}}}, 3, Parametrisation::centred);
  EXPECT_EQ(design.basis(0, 0).knots().first, -2);
  EXPECT_EQ(design.basis(0, 0).knots().last, 5);
  EXPECT_EQ(design.basis(0, 0).resolution(), 4);
  EXPECT_TRUE(design.basis(1, 0).constant());
  EXPECT_EQ(design.term_columns(1), 4u);  // a constant column keeps its place, with zeros
}

TEST(DesignLayout, TakesTheKnotsFromTheValuesOfAWarp) {
  const Warp warp{{-2, 0, 5}, {0, 0.7, 1}};
  const Design design(
      {{"x", {-2, 5}, FeatureKind::spline, 0, warp}, {"line", {-2, 5}, FeatureKind::linear, 0, warp}},
      {{{0}, {4}}, {{1}, {2}}}, 3, Parametrisation::centred);
  for (const std::size_t term : {0U, 1U}) {
    EXPECT_EQ(design.basis(term, 0).knots().first, 0);
    EXPECT_EQ(design.basis(term, 0).knots().last, 1);
    EXPECT_EQ(design.argument(term, 0, 0), 0.7);
    EXPECT_EQ(design.features()[term].range.highest, 5);
  }
  EXPECT_EQ(design.basis(1, 0).functions(), 2);
}

TEST(DesignRefusal, NeedsATerm) {
  const char* sentence = "A design needs at least one term, so there must be at least one feature.";
  EXPECT_EQ(refused(splines(2), {}), sentence);
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [] { Design::additive({}, 3, 3); }), sentence);
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [] { Design::pairwise({}, {}, 3, 3); }), sentence);
}

TEST(DesignRefusal, OfATermWithNoneOrMoreThanThreeFeatures) {
  EXPECT_EQ(refused(splines(5), {{{0, 1, 2, 3}, {1, 1, 1, 1}}}),
            "A term has 4 features; it must have one, two or three.");
  EXPECT_EQ(refused(splines(5), {{{}, {}}}), "A term has 0 features; it must have one, two or three.");
}

TEST(DesignRefusal, OfAFeatureOutOfRange) {
  EXPECT_EQ(refused(splines(2), {{{0}, {1}}, {{2}, {1}}}),
            "A term uses feature 2, but there are only 2 features (counted from 0).");
  EXPECT_EQ(refused(splines(2), {{{0, 7}, {1, 1}}}),
            "A term uses feature 7, but there are only 2 features (counted from 0).");
}

TEST(DesignRefusal, OfAFeatureTwiceInATerm) {
  EXPECT_EQ(
      refused(splines(3), {{{1, 1}, {2, 3}}}),
      "The term feature 1 x feature 1 uses a feature twice. An interaction is between different features.");
  EXPECT_EQ(
      refused({{"a", unit, FeatureKind::spline}, {"b", unit, FeatureKind::spline}}, {{{0, 1, 0}, {2, 2, 2}}}),
      "The term 'a' x 'b' x 'a' uses a feature twice. An interaction is between different features.");
}

TEST(DesignRefusal, OfATermGivenTwiceInAnyOrder) {
  EXPECT_EQ(refused(splines(2), {{{1}, {2}}, {{1}, {3}}}), "The term feature 1 is given twice.");
  EXPECT_EQ(refused(splines(2), {{{0, 1}, {2, 2}}, {{1, 0}, {3, 3}}}),
            "The term feature 1 x feature 0 is given twice.");
  EXPECT_EQ(refused(splines(3), {{{0, 1, 2}, {1, 1, 1}}, {{2, 0, 1}, {1, 1, 1}}}),
            "The term feature 2 x feature 0 x feature 1 is given twice.");
}

TEST(DesignRefusal, OfResolutionsThatDoNotFit) {
  EXPECT_EQ(refused(splines(2), {{{0, 1}, {2}}}),
            "The term feature 0 x feature 1 needs one resolution for each of its features.");
  EXPECT_EQ(refused(splines(2), {{{0}, {0}}}),
            "The term feature 0 has a resolution of 0; it must be at least 1.");
  EXPECT_EQ(refused(of_kinds(2, 0b11), {{{0, 1}, {1, -4}}}),
            "The term feature 0 x feature 1 has a resolution of -4; it must be at least 1.");
  EXPECT_EQ(refused(splines(2), {{{0}, {std::numeric_limits<int>::max()}}}),
            "The resolution is 2147483647; it must not exceed 1000000.");
  EXPECT_NE(refusal(ErrorCode::invalid_argument, [] { Design::additive(splines(2), 0, 3); }), "");
  EXPECT_NE(refusal(ErrorCode::invalid_argument, [] { Design::pairwise(splines(2), {}, 0, 3); }), "");
}

TEST(DesignRefusal, OfABadDegreeAlsoWhereEveryFeatureIsLinear) {
  for (const int degree : {0, 8})
    for (const auto& features : {splines(1), of_kinds(1, 1)})
      EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { Design::additive(features, 2, degree); }),
                "The spline degree is " + std::to_string(degree) + "; it must lie between 1 and 7.");
}

TEST(DesignRefusal, OfABadRange) {
  EXPECT_EQ(refused({{"x", {1, 0}, FeatureKind::spline}}, {{{0}, {2}}}),
            "The range of a coordinate must be finite and ordered, but it goes from 1 to 0.");
}

TEST(DesignRefusal, OfACategoryWithoutLevels) {
  for (const int levels : {0, -1, 1000001})
    for (const std::vector<Term>& terms : {std::vector<Term>{{{0}, {1}}}, {{{1}, {1}}}})  // used or not
      EXPECT_EQ(refused({{"colour", unit, FeatureKind::category, levels}, {"x", unit}}, terms),
                "The category 'colour' has " + std::to_string(levels) +
                    " levels; it must have between 1 and 1000000.");
}

TEST(DesignRefusal, OfAWarpThatDoesNotRise) {
  const auto sentence = [](std::vector<double> nodes, std::vector<double> values) {
    return refused({{"x", unit, FeatureKind::spline, 0, {std::move(nodes), std::move(values)}}},
                   {{{0}, {2}}});
  };
  const char* falls =
      "The warp of the feature 'x' must rise: each node and each value must be finite and larger than the "
      "one "
      "before.";
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sentence({0, 1, 1}, {0, 0.5, 1}), falls);
  EXPECT_EQ(sentence({0, 2, 1}, {0, 0.5, 1}), falls);
  EXPECT_EQ(sentence({0, 0.5, 1}, {0, 0.5, 0.5}), falls);
  EXPECT_EQ(sentence({0, 1, infinity}, {0, 0.5, 1}), falls);
  EXPECT_EQ(sentence({0, std::nan(""), 1}, {0, 0.5, 1}), falls);
  EXPECT_EQ(
      sentence({0, 1, 2}, {0, 1}),
      "The warp of the feature 'x' has 3 nodes and 2 values; it needs two or more, and as many of each.");
  EXPECT_EQ(
      sentence({0}, {0}),
      "The warp of the feature 'x' has 1 nodes and 1 values; it needs two or more, and as many of each.");
  EXPECT_NO_THROW(Design({{"x", unit, FeatureKind::spline, 0, {{0, 1}, {3, 4}}}}, {{{0}, {2}}}, 3,
                         Parametrisation::centred));
}

TEST(DesignRefusal, OfAWarpOfACategory) {
  EXPECT_EQ(refused({{"colour", unit, FeatureKind::category, 3, {{0, 1}, {0, 1}}}}, {{{0}, {2}}}),
            "The warp of the feature 'colour' has no meaning: the feature is a category.");
}

TEST(DesignRefusal, OfAnInteractionInTheAdditiveParametrisation) {
  EXPECT_EQ(refused({{"a", unit, FeatureKind::spline}, {"b", unit, FeatureKind::spline}},
                    {{{0}, {1}}, {{0, 1}, {1, 1}}}, Parametrisation::first_block_full),
            "The additive parametrisation has main effects only, but was given 'a' x 'b'.");
}

TEST(Pairs, OutOfRangeRepeatedOrOfOneFeatureAreRefused) {
  const auto sentence = [](std::vector<FeaturePair> pairs) {
    const std::string alone = refusal(ErrorCode::invalid_argument, [&] { check_pairs(pairs, 3); });
    EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { Design::pairwise(splines(3), pairs, 2, 3); }),
              alone);
    return alone;
  };
  EXPECT_EQ(sentence({{0, 1}, {1, 3}}),
            "The pair (1, 3) is out of range: there are 3 features, counted from 0.");
  EXPECT_EQ(sentence({{9, 0}}), "The pair (9, 0) is out of range: there are 3 features, counted from 0.");
  EXPECT_EQ(sentence({{2, 2}}),
            "The pair (2, 2) joins a feature with itself. A pair needs two different features.");
  EXPECT_EQ(sentence({{0, 1}, {1, 2}, {0, 1}}), "The pair (0, 1) is given twice.");
  EXPECT_EQ(sentence({{0, 1}, {1, 0}}), "The pair (1, 0) is given twice.");
  EXPECT_NO_THROW(check_pairs(all_pairs(3), 3));
  EXPECT_NO_THROW(check_pairs({}, 0));
}

TEST(Pairs, OfAllFeaturesAreListedInOrder) {
  EXPECT_EQ(all_pairs(4), (std::vector<FeaturePair>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_TRUE(all_pairs(1).empty());
  EXPECT_TRUE(all_pairs(0).empty());
}

TEST(Pairs, BecomeTermsAfterTheMainEffectsInTheGivenOrder) {
  const std::vector<FeaturePair> pairs{{2, 0}, {0, 1}};
  const Design design = Design::pairwise(splines(3), pairs, 4, 3);
  ASSERT_EQ(design.terms().size(), 5u);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(design.terms()[j].features, std::vector<std::size_t>{j});
  EXPECT_EQ(design.terms()[3].features, (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(design.terms()[4].features, (std::vector<std::size_t>{0, 1}));
  for (const Term& term : design.terms()) EXPECT_EQ(term.resolutions, std::vector<int>(term.order(), 4));
}

}  // namespace
}  // namespace kore

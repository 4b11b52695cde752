// Coordinates of terms that are no curves: single values of a number, and straight lines.
#include <gtest/gtest.h>

#include "kore/design.hpp"
#include "kore/error.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

std::vector<Feature> splines(std::size_t count) {
  return std::vector<Feature>(count, {"", {0, 1}, FeatureKind::spline});
}

std::string refused(const std::vector<Feature>& features, const std::vector<Term>& terms) {
  return test::refusal(ErrorCode::invalid_argument,
                       [&] { Design(features, terms, 3, Parametrisation::centred); });
}

TEST(SingleValues, HaveAFunctionEachAndOneForAllOtherValues) {
  std::vector<Feature> features = splines(2);
  features[0].repeated = {0.1, 0.4, 0.5};
  const Design design(features, {{{0}, {4}}, {{0}, {each_value}}, {{0, 1}, {each_value, 2}}}, 3,
                      Parametrisation::centred);
  EXPECT_EQ(design.term_columns(0), 6u);
  EXPECT_EQ(design.term_columns(1), 3u);
  EXPECT_EQ(design.term_columns(2), 3u * 4u);
  EXPECT_TRUE(design.terms()[2].by_value());
  EXPECT_FALSE(design.terms()[0].by_value());
  EXPECT_EQ(design.argument(1, 0, 0.4), 1);
  EXPECT_EQ(design.argument(1, 0, 0.45), 3);  // none of them
  EXPECT_EQ(design.argument(0, 0, 0.45), 0.45);
}

TEST(SingleValues, ThatTheFeatureDoesNotHaveAreRefused) {
  EXPECT_EQ(refused(splines(1), {{{0}, {each_value}}}),
            "The term feature 0 has a resolution of 0; it must be at least 1.");
  std::vector<Feature> features = splines(1);
  features[0].repeated = {0.4, 0.4};
  EXPECT_EQ(refused(features, {{{0}, {2}}}),
            "The repeated values of the feature '' must be finite and rise, and the feature must not be a "
            "category.");
  features[0].repeated = {0.4};
  EXPECT_EQ(refused(features, {{{0}, {each_value}}, {{0}, {each_value}}}),
            "The term feature 0 is given twice.");
}

TEST(StraightCoordinates, AreLinesInTheFeatureItselfWhateverItsWarp) {
  std::vector<Feature> features = splines(2);
  features[0].warp = {{0, 0.2, 1}, {0, 0.7, 1}};
  const Design design(features, {{{0}, {4}}, {{0, 1}, {straight, 4}}}, 3, Parametrisation::centred);
  EXPECT_EQ(design.term_columns(1), 6u);
  EXPECT_EQ(design.argument(1, 0, 0.2), 0.2);
  EXPECT_EQ(design.argument(0, 0, 0.2), 0.7);
  EXPECT_EQ(design.basis(1, 0).degree(), 1);
  EXPECT_EQ(design.basis(1, 0).knots().last, 1);
}

}  // namespace
}  // namespace kore

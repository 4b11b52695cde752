#include "kore/select.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace kore {
namespace {

Family choose(double additive_loo, double pairwise_loo) {
  Selection additive;
  Selection pairwise;
  additive.loo = additive_loo;
  pairwise.loo = pairwise_loo;
  return choose_structure(additive, pairwise);
}

TEST(Structure, IsPairwiseOnlyIfItsLooIsStrictlySmaller) {
  EXPECT_EQ(choose(1.0, 0.5), Family::pairwise);
  EXPECT_EQ(choose(0.5, 1.0), Family::additive);
  EXPECT_EQ(choose(0.5, 0.5), Family::additive);
}

TEST(Structure, NeverFollowsAScoreThatIsNotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(choose(infinity, 3.0), Family::pairwise);
  EXPECT_EQ(choose(nan, 3.0), Family::pairwise);
  EXPECT_EQ(choose(3.0, nan), Family::additive);
  EXPECT_EQ(choose(infinity, infinity), Family::additive);
  EXPECT_EQ(choose(nan, infinity), Family::additive);
}

TEST(Structure, HasANameForEachFamily) {
  EXPECT_STREQ(to_string(Family::additive), "additive");
  EXPECT_STREQ(to_string(Family::pairwise), "pairwise");
}

}  // namespace
}  // namespace kore

#include "kore/selector.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace kore {
namespace {

Structure choose(double additive_loo, double pairwise_loo) {
  Selection additive;
  Selection pairwise;
  additive.loo = additive_loo;
  pairwise.loo = pairwise_loo;
  return choose_structure(additive, pairwise);
}

TEST(Structure, IsPairwiseOnlyIfItsLooIsStrictlySmaller) {
  EXPECT_EQ(choose(1.0, 0.5), Structure::pairwise);
  EXPECT_EQ(choose(0.5, 1.0), Structure::additive);
  EXPECT_EQ(choose(0.5, 0.5), Structure::additive);
}

TEST(Structure, NeverFollowsAScoreThatIsNotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(choose(infinity, 3.0), Structure::pairwise);
  EXPECT_EQ(choose(nan, 3.0), Structure::pairwise);
  EXPECT_EQ(choose(3.0, nan), Structure::additive);
  EXPECT_EQ(choose(infinity, infinity), Structure::additive);
  EXPECT_EQ(choose(nan, infinity), Structure::additive);
}

TEST(Structure, HasANameForEachFamily) {
  EXPECT_STREQ(to_string(Structure::additive), "additive");
  EXPECT_STREQ(to_string(Structure::pairwise), "pairwise");
}

}  // namespace
}  // namespace kore

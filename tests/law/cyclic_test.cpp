// Cyclic coordinates begin to grow at a resolution of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kore/law.hpp"

namespace kore {
namespace {

TEST(Law, SeeksNoResolutionAtWhichCyclicTermsHaveNotBegunToGrow) {
  const auto circle = [](std::size_t count, int finest) { return LimitedTerms{count, {finest}, {3}}; };
  const LimitedTerms line{1, {2}, {0}};
  const LimitedTerms wide{1, {24, 64}, {3, 0}};
  EXPECT_EQ((BasisCount{3, {0}, 1, {circle(1, 24)}}(1)), 3) << "three functions less one, and the constant";
  EXPECT_EQ((BasisCount{3, {0}, 1, {circle(1, 24)}}(10)), 10);
  EXPECT_EQ((BasisCount{3, {0}, 1, {circle(1, 24)}}.grows_from()), 3);
  EXPECT_EQ((BasisCount{3, {0}, 1, {circle(1, 24), line}}.grows_from()), 3);
  EXPECT_EQ((BasisCount{3, {0}, 1, {circle(1, 24), wide}}.grows_from()), 0);
  EXPECT_EQ((BasisCount{3, {1}, 1, {circle(1, 24)}}.grows_from()), 0);
  for (const auto& limited : {std::vector{circle(1, 24)},
                              {circle(3, 24), circle(1, 7)},
                              {circle(1, 3)},
                              {circle(1, 24), line},
                              {LimitedTerms{4, {24, 12}, {3, 3}}}}) {
    const BasisCount size{3, {0}, 1, limited};
    for (const double bias : {1e-9, 1e-3, 1.0, 1e3, 1e9, 1e15})
      for (const double highest : {1.0, 2.0, 3.0, 8.0, 64.0}) {
        const LawConstants law{bias, 0.3};
        const double found = optimal_resolution(law, size, 500, 4, 1, highest);
        EXPECT_GE(found, std::min(highest, 3.0));
        EXPECT_LE(found, highest);
        const double least = excess_risk(law, size, 500, 4, found);
        for (double g = std::min(highest, 3.0); g <= std::min(highest, size.finest()); g += 0.01)
          EXPECT_GE(excess_risk(law, size, 500, 4, g), least * (1 - 1e-12)) << g << " beside " << found;
      }
    for (const double factor : {0.5, 1.0, 10.0})
      EXPECT_TRUE(std::isfinite(forecast({1, 0.3}, size, 500, 4, factor).resolution));
  }
}

}  // namespace
}  // namespace kore

// Other forms of interactions: value by value, and straight lines times curves.
#include "grow/forms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "grow/made_up_growth.hpp"
#include "grow/refinement.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

std::vector<ScoredTerm> offered(const MadeUpGrowth& growth) {
  const Stage mains = fit_penalised(growth.data, growth.mains(8));
  std::vector<ScoredTerm> scored =
      score_terms(growth.data, mains, {growth.term({0, 1}, 2).term, growth.term({1, 2}, 2).term});
  offer_other_forms(growth.data, mains, scored);
  return scored;
}

TEST(Forms, OfACurveTimesANumberAreALineTimesACurve) {
  Rows rows = made_up_rows(400, 3, 71);
  test::Uniform random(72);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = (rows.at(r, 0) - 0.5) * 4 * std::sin(6 * rows.at(r, 1)) + 0.5 * random.between(-1, 1);
  const std::vector<ScoredTerm> scored = offered(MadeUpGrowth(rows));
  EXPECT_EQ(scored[0].term.features, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(scored[0].term.resolutions[0], straight);
  EXPECT_GT(scored[0].term.resolutions[1], 1);
  EXPECT_GE(scored[0].gain, scored[1].gain);
}

TEST(Forms, OfASmoothSurfaceStayCurves) {
  Rows rows = made_up_rows(400, 3, 73);
  test::Uniform random(74);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = std::sin(5 * rows.at(r, 0)) * std::cos(5 * rows.at(r, 1)) + 0.3 * random.between(-1, 1);
  const std::vector<ScoredTerm> scored = offered(MadeUpGrowth(rows));
  EXPECT_EQ(scored[0].term.resolutions, (std::vector<int>{2, 2}));
}

TEST(Forms, OfANumberWhoseOrderMeansNothingActValueByValue) {
  Rows rows = made_up_rows(600, 3, 75);
  test::Uniform random(76);
  constexpr std::array slopes{3.0, -3.0, 2.0, -1.0, 3.0, -2.0, 1.0, -3.0};
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 0) = std::floor(8 * rows.at(r, 0));
    rows.y[r] = slopes[static_cast<std::size_t>(rows.at(r, 0))] * rows.at(r, 1) + 0.5 * random.between(-1, 1);
  }
  const std::vector<ScoredTerm> scored = offered(MadeUpGrowth(rows));
  EXPECT_EQ(scored[0].term.features, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(scored[0].term.resolutions[0], each_value);
}

TEST(Refinement, StartsWithTheTermThatUsesMostOfItsColumns) {
  const MadeUpGrowth growth(made_up_rows(200, 3, 77));
  Stage stage;
  stage.terms = {growth.term({0, 1}, 2), growth.term({0, 2}, 2), growth.term({1, 2}, 2)};
  for (GrownTerm& grown : stage.terms) grown.columns = 16;
  stage.terms[0].parameters = 4;
  stage.terms[1].parameters = 9;
  stage.terms[2].parameters = 1;  // too few to be refined
  bool any = false;
  const auto resolutions = [&](std::size_t most) {
    const std::vector<GrownTerm> terms = refined(
        growth.data, stage, {16, 1},
        [&](std::span<const GrownTerm> t) { return columns_of(growth.data, t) <= most; }, any);
    return std::vector{terms[0].term.resolutions[0], terms[1].term.resolutions[0],
                       terms[2].term.resolutions[0]};
  };
  EXPECT_EQ(resolutions(1000), (std::vector{4, 4, 2}));
  EXPECT_TRUE(any);
  EXPECT_EQ(resolutions(1 + 16 + 36 + 16), (std::vector{2, 4, 2}));
  EXPECT_TRUE(any);
  EXPECT_EQ(resolutions(1 + 3 * 16), (std::vector{2, 2, 2}));
  EXPECT_FALSE(any);
}

}  // namespace
}  // namespace kore

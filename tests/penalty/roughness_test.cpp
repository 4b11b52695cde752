// Shapes of penalties on the solved columns.
#include "penalty/roughness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kore/solve.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

Design design_of(std::vector<Term> terms) {
  std::vector<Feature> features(3, Feature{"", {0, 1}, FeatureKind::spline});
  features[2].kind = FeatureKind::linear;
  for (const int levels : {5, 2, 30, 1}) features.push_back({"", {0, 1}, FeatureKind::category, levels});
  return {std::move(features), std::move(terms), 3, Parametrisation::centred};
}

/// The penalty of an effect given by coefficients of all functions of its coordinates: the solved columns of
/// the same effect are the differences to the functions left out.
double penalty_of(const Design& design, const std::vector<double>& all, std::size_t which = 0) {
  const std::vector<double> penalty = term_penalties(design, 0).at(which);
  const std::size_t order = design.terms()[0].order();
  const auto inner = order == 2 ? static_cast<std::size_t>(design.basis(0, 1).functions()) : 1;
  const std::size_t outer = all.size() / inner;
  std::vector<double> solved;
  for (std::size_t i = 0; i + 1 < outer; ++i)
    for (std::size_t j = 0; j + (order == 2 ? 1 : 0) < inner; ++j)
      solved.push_back(order == 1 ? all[i] - all[outer - 1]
                                  : all[i * inner + j] - all[(outer - 1) * inner + j] -
                                        all[i * inner + inner - 1] + all[outer * inner - 1]);
  double total = 0;
  for (std::size_t i = 0; i < solved.size(); ++i)
    for (std::size_t j = 0; j < solved.size(); ++j)
      total += solved[i] * penalty[i * solved.size() + j] * solved[j];
  return total;
}

TEST(Roughness, OfAMainEffectIsItsSecondDifferencesAndItsSize) {
  const Design design = design_of({{{0}, {4}}});
  const std::vector<double> coefficients{1, -2, 0.5, 3, 3, -1, 2};
  double bends = 0;
  double size = 0;
  double mean = 0;
  for (const double c : coefficients) mean += c / 7;
  for (std::size_t i = 0; i + 2 < 7; ++i)
    bends += std::pow(coefficients[i] - 2 * coefficients[i + 1] + coefficients[i + 2], 2);
  for (const double c : coefficients) size += (c - mean) * (c - mean);
  EXPECT_NEAR(penalty_of(design, coefficients, 0), bends, 1e-12);
  EXPECT_NEAR(penalty_of(design, coefficients, 1), size, 1e-12);
}

TEST(Roughness, OfAStraightLineIsItsSizeAlone) {
  std::vector<double> line;
  for (int i = 0; i < 9; ++i) line.push_back(0.3 * i - 1);
  EXPECT_NEAR(penalty_of(design_of({{{0}, {6}}}), line, 0), 0, 1e-12);
  EXPECT_EQ(term_penalties(design_of({{{2}, {6}}}), 0).size(), 1U);  // a feature that is a line by its kind
}

TEST(Roughness, OfAPairDoesNotSeeWhatBelongsToItsMainEffects) {
  const Design design = design_of({{{0, 1}, {2, 3}}});
  test::Uniform uniform(311);
  std::vector<double> surface(5 * 6);
  for (double& c : surface) c = uniform.between(-1, 1);
  std::vector<double> shifted = surface;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      shifted[i * 6 + j] += std::sin(static_cast<double>(i)) + 0.2 * static_cast<double>(j * j);
  EXPECT_NEAR(penalty_of(design, shifted), penalty_of(design, surface), 1e-10);
}

TEST(Roughness, OfACategoryIsTheSpreadOfItsLevels) {
  for (const std::size_t category : {3U, 4U, 5U}) {
    const Design design = design_of({{{category}, {6}}});
    EXPECT_EQ(term_penalties(design, 0).size(), 1U);
    test::Uniform uniform(312);
    std::vector<double> levels;
    double mean = 0;
    double spread = 0;
    for (int i = 0; i < design.features()[category].levels; ++i) levels.push_back(uniform.between(-1, 1));
    for (const double c : levels) mean += c / static_cast<double>(levels.size());
    for (const double c : levels) spread += (c - mean) * (c - mean);
    EXPECT_NEAR(penalty_of(design, levels), spread, 1e-12);
  }
}

TEST(Roughness, OfACurvePerLevelHoldsItToTheCommonOneAndToALine) {
  constexpr std::size_t levels = 5;
  constexpr std::size_t functions = 6;
  test::Uniform uniform(313);
  std::vector<double> curves(levels * functions);
  for (double& c : curves) c = uniform.between(-1, 1);
  // What is left of the curves when the common one and each one's own level are taken out ...
  std::vector<double> own = curves;
  for (std::size_t j = 0; j < functions; ++j) {
    double common = 0;
    for (std::size_t i = 0; i < levels; ++i) common += curves[i * functions + j] / levels;
    for (std::size_t i = 0; i < levels; ++i) own[i * functions + j] -= common;
  }
  std::vector<double> centred = own;
  for (std::size_t i = 0; i < levels; ++i) {
    double mean = 0;
    for (std::size_t j = 0; j < functions; ++j) mean += own[i * functions + j] / functions;
    for (std::size_t j = 0; j < functions; ++j) centred[i * functions + j] -= mean;
  }
  // ... bends along the spline and has a size.
  double expected = 0;
  for (std::size_t i = 0; i < levels; ++i) {
    const double* c = own.data() + i * functions;
    for (std::size_t j = 0; j + 2 < functions; ++j) expected += std::pow(c[j] - 2 * c[j + 1] + c[j + 2], 2);
    for (std::size_t j = 0; j < functions; ++j)
      expected += interaction_shrinkage * std::pow(centred[i * functions + j], 2);
  }
  std::vector<double> transposed(curves.size());
  for (std::size_t i = 0; i < levels; ++i)
    for (std::size_t j = 0; j < functions; ++j) transposed[j * levels + i] = curves[i * functions + j];
  const Design category_first = design_of({{{3, 0}, {1, 3}}});
  const Design spline_first = design_of({{{0, 3}, {3, 1}}});
  EXPECT_EQ(term_penalties(category_first, 0).size(), 1U);
  EXPECT_NEAR(penalty_of(category_first, curves), expected, 1e-12);
  EXPECT_NEAR(penalty_of(spline_first, transposed), expected, 1e-12);
}

TEST(Roughness, OfTwoCategoriesIsTheSizeOfTheirInteraction) {
  const std::vector<double> cells{1, 2, 0, -1, 0.5, 3, 1, -2, 0, 4};  // five levels by two
  double size = 0;
  double total = 0;
  for (const double c : cells) total += c / 10;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const double row = (cells[2 * i] + cells[2 * i + 1]) / 2;
      double column = 0;
      for (std::size_t k = 0; k < 5; ++k) column += cells[2 * k + j] / 5;
      size += std::pow(cells[2 * i + j] - row - column + total, 2);
    }
  const Design design = design_of({{{3, 4}, {1, 1}}});
  EXPECT_EQ(term_penalties(design, 0).size(), 1U);
  EXPECT_NEAR(penalty_of(design, cells), size, 1e-12);
}

TEST(Roughness, OfACircleIsItsSecondDifferencesAllAround) {
  std::vector<Feature> features(2, Feature{"", {0, 1}});
  features[0].cyclic = true;
  const Design curve(features, {{{0}, {6}}}, 3, Parametrisation::centred);
  const std::vector<double> c{1, -2, 0.5, 3, 3, -1};
  double bends = 0;
  for (std::size_t i = 0; i < 6; ++i) bends += std::pow(c[i] - 2 * c[(i + 1) % 6] + c[(i + 2) % 6], 2);
  ASSERT_EQ(term_penalties(curve, 0).size(), 1U);
  EXPECT_NEAR(penalty_of(curve, c), bends, 1e-12);
  std::vector<double> turned = c;
  std::ranges::rotate(turned, turned.begin() + 2);
  EXPECT_NEAR(penalty_of(curve, turned), bends, 1e-12) << "a circle has no beginning";
  for (const int resolution : {3, 8}) {
    const Design surface(features, {{{0, 1}, {resolution, 2}}}, 3, Parametrisation::centred);
    ASSERT_EQ(term_penalties(surface, 0).size(), 1U);
    EXPECT_NO_THROW(Cholesky(term_penalties(surface, 0)[0], surface.term_columns(0)));
  }
}

TEST(Roughness, OfASingleLevelIsNothing) {
  EXPECT_TRUE(term_penalties(design_of({{{6}, {1}}}), 0).empty());
  EXPECT_TRUE(term_penalties(design_of({{{0, 6}, {3, 1}}}), 0).empty());
}

TEST(Roughness, LeavesNoDirectionFree) {
  for (const Term& term :
       {Term{{0}, {1}}, Term{{0}, {12}}, Term{{2}, {1}}, Term{{0, 1}, {2, 2}}, Term{{0, 2}, {3, 1}},
        Term{{0, 1, 2}, {1, 2, 1}}, Term{{3}, {1}}, Term{{5}, {1}}, Term{{0, 3}, {2, 1}},
        Term{{2, 4}, {1, 1}}, Term{{3, 4}, {1, 1}}, Term{{3, 0, 4}, {1, 2, 1}}}) {
    const Design design = design_of({term});
    const std::size_t m = design.term_columns(0);
    std::vector<double> penalty(m * m);
    for (const auto& part : term_penalties(design, 0)) {
      ASSERT_EQ(part.size(), m * m);
      for (std::size_t i = 0; i < part.size(); ++i) penalty[i] += part[i];
    }
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(penalty[i * m + j], penalty[j * m + i], 1e-14);
    EXPECT_NO_THROW(Cholesky(penalty, m));
  }
}

}  // namespace
}  // namespace kore

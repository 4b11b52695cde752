// Shapes of penalties on the solved columns.
#include "penalty/roughness.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kore/solve.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

Design design_of(std::vector<Term> terms) {
  std::vector<Feature> features(3, Feature{"", {0, 1}, FeatureKind::spline});
  features[2].kind = FeatureKind::linear;
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

TEST(Roughness, LeavesNoDirectionFree) {
  for (const Term& term : {Term{{0}, {1}}, Term{{0}, {12}}, Term{{2}, {1}}, Term{{0, 1}, {2, 2}},
                           Term{{0, 2}, {3, 1}}, Term{{0, 1, 2}, {1, 2, 1}}}) {
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

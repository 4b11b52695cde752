#include "kore/classes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kore {
namespace {

/// Rows whose class follows from `scores`, and what models of each class against all others say of them.
LeftOutClasses drawn_rows(std::size_t rows, const ClassCoupling& truth, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  LeftOutClasses all;
  all.classes.resize(3);
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> shares{uniform(random), uniform(random), uniform(random)};
    std::vector<double> p = shares;
    couple(truth, p);
    const double draw = uniform(random);
    const std::size_t drawn = draw < p[0] ? 0 : draw < p[0] + p[1] ? 1 : 2;
    for (std::size_t k = 0; k < 3; ++k) {
      all.classes[k].prediction.push_back(shares[k]);
      all.classes[k].target.push_back(k == drawn ? 1 : 0);
      all.classes[k].weight.push_back(1 + static_cast<double>(r % 3));
    }
  }
  return all;
}

double penalised_likelihood(const LeftOutClasses& rows, const ClassCoupling& at) {
  double sum = -0.5 * ((at.yes - 1) * (at.yes - 1) + at.no * at.no);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    std::vector<double> p;
    for (const HeldOutRows& one : rows.classes) p.push_back(one.prediction[r]);
    couple(at, p);
    for (std::size_t k = 0; k < p.size(); ++k)
      if (rows.classes[k].target[r] > 0) sum += rows.classes[k].weight[r] * std::log(p[k]);
  }
  return sum;
}

TEST(Coupling, WithTheFirstExponentAloneDividesByTheSum) {
  std::vector<double> p{0.2, 0.1, 0.5};
  couple({}, p);
  EXPECT_NEAR(p[0], 0.25, 1e-15);
  EXPECT_NEAR(p[1], 0.125, 1e-15);
  EXPECT_NEAR(p[2], 0.625, 1e-15);
}

TEST(Coupling, WithBothExponentsOneSumsTheOdds) {
  std::vector<double> p{0.5, 0.75, 0.2};
  couple({1, 1}, p);
  const double sum = 1 + 3 + 0.25;
  EXPECT_NEAR(p[0], 1 / sum, 1e-15);
  EXPECT_NEAR(p[1], 3 / sum, 1e-15);
  EXPECT_NEAR(p[2], 0.25 / sum, 1e-15);
}

TEST(Coupling, IsFiniteAtTheEnds) {
  std::vector<double> p{0, 1, 1};
  couple({1, 1}, p);
  EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-15);
  EXPECT_NEAR(p[1], 0.5, 1e-9);
}

TEST(Coupling, IsThatOfLargestLikelihood) {
  const LeftOutClasses rows = drawn_rows(400, {0.7, 0.6}, 1);
  const ClassCoupling found = solve_coupling(rows);
  const double best = penalised_likelihood(rows, found);
  for (const double step : {1e-3, 0.05, 0.3})
    for (const auto& [yes, no] :
         {std::pair{step, 0.0}, {-step, 0.0}, {0.0, step}, {0.0, -step}, {step, -step}})
      EXPECT_LE(penalised_likelihood(rows, {found.yes + yes, found.no + no}), best) << yes << " " << no;
}

TEST(Coupling, FindsTheExponentsThatManyRowsFollow) {
  for (const ClassCoupling truth : {ClassCoupling{1, 0}, ClassCoupling{1, 1}, ClassCoupling{0.5, 2}}) {
    const ClassCoupling found = solve_coupling(drawn_rows(20000, truth, 2));
    EXPECT_NEAR(found.yes, truth.yes, 0.1);
    EXPECT_NEAR(found.no, truth.no, 0.1);
  }
}

TEST(Coupling, IsNeverNegative) {
  LeftOutClasses rows = drawn_rows(300, {1, 0}, 3);
  // Every class is the least probable one.
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (HeldOutRows& one : rows.classes) one.prediction[r] = 1 - one.prediction[r];
  const ClassCoupling found = solve_coupling(rows);
  EXPECT_GE(found.yes, 0);
  EXPECT_GE(found.no, 0);
}

TEST(Coupling, OfRowsToldApartWithoutAMistakeIsFinite) {
  LeftOutClasses rows = drawn_rows(100, {1, 0}, 4);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (HeldOutRows& one : rows.classes) one.prediction[r] = one.target[r];
  const ClassCoupling found = solve_coupling(rows);
  EXPECT_TRUE(std::isfinite(found.yes) && std::isfinite(found.no));
}

TEST(ClassAccuracy, IsThatOfTheRows) {
  LeftOutClasses rows;
  rows.classes = {{{1, 0, 0, 1}, {0.6, 0.2, 0.3, 0.1}, {1, 1, 1, 2}},
                  {{0, 1, 1, 0}, {0.4, 0.8, 0.7, 0.9}, {1, 1, 1, 2}}};
  ASSERT_TRUE(rows.agree());
  const ClassAccuracy accuracy = class_accuracy(rows, {});
  EXPECT_EQ(accuracy.rows, 4u);
  EXPECT_NEAR(accuracy.error_rate, 2.0 / 5, 1e-15);
  EXPECT_NEAR(accuracy.log_loss, -(std::log(0.6) + std::log(0.8) + std::log(0.7) + 2 * std::log(0.1)) / 5,
              1e-12);
  EXPECT_NEAR(accuracy.null_error_rate, 2.0 / 5, 1e-15);
  EXPECT_NEAR(accuracy.null_log_loss, -(0.6 * std::log(0.6) + 0.4 * std::log(0.4)), 1e-12);
}

TEST(LeftOutClasses, AgreeOnlyWhereTheyTellOfTheSameRows) {
  LeftOutClasses rows;
  rows.classes = {{{1, 0.5}, {0.6, 0.2}, {1, 2}}, {{0, 0.5}, {0.4, 0.8}, {1, 2}}};
  EXPECT_TRUE(rows.agree()) << "merged rows have shares of classes";
  LeftOutClasses other_weights = rows;
  other_weights.classes[1].weight[0] = 3;
  EXPECT_FALSE(other_weights.agree());
  LeftOutClasses fewer = rows;
  for (auto* part : {&fewer.classes[1].target, &fewer.classes[1].prediction, &fewer.classes[1].weight})
    part->pop_back();
  EXPECT_FALSE(fewer.agree());
  LeftOutClasses other_rows = rows;
  other_rows.classes[1].target[0] = 1;
  EXPECT_FALSE(other_rows.agree());
  EXPECT_FALSE(LeftOutClasses{}.agree());
}

}  // namespace
}  // namespace kore

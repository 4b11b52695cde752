// Effects of single values of numbers that repeat.
#include "grow/single_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "grow/made_up_growth.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

/// A smooth curve of a number with forty values; each value has an effect of its own of this size.
Rows rows_of_forty_values(std::size_t count, double size, std::uint64_t seed) {
  Rows rows = made_up_rows(count, 2, seed);
  test::Uniform random(seed + 1);
  std::vector<double> effects;
  for (int v = 0; v < 40; ++v) effects.push_back(size * random.between(-1, 1));
  for (std::size_t r = 0; r < count; ++r) {
    const double value = std::floor(40 * rows.at(r, 0));
    rows.at(r, 0) = value;
    rows.y[r] = std::sin(value / 10) + effects[static_cast<std::size_t>(value)] + rows.at(r, 1) +
                0.3 * random.between(-1, 1);
  }
  return rows;
}

TEST(RepeatedValues, AreThoseThatMostRowsShare) {
  const MadeUpGrowth growth(rows_of_forty_values(400, 0.5, 31));
  EXPECT_EQ(growth.data.features[0].repeated.size(), 40u);
  EXPECT_TRUE(growth.data.features[1].repeated.empty());  // all different
  EXPECT_TRUE(repeats(growth.data, 0));
  EXPECT_FALSE(repeats(growth.data, 1));
}

TEST(RepeatedValues, OfOneGroupDoNotCount) {
  Rows rows = rows_of_forty_values(400, 0.5, 33);
  for (std::size_t r = 0; r < rows.count; ++r) rows.groups.push_back(rows.at(r, 0));
  EXPECT_TRUE(MadeUpGrowth(rows).data.features[0].repeated.empty());
  for (std::size_t r = 0; r < rows.count; ++r) rows.groups[r] = static_cast<double>(r % 7);
  EXPECT_EQ(MadeUpGrowth(rows).data.features[0].repeated.size(), 40u);
}

TEST(ValueEffects, AreScoredByTheLikelihoodOfTheirSums) {
  Rows rows = rows_of_forty_values(300, 0.5, 41);
  rows.weights = test::uneven_weights(rows.count, 42);
  const MadeUpGrowth growth(rows);
  const Stage fitted = fit_penalised(growth.data, growth.mains(6));
  const std::vector<ScoredTerm> scored = score_values(growth.data, fitted);
  ASSERT_EQ(scored.size(), 1u);
  EXPECT_TRUE(scored[0].term.by_value());
  // By definition, with the covariance `v (I + u u' / w)` of the rows of one value, `u` the roots of their
  // weights: its determinant and inverse are those of a rank-one change.
  double mean = 0;
  double total = 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    mean += rows.weights[r] * fitted.loo_residuals[r];
    total += rows.weights[r];
  }
  mean /= total;
  double gain = 0;
  for (const double value : growth.data.features[0].repeated) {
    double squares = 0;
    double weight = 0;
    double projected = 0;
    for (std::size_t r = 0; r < rows.count; ++r) {
      if (rows.at(r, 0) != value) continue;
      const double residual = fitted.loo_residuals[r] - mean;
      squares += rows.weights[r] * residual * residual;
      projected += rows.weights[r] * residual;
      weight += rows.weights[r];
    }
    const double ratio = weight / scored[0].weight;
    const double explained = squares - (squares - projected * projected / scored[0].weight / (1 + ratio));
    gain += explained / fitted.loo() / 2 - std::log(1 + ratio) / 2;
  }
  EXPECT_NEAR(scored[0].gain, gain, 1e-9 * std::abs(gain));
}

TEST(ValueEffects, AreNotFoundWhereACurveSaysAll) {
  int found = 0;
  for (const std::uint64_t seed : {51U, 52U, 53U, 54U, 55U, 56U}) {
    const MadeUpGrowth growth(rows_of_forty_values(400, 0, seed));
    const Stage fitted = fit_penalised(growth.data, growth.mains(12));
    found += score_values(growth.data, fitted).empty() ? 0 : 1;
  }
  EXPECT_LE(found, 1);
}

TEST(ValueEffects, AreShrunkToLittleWhereTheyAreNotThere) {
  const auto parameters = [](double size, std::uint64_t seed) {
    const MadeUpGrowth growth(rows_of_forty_values(400, size, seed));
    std::vector<GrownTerm> terms = growth.mains(12);
    terms.push_back({{{0}, {each_value}}});
    const GrownTerm last = fit_penalised(growth.data, terms).terms.back();
    return last.term.by_value() ? last.parameters : 0;
  };
  double without = 0;
  for (const std::uint64_t seed : {61U, 62U, 63U, 64U, 65U, 66U}) {
    without += parameters(0, seed) / 6;
    EXPECT_GT(parameters(0.5, seed), 20);
  }
  EXPECT_LT(without, 8);  // of forty
}

}  // namespace
}  // namespace kore

// Cyclic features: their functions are the periodic B-splines, and everything that maps coefficients knows
// it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/bytes.hpp"
#include "design/design_bytes.hpp"
#include "design/transform.hpp"
#include "kore/error.hpp"
#include "kore/response.hpp"
#include "kore/statistics.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

Feature circle(double lowest, double highest) {
  Feature feature{"angle", {lowest, highest}};
  feature.cyclic = true;
  return feature;
}

/// A circle and an ordinary feature, with a curve, a surface and its mirror image.
Design mixed(int resolution) {
  return {{circle(0, 1), Feature{"x", {0, 1}}},
          {{{0}, {resolution}}, {{0, 1}, {resolution, 2}}, {{1}, {3}}},
          3,
          Parametrisation::centred};
}

/// The cubic B-spline on the whole numbers 0 to 4, by its definition as differences of cubes.
double cardinal(double u) {
  if (!(u > 0 && u < 4)) return 0;  // beyond, large cubes would have to cancel
  const auto cube = [&](double at) { return u > at ? std::pow(u - at, 3) : 0.0; };
  return (cube(0) - 4 * cube(1) + 6 * cube(2) - 4 * cube(3) + cube(4)) / 6;
}

/// Function `i` of a circle of `intervals`: the sum of all splines that start there, round after round.
double periodic(double x, int i, int intervals) {
  double sum = 0;
  for (int round = -10; round <= 10; ++round) sum += cardinal(x * intervals - i + 3 - round * intervals);
  return sum;
}

TEST(Cyclic, ColumnsAreThePeriodicSplinesLessTheirMeans) {
  const test::Rows rows = test::made_up_rows(40, 2, 911);
  for (const int resolution : {1, 2, 3, 7}) {
    const Design design = mixed(resolution);
    GramAccumulator gram(design);
    gram.add(working_block(rows.block()), 1);
    const std::vector<TermMap> maps = term_maps(design, gram.sums(), gram.weight_sum());
    const auto g = static_cast<std::size_t>(resolution);
    ASSERT_EQ(design.term_columns(0), g - 1);
    ASSERT_EQ(design.term_columns(1), (g - 1) * 4);
    for (std::size_t i = 0; i + 1 < g; ++i) {
      double mean = 0;
      for (std::size_t r = 0; r < rows.count; ++r)
        mean += periodic(rows.at(r, 0), static_cast<int>(i), resolution) / static_cast<double>(rows.count);
      EXPECT_NEAR(maps[0][0].means[i], mean, 1e-12);
      EXPECT_NEAR(maps[1][0].means[i], mean, 1e-12) << "of the surface";
    }
    // A coefficient of 1 in a column is the function of that column.
    for (std::size_t column = 0; column + 1 < g; ++column) {
      std::vector<double> one(g - 1);
      one[column] = 1;
      const std::vector<double> raw = solved_rows_to_raw(maps[0], one, 1);
      for (const double x : {0.0, 0.013, 0.5, 0.77, 1.0}) {
        const LocalBasis local = design.basis(0, 0).evaluate(x, Extrapolation::error);
        double value = 0;
        for (std::size_t s = 0; s < 4; ++s)
          value += local.value[s] * raw[static_cast<std::size_t>(local.cell) + s];
        EXPECT_NEAR(value, periodic(x, static_cast<int>(column), resolution) - maps[0][0].means[column],
                    1e-12);
      }
    }
  }
}

TEST(Cyclic, MapsThereAndBackAreTransposes) {
  const test::Rows rows = test::made_up_rows(40, 2, 912);
  const Design design = mixed(5);
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()), 1);
  const std::vector<TermMap> maps = term_maps(design, gram.sums(), gram.weight_sum());
  test::Uniform uniform(913);
  for (std::size_t t = 0; t < maps.size(); ++t) {
    std::vector<double> solved(design.term_columns(t));
    std::vector<double> raw(design.raw_term_columns(t));
    for (double& value : solved) value = uniform.between(-1, 1);
    for (double& value : raw) value = uniform.between(-1, 1);
    const std::vector<double> expanded = solved_rows_to_raw(maps[t], solved, 1);
    double left = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) left += raw[i] * expanded[i];
    for (const std::vector<double>& contracted :
         {raw_rows_to_solved(maps[t], raw, 1), raw_columns_to_solved(maps[t], raw, 1)}) {
      double right = 0;
      for (std::size_t i = 0; i < solved.size(); ++i) right += solved[i] * contracted[i];
      EXPECT_NEAR(left, right, 1e-12) << "term " << t;
    }
  }
}

TEST(Cyclic, ColumnsAreCountedAsTheyAre) {
  const std::vector<Feature> features{circle(0, 1), Feature{"x", {0, 1}}, circle(0, 24),
                                      Feature{"town", {}, FeatureKind::category, 4},
                                      Feature{"line", {0, 1}, FeatureKind::linear}};
  const std::vector<FeaturePair> pairs{{0, 1}, {0, 2}, {2, 3}, {1, 4}, {2, 4}};
  for (const int k : {1, 2, 3, 5})
    for (const int g : {3, 4, 9}) {
      const Design design = Design::pairwise(features, pairs, g, k);
      EXPECT_EQ(basis_count(features, pairs, k)(g), design.columns()) << "degree " << k << ", G = " << g;
    }
  // Below the smallest resolution that growth uses, circles keep its columns.
  EXPECT_EQ(
      basis_count(features, {}, 3)(1),
      Design::additive({circle(0, 1), circle(0, 24)}, 3, 3, Parametrisation::centred).columns() + 3 + 3 + 1);
}

TEST(Cyclic, ValuesAreTakenRoundTheirPeriod) {
  const Range hours{6, 30};
  for (double hour = -200; hour < 300; hour += 0.5) {
    double expected = hour;
    while (expected < 6) expected += 24;
    while (expected >= 30) expected -= 24;
    EXPECT_EQ(into_period(hours, hour), expected);
  }
  EXPECT_EQ(into_period(hours, 6 + 24e8), 6);
  EXPECT_EQ(into_period(hours, 1e80), 6) << "too far away to tell";
  EXPECT_EQ(into_period(hours, -1e300), 6);
  EXPECT_TRUE(std::isnan(into_period(hours, std::nan(""))));
  EXPECT_TRUE(std::isnan(into_period(hours, std::numeric_limits<double>::infinity())));
  const Range odd{0.1, 0.1 + 0.7};
  for (int i = -5000; i < 5000; ++i) {
    const double value = into_period(odd, 0.1 * i);
    EXPECT_GE(value, odd.lowest);
    EXPECT_LE(value, odd.highest);
  }
}

TEST(Cyclic, FeaturesComeBackFromBytes) {
  const Design design = mixed(5);
  const std::vector<std::byte> bytes = design_bytes(design);
  ByteReader in(bytes);
  const Design read = read_design(in);
  EXPECT_TRUE(read.features()[0].cyclic);
  EXPECT_FALSE(read.features()[1].cyclic);
  EXPECT_EQ(read.columns(), design.columns());
  EXPECT_EQ(design_bytes(read), bytes);
}

TEST(Cyclic, FeaturesAreCurvesAndNothingElse) {
  const auto refused = [](Feature feature, int resolution) {
    EXPECT_THROW(Design({std::move(feature)}, {{{0}, {resolution}}}, 3, Parametrisation::centred), Error);
  };
  Feature line = circle(0, 1);
  line.kind = FeatureKind::linear;
  refused(line, 3);
  Feature warped = circle(0, 1);
  warped.warp = {{0, 1}, {0, 1}};
  refused(warped, 3);
  Feature repeated = circle(0, 1);
  repeated.repeated = {0, 0.5};
  refused(repeated, 3);
  refused(circle(0, 1), straight);
}

}  // namespace
}  // namespace kore

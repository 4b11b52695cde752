// Precisions become weights of which only the ratios matter.
#include "kore/precision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

std::vector<double> uneven() {
  std::vector<double> precisions = test::uneven_weights(1000, 31);
  for (std::size_t i = 0; i < precisions.size(); ++i)
    precisions[i] *= std::pow(10.0, static_cast<int>(i % 9) - 4);
  precisions[5] = 0;
  return precisions;
}

TEST(PrecisionWeights, AddUpToTheRowsThatHaveOne) {
  const std::vector<double> precisions = uneven();
  const std::vector<double> weights = precision_weights(precisions);
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 999, 1e-9);
  EXPECT_NEAR(weights[7] / weights[8], precisions[7] / precisions[8], 1e-12 * weights[7] / weights[8]);
  EXPECT_EQ(weights[5], 0);
}

TEST(PrecisionWeights, DoNotDependOnTheirScale) {
  std::vector<double> larger = uneven();
  std::vector<double> eighth = larger;
  for (double& precision : larger) precision *= 10;
  for (double& precision : eighth) precision *= 0.125;
  const std::vector<double> weights = precision_weights(uneven());
  EXPECT_EQ(precision_weights(eighth), weights);
  const std::vector<double> others = precision_weights(larger);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(others[i], weights[i], 1e-14 * weights[i]);
}

TEST(PrecisionSum, DoesNotDependOnOrderOrPlaces) {
  std::vector<double> precisions = uneven();
  PrecisionSum all;
  all.add(precisions);
  PrecisionSum parts;
  for (std::size_t first = 0; first < 1000; first += 125) {
    PrecisionSum part;
    part.add(std::span(precisions).subspan(first, 125));
    parts.merge({part.high(), part.low(), part.rows()});
  }
  EXPECT_EQ(parts.factor(), all.factor());
  std::ranges::reverse(precisions);
  PrecisionSum backwards;
  backwards.add(precisions);
  EXPECT_EQ(backwards.factor(), all.factor());
}

TEST(PrecisionSum, RefusesWhatIsNoPrecision) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& bad :
       {std::vector<double>{0, 0}, {1, infinity}, {1, std::nan("")}, {-1, 0.5}}) {
    const std::string sentence = test::refusal(ErrorCode::invalid_data, [&] { precision_weights(bad); });
    EXPECT_TRUE(sentence.ends_with("They must be finite numbers, zero or positive, and not all zero."));
  }
}

}  // namespace
}  // namespace kore

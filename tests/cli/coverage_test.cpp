// Intervals hold what they promise, also where the noise is far from normal.
#include <cmath>
#include <functional>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "experiments/random/generator.hpp"

namespace kore {
namespace {

using experiments::Generator;
using test::Rows;

using Noise = std::function<double(Generator&)>;

double exponential(Generator& generator) { return -std::log1p(-generator.random()); }

/// Student's t with three degrees of freedom: its fourth moment is infinite.
double heavy_tailed(Generator& generator) {
  double squares = 0;
  const double numerator = generator.standard_normal();
  for (int i = 0; i < 3; ++i) squares += std::pow(generator.standard_normal(), 2);
  return numerator / std::sqrt(squares / 3);
}

Rows noisy_rows(std::size_t count, std::uint64_t seed, const Noise& noise) {
  Generator generator(seed);
  Rows rows{count, 3, generator.uniform(0, 1, 3 * count), std::vector<double>(count), {}};
  for (std::size_t r = 0; r < count; ++r)
    rows.y[r] = 3 * std::sin(5 * rows.at(r, 0)) + 2 * rows.at(r, 1) * rows.at(r, 2) + noise(generator);
  return rows;
}

class CoverageTest : public test::CommandTest {
 protected:
  /// Shares of fresh rows below and above their intervals.
  std::pair<double, double> missed(const Noise& noise, const std::string& level) const {
    test::write_rows(folder.path("train.parquet"), noisy_rows(2000, 11, noise));
    const Rows fresh = noisy_rows(20'000, 12, noise);
    test::write_rows(folder.path("fresh.parquet"), fresh);
    kore({"fit", "train.parquet", "--target", "y", "-q", "-o", "model.kore"});
    const std::string out = kore({"predict", "model.kore", "fresh.parquet", "--interval", level}).out;
    const auto lower = test::csv_numbers(out, "lower");
    const auto upper = test::csv_numbers(out, "upper");
    double below = 0;
    double above = 0;
    for (std::size_t r = 0; r < fresh.count; ++r) {
      below += fresh.y[r] < lower[r] ? 1 : 0;
      above += fresh.y[r] > upper[r] ? 1 : 0;
    }
    return {below / 20'000, above / 20'000};
  }
};

TEST_F(CoverageTest, NinetyPercentOfSkewedNoiseLieInside) {
  const auto [below, above] = missed(exponential, "0.9");
  EXPECT_NEAR(1 - below - above, 0.9, 0.02);
  EXPECT_NEAR(below, 0.05, 0.015) << "a symmetric interval would have nothing below";
  EXPECT_NEAR(above, 0.05, 0.015);
}

TEST_F(CoverageTest, NinetyPercentOfHeavyTailedNoiseLieInside) {
  const auto [below, above] = missed(heavy_tailed, "0.9");
  EXPECT_NEAR(1 - below - above, 0.9, 0.02);
}

TEST_F(CoverageTest, HalfOfHeavyTailedNoiseLiesInsideTheHalfInterval) {
  const auto [below, above] = missed(heavy_tailed, "0.5");
  EXPECT_NEAR(1 - below - above, 0.5, 0.04) << "normal quantiles of this noise would cover 0.67";
}

}  // namespace
}  // namespace kore

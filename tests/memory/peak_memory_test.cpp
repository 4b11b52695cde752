// A process of its own, because the peak of a process never falls.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "kore/kore.hpp"

namespace kore {
namespace {

double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == "VmHWM:") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
  return -1;
}

TEST(PeakMemory, OfAMillionRowsAndTwentyFeaturesIsUnder150MegabytesBeyondTheData) {
  const std::size_t n = 1'000'000;
  const std::size_t d = 20;
  std::vector<double> x(n * d);
  std::vector<double> y(n);
  std::uint64_t state = 1;
  const auto uniform = [&state] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (double& value : x) value = uniform();
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t j = 0; j < d; ++j) y[r] += std::sin(6 * x[r * d + j] + static_cast<double>(j));
    y[r] += uniform() - 0.5;
  }
  const double before = peak_megabytes();
  ASSERT_GT(before, 160) << "the data alone take this much";
  Options options;
  options.pair_choice = PairChoice::none;
  const Model model = fit(MatrixView::row_major(x, n, d), y, options);
  EXPECT_GT(model.summary.loo_r2(), 0.9);
  EXPECT_LT(peak_megabytes() - before, 150);
}

}  // namespace
}  // namespace kore

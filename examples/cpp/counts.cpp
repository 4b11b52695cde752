#include <cmath>
#include <cstdio>
#include <kore/kore.hpp>
#include <numbers>
#include <random>
#include <vector>

// Bicycles hired in an hour: counts that vary by more than their mean says, and intervals of whole numbers.

namespace {

struct Hours {
  std::vector<double> rows;  // hour of the day and temperature, row by row
  std::vector<double> hired;

  kore::MatrixView table() const { return kore::MatrixView::row_major(rows, hired.size(), 2); }
};

Hours made_up(int count, std::mt19937_64& random) {
  constexpr double theta = 4;  // the variance is mean + mean^2 / theta
  std::uniform_real_distribution<double> uniform(0, 1);
  std::gamma_distribution<double> luck(theta, 1 / theta);
  Hours hours;
  for (int i = 0; i < count; ++i) {
    const double hour = 24 * uniform(random);
    const double temperature = -5 + 35 * uniform(random);
    const double mean = std::exp(2 - 1.5 * std::cos(2 * std::numbers::pi * (hour - 2) / 24) +
                                 0.06 * temperature - 0.001 * temperature * temperature);
    std::poisson_distribution<int> hired(mean * luck(random));
    hours.rows.insert(hours.rows.end(), {hour, temperature});
    hours.hired.push_back(hired(random));
  }
  return hours;
}

kore::Model fit_as(kore::Family family, const Hours& hours) {
  kore::GrownOptions counts;
  counts.family = family;
  kore::Options options;
  options.method = counts;
  return kore::fit(hours.table(), hours.hired, options, {{"hour", "temperature"}, "hired"});
}

/// The share of counts that lie in their intervals of 90 %.
double covered(const kore::Model& model, const Hours& hours) {
  const kore::IntervalOffsets offsets = kore::interval_offsets(model, 0.9);
  const std::vector<double> means = kore::predict(model, hours.table());
  double inside = 0;
  for (std::size_t i = 0; i < means.size(); ++i)
    inside += kore::interval_around(model, offsets, means[i]).covers(hours.hired[i]) ? 1 : 0;
  return inside / static_cast<double>(means.size());
}

}  // namespace

int main() {
  std::mt19937_64 random(12);
  const Hours seen = made_up(1500, random);
  const Hours unseen = made_up(2000, random);

  const kore::Model poisson = fit_as(kore::Family::poisson, seen);
  std::printf("counts vary %.1f times as much as the Poisson distribution says\n",
              poisson.summary.overdispersion);
  const kore::Model model = fit_as(kore::Family::negative_binomial, seen);
  std::printf("negative binomial: theta %.2f where the truth is 4\n", model.family_parameter);

  const std::vector<double> morning{8, 15};
  const double mean = kore::predict(model, kore::MatrixView::row_major(morning, 1, 2))[0];
  const auto interval = kore::interval_around(model, kore::interval_offsets(model, 0.9), mean);
  std::printf("at 8 o'clock and 15 degrees: %.1f expected, %.0f to %.0f in nine hours of ten\n", mean,
              interval.lower, interval.upper);
  // Their ends are whole numbers, so that they hold a little more than they promise.
  const double share = covered(model, unseen);
  std::printf("intervals of 90 %% hold %.1f %% of new counts\n", 100 * share);
  return share > 0.88 && share < 0.96 ? 0 : 1;
}

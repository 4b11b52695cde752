#include <cmath>
#include <cstdio>
#include <kore/kore.hpp>
#include <numeric>
#include <random>
#include <vector>

// How often drivers have claims: counts over the years each was insured, as rates per year.

namespace {

struct Policies {
  std::vector<double> rows;   // age and power of the engine, row by row
  std::vector<double> years;  // that each was insured for: its exposure
  std::vector<double> claims;

  kore::MatrixView table() const { return kore::MatrixView::row_major(rows, years.size(), 2); }
};

double true_rate(double age, double power) {
  return std::exp(-1.9 + 1.5 * std::exp(-(age - 18) / 10) + 0.003 * power);
}

Policies made_up(int count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  Policies policies;
  for (int i = 0; i < count; ++i) {
    const double age = 18 + 62 * uniform(random);
    const double power = 40 + 160 * uniform(random);
    const double years = 0.05 + 0.95 * uniform(random);
    std::poisson_distribution<int> claims(true_rate(age, power) * years);
    policies.rows.insert(policies.rows.end(), {age, power});
    policies.years.push_back(years);
    policies.claims.push_back(claims(random));
  }
  return policies;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

kore::Model fit_rates(const Policies& policies) {
  // The target is a rate, and a row counts as much as its years over their mean. The variance of a rate is
  // then its mean over the mean of the years.
  const double mean_years = sum_of(policies.years) / static_cast<double>(policies.years.size());
  std::vector<double> rates;
  std::vector<double> weights;
  for (std::size_t i = 0; i < policies.years.size(); ++i) {
    rates.push_back(policies.claims[i] / policies.years[i]);
    weights.push_back(policies.years[i] / mean_years);
  }
  kore::GrownOptions poisson;
  poisson.family = kore::Family::poisson;
  poisson.dispersion = 1 / mean_years;
  kore::Options options;
  options.method = poisson;
  return kore::fit(kore::MemorySource(policies.table(), rates, weights), options, {{"age", "power"}, "rate"});
}

}  // namespace

int main() {
  std::mt19937_64 random(4);
  const Policies seen = made_up(4000, random);
  const Policies unseen = made_up(4000, random);
  const kore::Model model = fit_rates(seen);

  // Effects add up to the logarithm of the rate, so that each multiplies it.
  std::printf("age   factor of the rate\n");
  for (const double age : {20.0, 30.0, 40.0, 60.0})
    std::printf("%.0f    %.2f\n", age, std::exp(kore::term_value(model, 0, std::vector<double>{age})));

  std::vector<double> expected = kore::predict(model, unseen.table());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= unseen.years[i];
  std::printf("new policies: %.0f claims, %.1f expected\n", sum_of(unseen.claims), sum_of(expected));
  return std::abs(sum_of(expected) / sum_of(unseen.claims) - 1) < 0.1 ? 0 : 1;
}

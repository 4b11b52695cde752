#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kore/kore.hpp>
#include <random>
#include <vector>

// Who pays back: the probability of yes or no, and what it depends on.

namespace {

struct Loans {
  std::vector<double> rows;  // income in thousands, age and months, row by row
  std::vector<double> paid;  // 1 or 0

  kore::MatrixView table() const { return kore::MatrixView::row_major(rows, paid.size(), 3); }
};

/// Income helps up to a point, and long loans are risky, more so for the young.
double true_log_odds(double income, double age, double months) {
  return -1.6 + 1.3 * std::min(income / 20, 3.0) - months / 40 * (1 + (45 - age) / 60);
}

Loans made_up(int count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::lognormal_distribution<double> incomes(3.4, 0.5);
  Loans loans;
  for (int i = 0; i < count; ++i) {
    const double income = incomes(random);
    const double age = 20 + 50 * uniform(random);
    const double months = 12 * std::floor(1 + 5 * uniform(random));
    const double odds = std::exp(true_log_odds(income, age, months));
    loans.rows.insert(loans.rows.end(), {income, age, months});
    loans.paid.push_back(uniform(random) < odds / (1 + odds) ? 1 : 0);
  }
  return loans;
}

/// How often a loan that was paid has a higher probability than one that was not.
double area_under_roc(const std::vector<double>& probability, const std::vector<double>& paid) {
  double pairs = 0;
  double right = 0;
  for (std::size_t i = 0; i < paid.size(); ++i)
    for (std::size_t j = 0; j < paid.size(); ++j) {
      if (paid[i] == 0 || paid[j] == 1) continue;
      pairs += 1;
      right += probability[i] > probability[j] ? 1 : 0;
    }
  return right / pairs;
}

}  // namespace

int main() {
  std::mt19937_64 random(8);
  const Loans seen = made_up(2000, random);
  const Loans unseen = made_up(1000, random);
  kore::GrownOptions binomial;
  binomial.family = kore::Family::binomial;
  kore::Options options;
  options.method = binomial;
  const kore::Model model =
      kore::fit(seen.table(), seen.paid, options, {{"income", "age", "months"}, "paid"});

  // Effects add up to the log odds, so that each multiplies the odds.
  std::printf("income   times the odds of being paid\n");
  for (const double income : {10.0, 20.0, 40.0, 80.0})
    std::printf("%.0f       %.2f\n", income,
                std::exp(kore::term_value(model, 0, std::vector<double>{income})));

  // The model has stated before what new rows show.
  const double area = area_under_roc(kore::predict(model, unseen.table()), unseen.paid);
  const double stated = model.summary.accuracy->family->auc;
  std::printf("area under the ROC curve: %.3f of new loans, %.3f stated\n", area, stated);
  return std::abs(area - stated) < 0.05 ? 0 : 1;
}

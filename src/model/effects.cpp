#include "model/effects.hpp"

#include <algorithm>
#include <span>

namespace kore {

std::vector<Effect> effects_of(const GramAccumulator& gram, const Smoother& smoother) {
  const Design& design = gram.design();
  const std::size_t terms = design.terms().size();
  const double n = gram.weight();
  const std::vector<double> sums = gram.sums();
  const auto own = [&](const std::vector<double>& all, std::size_t t) {
    return std::span<const double>(all).subspan(design.raw_offset(t), design.raw_term_columns(t));
  };
  std::vector<Effect> effects(terms);
  for (std::size_t t = 0; t < terms; ++t) {
    const auto sum = own(sums, t);
    const auto c = own(smoother.coefficients(), t);
    for (std::size_t i = 0; i < c.size(); ++i) effects[t].mean += sum[i] * c[i] / n;
  }
  // The functions of a main effect add up to one, so that its mean can be taken out of its coefficients
  // before squares of it could swallow the variance.
  std::vector<double> centred = smoother.coefficients();
  std::vector<double> left_over(terms);
  for (std::size_t t = 0; t < terms; ++t) {
    const bool main_effect = design.terms()[t].order() == 1;
    left_over[t] = main_effect ? 0 : effects[t].mean;
    const auto first = centred.begin() + static_cast<std::ptrdiff_t>(design.raw_offset(t));
    if (main_effect)
      std::for_each(first, first + static_cast<std::ptrdiff_t>(design.raw_term_columns(t)),
                    [&](double& c) { c -= effects[t].mean; });
  }
  std::vector<double> with_fit(terms);
  double total = 0;
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t u = t; u < terms; ++u) {
      const std::vector<double> block = gram.block(t, u);
      const auto left = own(centred, t);
      const auto right = own(centred, u);
      double product = 0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        double row = 0;
        for (std::size_t j = 0; j < right.size(); ++j) row += block[i * right.size() + j] * right[j];
        product += left[i] * row;
      }
      const double covariance = product / n - left_over[t] * left_over[u];
      if (t == u) effects[t].variance = std::max(0.0, covariance);
      with_fit[t] += covariance;
      if (t != u) with_fit[u] += covariance;
      total += t == u ? covariance : 2 * covariance;
    }
  if (!(total > 0)) return effects;
  for (std::size_t t = 0; t < terms; ++t) {
    effects[t].share = effects[t].variance / total;
    effects[t].covariance_share = with_fit[t] / total;
  }
  return effects;
}

}  // namespace kore

#include "fit/centred_effects.hpp"

#include <numeric>

#include "kore/response.hpp"
#include "kore/statistics.hpp"
#include "pass/gram_passes.hpp"

namespace kore {
namespace {

std::vector<double> means_of(const GramAccumulator& sums) {
  std::vector<double> means = sums.sums();
  for (double& mean : means) mean /= sums.weight_sum();
  return means;
}

/// `(I - 1 m') C (I - 1 m')'` of a symmetric `C`.
void centre(std::span<const double> means, std::vector<double>& covariance) {
  const std::size_t size = means.size();
  std::vector<double> with_mean(size);
  for (std::size_t i = 0; i < size; ++i)
    with_mean[i] = std::inner_product(means.begin(), means.end(),
                                      covariance.begin() + static_cast<std::ptrdiff_t>(i * size), 0.0);
  const double of_mean = std::inner_product(means.begin(), means.end(), with_mean.begin(), 0.0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      covariance[i * size + j] += of_mean - (with_mean[i] + with_mean[j]);
}

}  // namespace

std::vector<double> function_means(const Design& design, const RowSource& source, int threads) {
  return means_of(gram_of(source, design, GramBlocks::none, threads));
}

std::vector<double> function_means(const Design& design, const RowBlock& rows, int threads) {
  GramAccumulator sums(design, GramBlocks::none);
  sums.add(working_block(rows), threads);
  return means_of(sums);
}

void centre_main_effects(const Design& design, std::span<const double> coefficients,
                         std::span<const double> means, std::vector<Effect>& effects) {
  for (std::size_t t = 0; t < effects.size(); ++t) {
    if (design.terms()[t].order() > 1) continue;
    const auto own = [&](std::span<const double> all) {
      return all.subspan(design.raw_offset(t), design.raw_term_columns(t));
    };
    const std::span<const double> mean = own(means);
    const std::span<const double> c = own(coefficients);
    effects[t].mean = std::inner_product(mean.begin(), mean.end(), c.begin(), 0.0);
    if (!effects[t].covariance.empty()) centre(mean, effects[t].covariance);
  }
}

}  // namespace kore

// A solved fit as executors receive it (KFIT): leverages of rows, variances, and bytes again.
#include <numeric>

#include "fuzz/passes.hpp"
#include "fuzz/targets.hpp"
#include "kore/smoother.hpp"

namespace kore::fuzz {
namespace {

void use(const Smoother& fit) {
  const test::Rows rows = rows_of(fit.design().features().size());
  std::vector<double> residuals(rows.count);
  std::vector<double> leverages(rows.count);
  allow_refusal([&] { fit.press(rows.block(), 1, {residuals, leverages, {}}); });
  std::vector<std::size_t> terms(fit.design().terms().size());
  std::iota(terms.begin(), terms.end(), std::size_t{0});
  fit.covariances(terms);
  Smoother::deserialize(fit.serialize());
}

}  // namespace

bool run_fit(Given bytes) {
  return allow_refusal([&] { use(Smoother::deserialize(bytes)); });
}

}  // namespace kore::fuzz

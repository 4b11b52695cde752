// A solved fit as executors receive it (KFIT): leverages of rows, variances, and bytes again.
#include <numeric>
#include <optional>

#include "fuzz/passes.hpp"
#include "fuzz/uses.hpp"
#include "kore/smoother.hpp"

namespace kore::fuzz {
namespace {

void use(const Smoother& fit) {
  const test::Rows rows = rows_of(fit.design().features().size());
  std::vector<double> residuals(rows.count);
  std::vector<double> leverages(rows.count);
  consume("leverages of rows", [&] { fit.press(rows.block(), 1, {residuals, leverages, {}}); });
  std::vector<std::size_t> terms(fit.design().terms().size());
  std::iota(terms.begin(), terms.end(), std::size_t{0});
  consume("covariances", [&] { fit.covariances(terms); });
  consume("written and read again", [&] { Smoother::deserialize(fit.serialize()); });
}

}  // namespace

bool run_fit(Given bytes) {
  std::optional<Smoother> fit;
  if (!allow_refusal([&] { fit.emplace(Smoother::deserialize(bytes)); })) return false;
  use(*fit);
  return true;
}

}  // namespace kore::fuzz

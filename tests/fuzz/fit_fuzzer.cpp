// A solved fit as executors receive it (KFIT): leverages of rows, variances, and bytes again.
#include <numeric>

#include "fuzz/mutation.hpp"
#include "fuzz/passes.hpp"
#include "kore/error.hpp"
#include "kore/smoother.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kore;
  fuzz::count_execution();
  try {
    const Smoother fit = Smoother::deserialize(fuzz::bytes_of(data, size));
    fuzz::count_use();
    const test::Rows rows = fuzz::rows_of(fit.design().features().size());
    std::vector<double> residuals(rows.count);
    std::vector<double> leverages(rows.count);
    fit.press(rows.block(), 1, {residuals, leverages, {}});
    std::vector<std::size_t> terms(fit.design().terms().size());
    std::iota(terms.begin(), terms.end(), std::size_t{0});
    fit.covariances(terms);
    Smoother::deserialize(fit.serialize());
  } catch (const Error&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  return kore::fuzz::mutate_envelope(data, size, most, seed);
}

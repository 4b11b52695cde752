// Sums that come back from an executor, merged into the pass that they claim to belong to.
#include "fuzz/mutation.hpp"
#include "fuzz/passes.hpp"
#include "kore/error.hpp"

namespace {

const std::vector<std::vector<std::byte>>& tasks() {
  static const std::vector<std::vector<std::byte>> all = [] {
    std::vector<std::vector<std::byte>> made;
    for (const auto& pass : kore::fuzz::all_passes().passes) made.push_back(pass->task());
    return made;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kore;
  fuzz::count_execution();
  bool used = false;
  for (const std::vector<std::byte>& task : tasks()) {
    const std::unique_ptr<Pass> pass = pass_from_task(task);
    try {
      pass->merge(fuzz::bytes_of(data, size));
      used = true;
      pass->merge(fuzz::bytes_of(data, size));
      const std::vector<std::byte> both = pass->serialize();
      pass_from_task(task)->merge(both);
    } catch (const Error&) {
    }
  }
  if (used) fuzz::count_use();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  return kore::fuzz::mutate_envelope(data, size, most, seed);
}

// What libFuzzer calls: fuzz_kore --target=NAME [options and folders of libFuzzer].
#include <cstdio>
#include <cstdlib>

#include "fuzz/mutation.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using kore::fuzz::Target;

/// The one run of this process. libFuzzer knows functions by name alone, so that they find it here.
struct Run {
  const Target* target = nullptr;
  unsigned long long executions = 0;
  unsigned long long accepted = 0;
};

Run& run() {
  static Run only;
  return only;
}

void print_counts() {
  std::fprintf(stderr, "kore-fuzz: %llu executions, %llu used\n", run().executions, run().accepted);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view option = "--target=";
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument((*arguments)[i]);
    if (!argument.starts_with(option)) continue;
    for (const Target& target : kore::fuzz::targets())
      if (target.name == argument.substr(option.size())) run().target = &target;
  }
  if (run().target == nullptr) {
    std::fputs("usage: fuzz_kore --target=NAME ...   There are", stderr);
    for (const Target& target : kore::fuzz::targets())
      std::fprintf(stderr, " %.*s", static_cast<int>(target.name.size()), target.name.data());
    std::fputs(".\n", stderr);
    std::exit(2);
  }
  std::atexit(print_counts);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ++run().executions;
  if (run().target->run(std::as_bytes(std::span(data, size)))) ++run().accepted;
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  return kore::fuzz::mutate(*run().target, data, size, most, seed, LLVMFuzzerMutate);
}

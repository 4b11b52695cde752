// What libFuzzer calls: fuzz_kore --target=NAME [options and folders of libFuzzer].
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz/mutation.hpp"
#include "fuzz/uses.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using kore::fuzz::Target;

/// Some of the inputs that were accepted last. libFuzzer's own corpus fills with those that are refused in
/// new ways, whose changes are mostly refused, too. Memory is taken once: libFuzzer looks for leaks where an
/// execution takes some.
class Accepted {
 public:
  void add(const std::uint8_t* data, std::size_t size) {
    if (size > room) return;
    const std::size_t slot = next_++ % slots;
    std::memcpy(bytes_.data() + slot * room, data, size);
    sizes_[slot] = size;
  }
  /// Replaces the input by one of them; its size. Nothing happens where there is none that fits.
  std::size_t pick(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) const {
    if (next_ == 0) return size;
    const std::size_t slot = seed % std::min(next_, slots);
    if (sizes_[slot] > most) return size;
    std::memcpy(data, bytes_.data() + slot * room, sizes_[slot]);
    return sizes_[slot];
  }

 private:
  static constexpr std::size_t slots = 64;
  static constexpr std::size_t room = 65536;
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(slots * room);
  std::array<std::size_t, slots> sizes_{};
  std::size_t next_ = 0;
};

/// The one run of this process. libFuzzer knows functions by name alone, so that they find it here.
struct Run {
  const Target* target = nullptr;
  unsigned long long executions = 0;
  unsigned long long accepted = 0;  ///< By a reader.
  unsigned long long used = 0;      ///< By at least one consumer, to its end.
  Accepted inputs;
};

Run& run() {
  static Run only;
  return only;
}

void print_counts() {
  std::fprintf(stderr, "kore-fuzz: %llu executions, %llu accepted, %llu used\n", run().executions,
               run().accepted, run().used);
  for (const kore::fuzz::Use& use : kore::fuzz::uses())
    std::fprintf(stderr, "kore-fuzz-use: %llu %llu %.*s\n", use.runs, use.refused,
                 static_cast<int>(use.name.size()), use.name.data());
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
  const unsigned long long before = kore::fuzz::finished_uses();
  if (!run().target->run(std::as_bytes(std::span(data, size)))) return 0;
  ++run().accepted;
  if (kore::fuzz::finished_uses() > before) ++run().used;
  run().inputs.add(data, size);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  if (seed % 4 != 0) size = run().inputs.pick(data, size, most, seed / 4);
  return kore::fuzz::mutate(*run().target, data, size, most, seed, LLVMFuzzerMutate);
}

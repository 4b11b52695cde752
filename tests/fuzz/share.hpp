#pragma once

#include <cstdint>

#include "base/checksum.hpp"
#include "fuzz/targets.hpp"

namespace kore::fuzz {

/// What takes long is done for a share of the bytes that are accepted, so that a fuzzer gets to more of them.
/// The bytes decide, so that what was found is found again.
class Share {
 public:
  explicit Share(Given bytes) : draw_(running_checksum(0, bytes)) {}
  /// Everything is done.
  static Share whole() { return Share(); }

  /// Independent of the questions before, for as many as a fuzzer has.
  bool one_in(std::uint64_t count) {
    if (whole_) return true;
    const bool drawn = draw_ % count == 0;
    draw_ /= count;
    return drawn;
  }

 private:
  Share() : whole_(true) {}

  std::uint64_t draw_ = 0;
  bool whole_ = false;
};

}  // namespace kore::fuzz

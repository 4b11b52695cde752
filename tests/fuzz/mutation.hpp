#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What the fuzzers share. Bytes that KORE writes are in envelopes with a length and a checksum, and
/// envelopes hold others. Random changes would nearly always end at the first checksum, so a change here is
/// made inside, and lengths and checksums are made right again.
namespace kore::fuzz {

using Bytes = std::vector<std::byte>;

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

/// Makes the checksums of an envelope and of all envelopes inside it right.
void repair(Bytes& bytes);

/// For `LLVMFuzzerCustomMutator`: changes a few numbers or bytes in the content, now and then anything.
std::size_t mutate_envelope(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

/// Counts executions, and those in which bytes were accepted and used; printed when the fuzzer ends.
void count_execution();
void count_use();

}  // namespace kore::fuzz

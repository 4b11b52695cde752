#include "fuzz/mutation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>

#include "base/bytes.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace kore::fuzz {
namespace {

constexpr std::size_t head = 16;  // kind, version, length
constexpr std::size_t checksum = 8;
constexpr std::array<std::string_view, 10> kinds{"KORE", "KTSK", "KSUM", "KRNG", "KSMP",
                                                 "KGRM", "KPRS", "KFIT", "KTBL", "KTRS"};

std::uint64_t executions = 0;
std::uint64_t uses = 0;

void print_counts() {
  std::fprintf(stderr, "kore-fuzz: %llu executions, %llu used\n", static_cast<unsigned long long>(executions),
               static_cast<unsigned long long>(uses));
}

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool begins_envelope(std::span<const std::byte> bytes) {
  if (bytes.size() < head + checksum) return false;
  const std::string_view letters(reinterpret_cast<const char*>(bytes.data()), 4);
  for (const std::string_view kind : kinds)
    if (letters == kind) return true;
  return false;
}

void seal_in_place(std::span<std::byte> envelope) {
  const std::string_view kind(reinterpret_cast<const char*>(envelope.data()), 4);
  const auto version = static_cast<std::uint32_t>(envelope[4]);
  const auto content = envelope.subspan(head, envelope.size() - head - checksum);
  const Bytes sealed = seal(kind, version, content);
  std::memcpy(envelope.data(), sealed.data(), sealed.size());
}

/// Inner envelopes first: they are part of what outer checksums are made of. The length in front of an inner
/// one says where it ends.
void repair_span(std::span<std::byte> envelope, int depth) {
  if (!begins_envelope(envelope) || depth > 4) return;
  for (std::size_t at = head + 8; at + head + 2 * checksum <= envelope.size(); ++at) {
    if (envelope[at] != std::byte{'K'} || !begins_envelope(envelope.subspan(at))) continue;
    const std::uint64_t length = number_at(envelope, at - 8);
    if (length < head + checksum || length > envelope.size() - checksum - at) continue;
    repair_span(envelope.subspan(at, length), depth + 1);
    at += length - 1;
  }
  seal_in_place(envelope);
}

/// Numbers at which readers go wrong, among those that they expect.
std::uint64_t odd_number(std::mt19937& random) {
  const auto of = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::array<std::uint64_t, 24> odd{0,
                                          1,
                                          2,
                                          3,
                                          7,
                                          8,
                                          49,
                                          255,
                                          1U << 16,
                                          1'000'000,
                                          0xFFFFFFFFU,
                                          std::uint64_t{1} << 32,
                                          std::uint64_t{1} << 40,
                                          std::uint64_t{1} << 61,
                                          std::uint64_t{1} << 63,
                                          ~std::uint64_t{0},
                                          of(0.5),
                                          of(1),
                                          of(-1),
                                          of(1e300),
                                          of(-1e-300),
                                          of(infinite),
                                          of(-infinite),
                                          of(std::numeric_limits<double>::quiet_NaN())};
  return odd[random() % odd.size()];
}

/// Changes one place without moving the others, so that only its own meaning is wrong.
void change_one(std::span<std::byte> content, std::mt19937& random) {
  if (content.empty()) return;
  const std::size_t at = random() % content.size();
  switch (random() % 5) {
    case 0:
      content[at] = static_cast<std::byte>(random());
      return;
    case 1:
      content[at] = static_cast<std::byte>(random() % 8);
      return;
    case 2:
      content[at] ^= static_cast<std::byte>(1U << (random() % 8));
      return;
    default:
      break;
  }
  if (content.size() < 8) return;
  const std::size_t start = random() % (content.size() - 7);
  const std::uint64_t number =
      random() % 3 == 0 ? number_at(content, start) + random() % 5 - 2 : odd_number(random);
  std::memcpy(content.data() + start, &number, random() % 4 == 0 ? 4 : 8);
}

}  // namespace

void repair(Bytes& bytes) { repair_span(bytes, 0); }

std::size_t mutate_envelope(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(std::max(size, most));
  std::memcpy(bytes.data(), data, size);
  const bool sealed = begins_envelope(std::span(bytes).first(size));
  if (!sealed || random() % 16 == 0) {
    size = LLVMFuzzerMutate(data, size, most);
    bytes.assign(bytes_of(data, size).begin(), bytes_of(data, size).end());
  } else if (random() % 8 == 0) {
    // Anything inside: insertions and deletions too, which the lengths further out then contradict.
    const std::size_t content = LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()) + head,
                                                 size - head - checksum, most - head - checksum);
    bytes.resize(head + content + checksum);
  } else {
    bytes.resize(size);
    const std::size_t changes = random() % 4 == 0 ? 3 : 1;
    for (std::size_t i = 0; i < changes; ++i)
      change_one(std::span(bytes).subspan(head, size - head - checksum), random);
  }
  if (random() % 64 != 0) repair(bytes);
  if (bytes.size() > most) return size;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

void count_execution() {
  if (executions++ == 0) std::atexit(print_counts);
}

void count_use() { ++uses; }

}  // namespace kore::fuzz

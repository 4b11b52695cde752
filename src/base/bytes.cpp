#include "base/bytes.hpp"

// Its functions are compiled into this file alone: nothing is linked, and no name of it is seen elsewhere.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/checksum.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

constexpr std::size_t envelope_head = 16;  // kind, version, length
constexpr std::size_t checksum_size = 8;

// The field of the version has the version in its lowest byte and, in the next one, which checksum ends the
// envelope. Its other two bytes are zero.
enum class Checksum : std::uint8_t { words = 0, xxh3 = 1 };
constexpr std::uint32_t version_bits = 8;
constexpr std::uint32_t largest_version = (1U << version_bits) - 1;

// FNV-1a over eight bytes at a time. Envelopes had it before they had XXH3, and files of then are still read.
std::uint64_t checksum_by_words(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3ULL;
    hash ^= hash >> 29;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    mix(word);
  }
  for (; at < bytes.size(); ++at) mix(static_cast<std::uint64_t>(bytes[at]));
  return hash;
}

std::uint64_t checksum(Checksum which, std::span<const std::byte> bytes) {
  return which == Checksum::words ? checksum_by_words(bytes) : XXH3_64bits(bytes.data(), bytes.size());
}

[[noreturn]] void truncated(std::string_view what) {
  throw Error(ErrorCode::corrupt_file, "truncated_file", "The KORE {what} is truncated.", {{"what", what}});
}

[[noreturn]] void ends_early() {
  throw Error(ErrorCode::corrupt_file, "truncated_bytes",
              "The data end too early: the file is truncated or damaged.");
}

static_assert(std::endian::native == std::endian::little,
              "The file format is little-endian and written by memcpy.");

}  // namespace

void ByteWriter::integer(std::uint64_t value, int width) {
  std::array<std::byte, sizeof value> raw{};
  std::memcpy(raw.data(), &value, sizeof value);
  bytes_.insert(bytes_.end(), raw.begin(), raw.begin() + width);
}

void ByteWriter::f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }

void ByteWriter::text(std::string_view value) {
  u64(value.size());
  const auto raw = std::as_bytes(std::span(value));
  bytes_.insert(bytes_.end(), raw.begin(), raw.end());
}

void ByteWriter::f64s(std::span<const double> values) {
  u64(values.size());
  const auto raw = std::as_bytes(values);
  bytes_.insert(bytes_.end(), raw.begin(), raw.end());
}

void ByteWriter::section(std::span<const std::byte> content) {
  u64(content.size());
  bytes_.insert(bytes_.end(), content.begin(), content.end());
}

std::span<const std::byte> ByteReader::take(std::uint64_t length) {
  if (length > rest_.size()) ends_early();
  const auto taken = rest_.first(length);
  rest_ = rest_.subspan(length);
  return taken;
}

std::uint64_t ByteReader::integer(int width) {
  const auto raw = take(static_cast<std::uint64_t>(width));
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i)
    value |= static_cast<std::uint64_t>(raw[static_cast<std::size_t>(i)]) << (8 * i);
  return value;
}

std::uint8_t ByteReader::u8() { return static_cast<std::uint8_t>(take(1)[0]); }

double ByteReader::f64() { return std::bit_cast<double>(u64()); }

std::size_t ByteReader::count(std::size_t width) {
  const std::uint64_t claimed = u64();
  if (claimed > rest_.size() / width) ends_early();
  return claimed;
}

std::string ByteReader::text() {
  const auto raw = take(count(1));
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

std::vector<double> ByteReader::f64s() {
  std::vector<double> values(count(sizeof(double)));
  const auto raw = take(values.size() * sizeof(double));
  if (!raw.empty()) std::memcpy(values.data(), raw.data(), raw.size());
  return values;
}

std::span<const std::byte> ByteReader::section() { return take(count(1)); }

std::uint64_t running_checksum(std::uint64_t before, std::span<const std::byte> next) {
  return XXH3_64bits_withSeed(next.data(), next.size(), before);
}

std::vector<std::byte> seal(std::string_view kind, std::uint32_t version,
                            std::span<const std::byte> content) {
  if (kind.size() != 4)
    throw Error(ErrorCode::invalid_argument, "bad_seal_kind",
                "The kind of a sealed message has four letters.");
  if (version > largest_version)
    throw Error(ErrorCode::invalid_argument, "bad_seal_version",
                "The version of a sealed message is at most {largest}.", {{"largest", largest_version}});
  ByteWriter out;
  for (const char c : kind) out.u8(static_cast<std::uint8_t>(c));
  out.u32(version | static_cast<std::uint32_t>(Checksum::xxh3) << version_bits);
  out.section(content);
  out.u64(checksum(Checksum::xxh3, out.bytes()));
  return out.take();
}

Opened open_sealed(std::span<const std::byte> bytes, std::string_view kind, std::uint32_t newest_version,
                   const std::string& what) {
  if (bytes.size() < kind.size() || std::memcmp(bytes.data(), kind.data(), kind.size()) != 0)
    throw Error(ErrorCode::corrupt_file, "not_a_kore_file", "This is not a KORE {what}.", {{"what", what}});
  if (bytes.size() < envelope_head + checksum_size) truncated(what);
  ByteReader reader(bytes.subspan(kind.size()));
  const std::uint32_t field = reader.u32();
  const std::uint32_t version = field & largest_version;
  const std::uint32_t which = field >> version_bits;
  const bool known_checksum = which <= static_cast<std::uint32_t>(Checksum::xxh3);
  if (version > newest_version || !known_checksum)
    throw Error(ErrorCode::unsupported_version, "newer_format",
                "The KORE {what} was written by a newer version (format {format}, this version reads up to "
                "{newest}). Update KORE to read it.",
                {{"what", what}, {"format", known_checksum ? version : field}, {"newest", newest_version}});
  if (reader.u64() != bytes.size() - envelope_head - checksum_size) truncated(what);
  const auto body = bytes.first(bytes.size() - checksum_size);
  if (checksum(static_cast<Checksum>(which), body) != ByteReader(bytes.last(checksum_size)).u64())
    throw Error(ErrorCode::corrupt_file, "damaged_file",
                "The KORE {what} is damaged: its checksum does not match.", {{"what", what}});
  return {version, body.subspan(envelope_head)};
}

}  // namespace kore

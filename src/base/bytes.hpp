#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kore {

/// Appends numbers, strings and arrays to a buffer, little-endian, each with a fixed width.
class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void u32(std::uint32_t value) { integer(value, 4); }
  void u64(std::uint64_t value) { integer(value, 8); }
  void f64(double value);
  void text(std::string_view value);
  void f64s(std::span<const double> values);
  /// A nested buffer with its length in front, so that a reader can skip it.
  void section(std::span<const std::byte> content);

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void integer(std::uint64_t value, int width);
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote. Every read is checked: a buffer that ends early or claims an absurd length is
/// `corrupt_file`, never an allocation of that length.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint8_t u8();
  std::uint32_t u32() { return static_cast<std::uint32_t>(integer(4)); }
  std::uint64_t u64() { return integer(8); }
  double f64();
  std::string text();
  std::vector<double> f64s();
  std::span<const std::byte> section();
  /// A count of things that take at least `width` bytes each.
  std::size_t count(std::size_t width);

  bool at_end() const { return rest_.empty(); }
  std::size_t remaining() const { return rest_.size(); }

 private:
  std::span<const std::byte> take(std::uint64_t length);
  std::uint64_t integer(int width);
  std::span<const std::byte> rest_;
};

/// A message in an envelope: four letters that name the kind, a version, the length, the content, and a
/// checksum over all of it.
std::vector<std::byte> seal(std::string_view kind, std::uint32_t version, std::span<const std::byte> content);

struct Opened {
  std::uint32_t version = 0;
  std::span<const std::byte> content;
};
/// Checks the envelope. `what` names the thing in error sentences ("model"). Throws `corrupt_file` or
/// `unsupported_version`.
Opened open_sealed(std::span<const std::byte> bytes, std::string_view kind, std::uint32_t newest_version,
                   const std::string& what);

}  // namespace kore

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/message.hpp"

namespace kore::table {

/// A view of the values of one table column: numbers, texts, or positions in a dictionary of texts. It does
/// not own them.
class RawColumn {
 public:
  /// NaN where a value is missing.
  static RawColumn numbers(std::span<const double> values);
  /// A null view (no data pointer) where a value is missing.
  static RawColumn texts(std::span<const std::string_view> values);
  /// Negative where a value is missing.
  static RawColumn codes(std::span<const std::int32_t> values, std::span<const std::string_view> dictionary);

  bool is_numeric() const { return kind_ == Kind::numbers; }
  bool has_dictionary() const { return kind_ == Kind::codes; }
  std::size_t rows() const;
  std::span<const double> as_numbers() const { return numbers_; }
  /// The texts of the rows, or the dictionary.
  std::span<const std::string_view> as_texts() const { return texts_; }
  std::span<const std::int32_t> as_codes() const { return codes_; }

 private:
  enum class Kind : std::uint8_t { numbers, texts, codes };
  Kind kind_ = Kind::numbers;
  std::span<const double> numbers_;
  std::span<const std::string_view> texts_;
  std::span<const std::int32_t> codes_;
};

/// What was counted while encoding, per column of the encoding.
struct EncodeCounts {
  std::vector<std::uint64_t> missing;  ///< Rows without a value.
  std::vector<std::uint64_t> unseen;   ///< Rows with a level that training did not have.

  void merge(const EncodeCounts& other);
};

/// Applies an encoding to blocks of rows. May be used from several threads at once.
class Encoder {
 public:
  explicit Encoder(Encoding encoding);

  const Encoding& encoding() const { return encoding_; }

  /// `columns` are those of the encoding, in its order; feature `j` of row `i` is written to `out[j * stride
  /// + i]`. An unseen level goes to "(other)" if there is one and to no indicator otherwise, and so
  /// does a missing one in a category of positions without "(missing)". Throws `invalid_data` where the
  /// shapes or the kinds of the columns do not fit.
  void encode(std::span<const RawColumn> columns, std::size_t rows, std::span<double> out, std::size_t stride,
              EncodeCounts& counts) const;

 private:
  struct Lookup;  ///< Where levels and features are found.

  Encoding encoding_;
  std::shared_ptr<const Lookup> lookup_;  ///< Never changes, so that copies share it.
};

/// Messages about new rows that are unlike the training rows: unseen levels, and missing values in columns
/// that had none.
std::vector<Message> encode_warnings(const Encoding& encoding, const EncodeCounts& counts);

}  // namespace kore::table

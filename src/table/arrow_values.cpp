#include "table/arrow_values.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "table/refusals.hpp"

namespace kore::table {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double seconds_per_day = 86400;

std::string name_of(const ArrowSchema& schema) { return schema.name == nullptr ? "" : schema.name; }

bool is_text_format(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

ColumnType type_of(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) return type_of(*schema.dictionary);
  if (is_text_format(format)) return ColumnType::text;
  if (format == "b") return ColumnType::boolean;
  if (format == "tdD") return ColumnType::date;
  if (format == "tdm" || format.starts_with("ts") || format.starts_with("tt")) return ColumnType::timestamp;
  const bool wide_decimal = format.starts_with("d:") && format.ends_with(",256");
  if (format.size() == 1 && std::string_view("ncCsSiIlLefg").find(format) != std::string_view::npos)
    return ColumnType::number;
  if (format.starts_with("d:") && !wide_decimal) return ColumnType::number;
  refuse_data("unusable_arrow_format",
              "Column '{column}' holds values that are neither numbers, times nor texts (Arrow format "
              "'{format}'). Leave it out, or convert it.",
              {{"column", name_of(schema)}, {"format", format}});
}

bool bit(const void* bits, std::int64_t at) {
  return ((static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8)) & 1U) != 0;
}

/// A number of 16 bits: sign, five bits of exponent, ten of fraction.
double half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x1f) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : missing;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

/// 128 bits, little-endian, scaled by a power of ten that the format names ("d:precision,scale").
double decimal(const void* values, std::int64_t at, double scale) {
  std::uint64_t low = 0;
  std::int64_t high = 0;
  const auto* bytes = static_cast<const char*>(values) + 16 * at;
  std::memcpy(&low, bytes, 8);
  std::memcpy(&high, bytes + 8, 8);
  return (std::ldexp(static_cast<double>(high), 64) + static_cast<double>(low)) / scale;
}

template <typename Value>
double plain(const void* values, std::int64_t at) {
  return static_cast<double>(static_cast<const Value*>(values)[at]);
}

/// Days since 1970, computed from seconds, as the command does.
double days_of(std::string_view format, const void* values, std::int64_t at) {
  if (format == "tdD") return plain<std::int32_t>(values, at);
  const char unit = format == "tdm" ? 'm' : format[2];
  const double per_second = unit == 's' ? 1 : unit == 'm' ? 1e3 : unit == 'u' ? 1e6 : 1e9;
  const bool narrow = format.starts_with("tts") || format.starts_with("ttm");
  const double count = narrow ? plain<std::int32_t>(values, at) : plain<std::int64_t>(values, at);
  return count / per_second / seconds_per_day;
}

double decimal_scale(std::string_view format) {
  const std::size_t comma = format.find(',');
  return std::pow(10.0, std::atoi(std::string(format.substr(comma + 1)).c_str()));
}

double number_at(std::string_view format, const void* values, std::int64_t at) {
  switch (format[0]) {
    case 'b':
      return bit(values, at) ? 1 : 0;
    case 'c':
      return plain<std::int8_t>(values, at);
    case 'C':
      return plain<std::uint8_t>(values, at);
    case 's':
      return plain<std::int16_t>(values, at);
    case 'S':
      return plain<std::uint16_t>(values, at);
    case 'i':
      return plain<std::int32_t>(values, at);
    case 'I':
      return plain<std::uint32_t>(values, at);
    case 'l':
      return plain<std::int64_t>(values, at);
    case 'L':
      return plain<std::uint64_t>(values, at);
    case 'e':
      return half(static_cast<const std::uint16_t*>(values)[at]);
    case 'f':
      return plain<float>(values, at);
    case 'g':
      return plain<double>(values, at);
    case 'd':
      return decimal(values, at, decimal_scale(format));
    case 't':
      return days_of(format, values, at);
    default:
      return missing;
  }
}

template <typename Offset>
std::string_view text_between(const ArrowArray& array, std::int64_t at) {
  const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
  return {static_cast<const char*>(array.buffers[2]) + offsets[at],
          static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
}

/// A view is 16 bytes: the length, and either the text itself or its first bytes, buffer and place.
std::string_view viewed_text(const ArrowArray& array, std::int64_t at) {
  constexpr std::int32_t longest_inside = 12;
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * at;
  std::int32_t length = 0;
  std::memcpy(&length, view, 4);
  if (length <= longest_inside) return {view + 4, static_cast<std::size_t>(length)};
  std::int32_t buffer = 0;
  std::int32_t place = 0;
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&place, view + 12, 4);
  return {static_cast<const char*>(array.buffers[2 + buffer]) + place, static_cast<std::size_t>(length)};
}

std::string_view text_at(std::string_view format, const ArrowArray& array, std::int64_t at) {
  if (format == "vu") return viewed_text(array, at);
  return format == "U" ? text_between<std::int64_t>(array, at) : text_between<std::int32_t>(array, at);
}

}  // namespace

bool is_valid(const ArrowArray& array, std::int64_t row) {
  return array.n_buffers == 0 || array.null_count == 0 || array.buffers[0] == nullptr ||
         bit(array.buffers[0], array.offset + row);
}

bool has_no_gaps(const ArrowArray& array) {
  return array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr;
}

ColumnReader::ColumnReader(const ArrowSchema& schema)
    : schema_(schema), format_(schema.format), type_(type_of(schema)) {}

bool ColumnReader::is_doubles(const ArrowSchema& schema) {
  return schema.dictionary == nullptr && std::string_view(schema.format) == "g";
}

void ColumnReader::append(const ArrowArray& array, std::int64_t first, std::int64_t count) {
  if (schema_.dictionary != nullptr)
    append_places(array, first, count);
  else if (type_ == ColumnType::text)
    append_texts(array, first, count);
  else
    append_numbers(array, first, count);
}

void ColumnReader::append_numbers(const ArrowArray& array, std::int64_t first, std::int64_t count) {
  if (array.n_buffers < 2 || array.buffers[1] == nullptr) {  // "n": a column without a single value
    numbers_.insert(numbers_.end(), static_cast<std::size_t>(count), missing);
    return;
  }
  const void* values = array.buffers[1];
  numbers_.reserve(numbers_.size() + static_cast<std::size_t>(count));
  for (std::int64_t row = first; row < first + count; ++row)
    numbers_.push_back(is_valid(array, row) ? number_at(format_, values, array.offset + row) : missing);
}

void ColumnReader::append_texts(const ArrowArray& array, std::int64_t first, std::int64_t count) {
  for (std::int64_t row = first; row < first + count; ++row) {
    if (is_valid(array, row))
      texts_.add(text_at(format_, array, array.offset + row));
    else
      texts_.add_missing();
  }
}

void ColumnReader::append_places(const ArrowArray& array, std::int64_t first, std::int64_t count) {
  // The dictionary as a column of its own, whose values the rows then refer to.
  ColumnReader words(*schema_.dictionary);
  words.append(*array.dictionary, 0, array.dictionary->length);
  const bool text = type_ == ColumnType::text;
  const Column column = std::move(words).finish();
  std::vector<std::int32_t> places;
  for (std::int64_t d = 0; text && d < array.dictionary->length; ++d) {
    const std::int32_t code = column.codes[static_cast<std::size_t>(d)];
    places.push_back(code < 0 ? -1 : texts_.place_of(column.dictionary[static_cast<std::size_t>(code)]));
  }
  for (std::int64_t row = first; row < first + count; ++row) {
    const bool there = is_valid(array, row);
    const auto place =
        there ? static_cast<std::size_t>(number_at(format_, array.buffers[1], array.offset + row)) : 0;
    if (text)
      texts_.add_place(there ? places.at(place) : -1);
    else
      numbers_.push_back(there ? column.numbers[place] : missing);
  }
}

Column ColumnReader::finish() && {
  Column column = type_ == ColumnType::text ? TextPool::finish(std::move(texts_), name_of(schema_))
                                            : owned_numbers(name_of(schema_), type_, std::move(numbers_));
  column.declared_category = schema_.dictionary != nullptr && column.is_text();
  return column;
}

}  // namespace kore::table

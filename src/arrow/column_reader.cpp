#include "arrow/column_reader.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "table/refusals.hpp"

namespace kore::arrow {
namespace {

using table::ColumnType;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double seconds_per_day = 86400;

[[noreturn]] void refuse_type(const ArrowSchema& schema) {
  table::refuse_data(
      "unusable_arrow_format",
      "Column '{column}' holds values that are neither numbers, times nor texts (Arrow format "
      "'{format}'). Leave it out, or convert it.",
      {{"column", name_of(schema)}, {"format", schema.format == nullptr ? "" : schema.format}});
}

ArrowSchemaView view_of(const ArrowSchema& schema) {
  ArrowSchemaView view{};
  if (ArrowSchemaViewInit(&view, &schema, nullptr) != NANOARROW_OK) refuse_type(schema);
  return view;
}

ColumnType type_of(const ArrowSchemaView& view) {
  switch (view.type) {
    case NANOARROW_TYPE_DICTIONARY:
      return type_of(view_of(*view.schema->dictionary));
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_STRING_VIEW:
      return ColumnType::text;
    case NANOARROW_TYPE_BOOL:
      return ColumnType::boolean;
    case NANOARROW_TYPE_DATE32:
      return ColumnType::date;
    case NANOARROW_TYPE_DATE64:
    case NANOARROW_TYPE_TIMESTAMP:
    case NANOARROW_TYPE_TIME32:
    case NANOARROW_TYPE_TIME64:
      return ColumnType::timestamp;
    case NANOARROW_TYPE_NA:
    case NANOARROW_TYPE_INT8:
    case NANOARROW_TYPE_UINT8:
    case NANOARROW_TYPE_INT16:
    case NANOARROW_TYPE_UINT16:
    case NANOARROW_TYPE_INT32:
    case NANOARROW_TYPE_UINT32:
    case NANOARROW_TYPE_INT64:
    case NANOARROW_TYPE_UINT64:
    case NANOARROW_TYPE_HALF_FLOAT:
    case NANOARROW_TYPE_FLOAT:
    case NANOARROW_TYPE_DOUBLE:
    case NANOARROW_TYPE_DECIMAL32:
    case NANOARROW_TYPE_DECIMAL64:
    case NANOARROW_TYPE_DECIMAL128:
      return ColumnType::number;
    default:
      refuse_type(*view.schema);
  }
}

double units_of(const ArrowSchemaView& view, ColumnType type) {
  if (type == ColumnType::number) return std::pow(10.0, view.decimal_scale);
  if (view.type == NANOARROW_TYPE_DATE64) return 1e3;
  switch (view.time_unit) {
    case NANOARROW_TIME_UNIT_MILLI:
      return 1e3;
    case NANOARROW_TIME_UNIT_MICRO:
      return 1e6;
    case NANOARROW_TIME_UNIT_NANO:
      return 1e9;
    default:
      return 1;
  }
}

/// A number of 16 bits: sign, five bits of exponent, ten of fraction. (nanoarrow 0.7 makes those without an
/// exponent, below 6.1e-5, far too small.)
double half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x1f) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : missing;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

/// 128 bits, the lower half first. The sign is taken off before the halves are added: those of a small
/// negative number are large and would cancel.
double wide_integer(const ArrowArrayView& array, std::int64_t at) {
  std::uint64_t low = array.buffer_views[1].data.as_uint64[2 * at];
  std::uint64_t high = array.buffer_views[1].data.as_uint64[2 * at + 1];
  const bool negative = (high >> 63U) != 0;
  if (negative) {
    low = ~low + 1;
    high = ~high + (low == 0 ? 1 : 0);
  }
  const double size = std::ldexp(static_cast<double>(high), 64) + static_cast<double>(low);
  return negative ? -size : size;
}

}  // namespace

std::string name_of(const ArrowSchema& schema) { return schema.name == nullptr ? "" : schema.name; }

ColumnReader::ColumnReader(const ArrowSchema& schema)
    : view_(view_of(schema)), type_(type_of(view_)), units_(units_of(view_, type_)) {}

/// Times are days since 1970, computed from seconds, as the command does.
double ColumnReader::number_at(const ArrowArrayView& array, std::int64_t row) const {
  const auto& data = array.buffer_views[1].data;
  switch (view_.type) {
    case NANOARROW_TYPE_HALF_FLOAT:
      return half(data.as_uint16[array.offset + row]);
    case NANOARROW_TYPE_DECIMAL32:
      return data.as_int32[array.offset + row] / units_;
    case NANOARROW_TYPE_DECIMAL64:
      return static_cast<double>(data.as_int64[array.offset + row]) / units_;
    case NANOARROW_TYPE_DECIMAL128:
      return wide_integer(array, array.offset + row) / units_;
    case NANOARROW_TYPE_DATE64:
    case NANOARROW_TYPE_TIMESTAMP:
    case NANOARROW_TYPE_TIME32:
    case NANOARROW_TYPE_TIME64:
      return ArrowArrayViewGetDoubleUnsafe(&array, row) / units_ / seconds_per_day;
    default:
      return ArrowArrayViewGetDoubleUnsafe(&array, row);
  }
}

void ColumnReader::append(const ArrowArrayView& array, std::int64_t first, std::int64_t count) {
  if (view_.type == NANOARROW_TYPE_DICTIONARY) return append_places(array, first, count);
  const bool text = type_ == ColumnType::text;
  if (!text) numbers_.reserve(numbers_.size() + static_cast<std::size_t>(count));
  for (std::int64_t row = first; row < first + count; ++row) {
    const bool there = ArrowArrayViewIsNull(&array, row) == 0;
    if (!text) {
      numbers_.push_back(there ? number_at(array, row) : missing);
    } else if (there) {
      const ArrowStringView found = ArrowArrayViewGetStringUnsafe(&array, row);
      texts_.add({found.data, static_cast<std::size_t>(found.size_bytes)});
    } else {
      texts_.add_missing();
    }
  }
}

void ColumnReader::append_missing(std::int64_t count) {
  numbers_.insert(numbers_.end(), static_cast<std::size_t>(count), missing);
}

void ColumnReader::append_places(const ArrowArrayView& array, std::int64_t first, std::int64_t count) {
  // The dictionary as a column of its own, whose values the rows then refer to.
  ColumnReader words(*view_.schema->dictionary);
  const std::int64_t size = array.dictionary->length;
  if (words.has_values())
    words.append(*array.dictionary, 0, size);
  else
    words.append_missing(size);
  const bool text = type_ == ColumnType::text;
  const table::Column column = std::move(words).finish();
  std::vector<std::int32_t> places;
  for (std::size_t d = 0; text && d < column.codes.size(); ++d)
    places.push_back(column.codes[d] < 0
                         ? -1
                         : texts_.place_of(column.dictionary[static_cast<std::size_t>(column.codes[d])]));
  for (std::int64_t row = first; row < first + count; ++row) {
    const bool there = ArrowArrayViewIsNull(&array, row) == 0;
    const std::int64_t place = there ? ArrowArrayViewGetIntUnsafe(&array, row) : 0;
    if (there && (place < 0 || place >= size))
      table::refuse_data("code_not_in_dictionary",
                         "Column '{column}' has a code that is not in its dictionary.",
                         {{"column", name_of(*view_.schema)}});
    if (text)
      texts_.add_place(there ? places[static_cast<std::size_t>(place)] : -1);
    else
      numbers_.push_back(there ? column.numbers[static_cast<std::size_t>(place)] : missing);
  }
}

table::Column ColumnReader::finish() && {
  const std::string name = name_of(*view_.schema);
  table::Column column = type_ == ColumnType::text ? table::TextPool::finish(std::move(texts_), name)
                                                   : table::owned_numbers(name, type_, std::move(numbers_));
  column.declared_category = view_.type == NANOARROW_TYPE_DICTIONARY && column.is_text();
  return column;
}

}  // namespace kore::arrow

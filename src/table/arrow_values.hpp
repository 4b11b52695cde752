#pragma once

#include "table/arrow.hpp"

namespace kore::table {

/// Collects the values of one column from arrays of the same type.
class ColumnReader {
 public:
  /// Throws `invalid_data` for a type that no model can use.
  explicit ColumnReader(const ArrowSchema& schema);

  /// Values `first` to `first + count` of an array, on top of the array's own offset.
  void append(const ArrowArray& array, std::int64_t first, std::int64_t count);
  Column finish() &&;

  /// The values are doubles, which can be used without a copy.
  static bool is_doubles(const ArrowSchema& schema);

 private:
  void append_numbers(const ArrowArray& array, std::int64_t first, std::int64_t count);
  void append_texts(const ArrowArray& array, std::int64_t first, std::int64_t count);
  void append_places(const ArrowArray& array, std::int64_t first, std::int64_t count);

  const ArrowSchema& schema_;
  std::string format_;
  ColumnType type_;
  std::vector<double> numbers_;
  TextPool texts_;
};

/// Whether a value is there.
bool is_valid(const ArrowArray& array, std::int64_t row);
/// No value is missing, as far as the array says without counting.
bool has_no_gaps(const ArrowArray& array);

}  // namespace kore::table

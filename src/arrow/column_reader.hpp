#pragma once

#include <nanoarrow/nanoarrow.h>

#include <string>
#include <vector>

#include "table/frame.hpp"

namespace kore::arrow {

/// Collects the values of one column from arrays of the same type.
class ColumnReader {
 public:
  /// Throws `invalid_data` for a type that no model can use. The schema must outlive the reader.
  explicit ColumnReader(const ArrowSchema& schema);

  /// The values are doubles, which can be used without a copy.
  bool is_doubles() const { return view_.type == NANOARROW_TYPE_DOUBLE; }
  /// False for a column whose type says that every value is missing.
  bool has_values() const { return view_.type != NANOARROW_TYPE_NA; }

  /// Values `first` to `first + count` of an array, on top of the array's own offset.
  void append(const ArrowArrayView& array, std::int64_t first, std::int64_t count);
  void append_missing(std::int64_t count);
  table::Column finish() &&;

 private:
  double number_at(const ArrowArrayView& array, std::int64_t row) const;
  void append_places(const ArrowArrayView& array, std::int64_t first, std::int64_t count);

  ArrowSchemaView view_{};
  table::ColumnType type_;
  double units_ = 1;  ///< Stored numbers per one: of decimals, or of seconds.
  std::vector<double> numbers_;
  table::TextPool texts_;
};

std::string name_of(const ArrowSchema& schema);

}  // namespace kore::arrow

#pragma once

#include <vector>

#include "kore/encoder.hpp"
#include "table/frame.hpp"

namespace kore::table {

/// The features of an encoding as the engine reads them. A column of numbers without missing values is not
/// copied; only other features take memory.
struct EncodedFrame {
  EncodedFrame() = default;
  EncodedFrame(EncodedFrame&&) =
      default;  // moving keeps the views valid; a copy would refer to the other object
  EncodedFrame& operator=(EncodedFrame&&) = default;

  MatrixView x;
  EncodeCounts counts;          ///< Per column of the encoding.
  std::vector<Column> columns;  ///< Those of the encoding; they keep the memory that is not copied.
  std::vector<double> values;   ///< Of the features that had to be computed.
};

/// Columns are found by name; other columns are ignored. Throws `invalid_data` where one is missing or has
/// another type.
EncodedFrame encode(const Frame& frame, const Encoding& encoding);

}  // namespace kore::table

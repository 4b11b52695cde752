#pragma once

#include <vector>

#include "kore/encoder.hpp"
#include "table/frame.hpp"

namespace kore::table {

/// The features of an encoding as the engine reads them. A column of numbers without gaps is shown where it
/// lies; only other features take memory.
struct EncodedFrame {
  EncodedFrame() = default;
  EncodedFrame(EncodedFrame&&) = default;  // views go along; a copy would show the values of another
  EncodedFrame& operator=(EncodedFrame&&) = default;

  MatrixView x;
  EncodeCounts counts;          ///< Per column of the encoding.
  std::vector<Column> columns;  ///< Those of the encoding; they keep what is shown where it lies.
  std::vector<double> values;   ///< Of the features that are not.
};

/// Columns are found by name; others are not looked at. Throws `invalid_data` where one is not there or holds
/// something else.
EncodedFrame encode(const Frame& frame, const Encoding& encoding);

}  // namespace kore::table

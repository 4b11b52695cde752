#pragma once

#include "table/frame.hpp"

/// The C structure in which libraries of data frames hand over tables (Arrow C stream interface).
struct ArrowArrayStream;

/// Tables of other libraries in memory, by the interfaces of the Arrow project.
namespace kore::arrow {

/// Reads a stream of record batches to its end and releases it. A column of doubles that comes in one piece
/// and without gaps is not copied. Throws `invalid_data` for a column that is neither numbers, times nor
/// texts, where the stream fails, and where its arrays contradict their types.
table::Frame read_stream(ArrowArrayStream& stream);

}  // namespace kore::arrow

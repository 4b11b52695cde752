#pragma once

#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "design/transform.hpp"

namespace kore {

/// The maps of a design's terms as bytes. Reading throws `corrupt_file` for those of another design.
void write(ByteWriter& out, std::span<const TermMap> maps);
std::vector<TermMap> read_term_maps(ByteReader& in, const Design& design);

/// The lower triangle of a `size * size` matrix, column-major. Entries above the diagonal are read as zero.
void write_triangle(ByteWriter& out, std::span<const double> matrix, std::size_t size);
std::vector<double> read_triangle(ByteReader& in, std::size_t size);
/// Adds the triangle to that of `matrix` instead.
void add_triangle(ByteReader& in, std::span<double> matrix, std::size_t size);

}  // namespace kore

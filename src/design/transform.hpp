#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/design.hpp"

namespace kore {

/// The map from the functions of one coordinate to its solved columns: keep the first `columns` functions,
/// and subtract `means` where the parametrisation centres. Because functions add up to one, `C[b][a] =
/// delta_ab - m_a`.
struct CoordinateMap {
  std::size_t functions = 0;
  std::size_t columns = 0;
  std::vector<double> means;  ///< One per column; empty if not centred.
  /// Of a cyclic coordinate, how many functions have coefficients of their own: function `i` shares that of
  /// `i % period`. As many as there are functions otherwise.
  std::size_t period = functions;
};

/// That of a coordinate of a term, not centred.
CoordinateMap coordinate_map(const Design& design, std::size_t term, std::size_t coordinate);

/// A term's map is the Kronecker product of those of its coordinates.
using TermMap = std::vector<CoordinateMap>;

/// Blocks are row-major arrays whose leading (or trailing) index runs over the functions of a term, last
/// coordinate fastest. `raw_rows_to_solved` computes `T' X` for a block X of `width` columns,
/// `raw_columns_to_solved` computes `X T`.
std::vector<double> raw_rows_to_solved(const TermMap& map, std::vector<double> block, std::size_t width);
std::vector<double> raw_columns_to_solved(const TermMap& map, std::vector<double> block, std::size_t height);
/// `T X` and `X T'`: from the solved layout back to the raw one.
std::vector<double> solved_rows_to_raw(const TermMap& map, std::vector<double> block, std::size_t width);
std::vector<double> solved_columns_to_raw(const TermMap& map, std::vector<double> block, std::size_t height);
/// `T X T'` for a square block of a term's solved columns.
std::vector<double> raw_covariance(const TermMap& map, std::vector<double> block);

/// The maps of all terms. `sums` holds the weighted sum of every raw function over the rows, `weight` the
/// total weight; a coordinate's mean within an interaction follows by summing the other coordinates out.
std::vector<TermMap> term_maps(const Design& design, std::span<const double> sums, double weight);

}  // namespace kore

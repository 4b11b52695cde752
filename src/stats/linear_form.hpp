#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "stats/local_block.hpp"

namespace kore {

/// Adds the value of one term at each of `rows` rows to `out`: the dot product of its raw functions with its
/// raw coefficients.
void add_term_values(const Design& design, std::size_t term, std::span<const double> coefficients,
                     const LocalBlock& local, std::size_t rows, double* out);

/// The sum of all terms plus `intercept`; `coefficients` are in the raw layout of the design.
void linear_form(const Design& design, double intercept, std::span<const double> coefficients,
                 const LocalBlock& local, std::size_t rows, double* out);

/// The same at every row of `x`, which must hold finite numbers, on several threads.
void evaluate_rows(const Design& design, double intercept, std::span<const double> coefficients,
                   Extrapolation outside, const MatrixView& x, std::span<double> values, int threads);

/// Sums of some of the terms at every row of `x`, without the intercept: one result for each list of terms.
std::vector<std::vector<double>> evaluate_sums(const Design& design,
                                               std::span<const std::vector<std::size_t>> sums,
                                               std::span<const double> coefficients, Extrapolation outside,
                                               const MatrixView& x, int threads);

}  // namespace kore

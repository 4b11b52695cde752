#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/solve.hpp"

namespace kore {

/// From this many columns on, the algebra of one fit (a factorisation, an inverse) takes so long that several
/// threads pay off within it. A fit with fewer columns runs on one thread, and threads share whole fits
/// instead. For the same reason methods that repeat fits become thriftier from here on.
inline constexpr std::size_t columns_worth_threads = 640;

// Square matrices below are dense, `size * size` numbers.

double trace(std::span<const double> matrix, std::size_t size);
/// `trace / size`: the scale against which a relative ridge is measured.
double mean_diagonal(std::span<const double> matrix, std::size_t size);
void add_to_diagonal(std::span<double> matrix, std::size_t size, double amount);
/// The trace of the product of two symmetric matrices.
double trace_of_product(std::span<const double> a, std::span<const double> b);
double squared_norm(std::span<const double> vector);
/// `vector' matrix vector`
double quadratic_form(std::span<const double> matrix, std::span<const double> vector);
/// Of the matrix that was factored.
double log_determinant(const Cholesky& cholesky);
std::vector<double> identity(std::size_t size);

}  // namespace kore

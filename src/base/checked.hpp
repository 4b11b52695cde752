#pragma once

#include <cstddef>

namespace kore {

// Sizes that come from a file or a task, or grow with products of counts, are computed with these: a size
// that wraps around would pass for a small one.

/// `a * b`. Throws `invalid_argument` where the product does not fit.
std::size_t checked_product(std::size_t a, std::size_t b);
/// `a + b`. Throws `invalid_argument` where the sum does not fit.
std::size_t checked_sum(std::size_t a, std::size_t b);
/// `a * b`, or the largest number where the product does not fit: for sizes that are only compared.
std::size_t saturated_product(std::size_t a, std::size_t b);

}  // namespace kore

#include "base/checked.hpp"

#include <limits>

#include "kore/error.hpp"

namespace kore {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

[[noreturn]] void refuse_size() {
  throw Error(ErrorCode::invalid_argument, "size_too_large",
              "A size is larger than any memory: its parts multiply to more than 2^64.");
}

bool product_fits(std::size_t a, std::size_t b) { return b == 0 || a <= largest / b; }

}  // namespace

std::size_t checked_product(std::size_t a, std::size_t b) {
  if (!product_fits(a, b)) refuse_size();
  return a * b;
}

std::size_t checked_sum(std::size_t a, std::size_t b) {
  if (a > largest - b) refuse_size();
  return a + b;
}

std::size_t saturated_product(std::size_t a, std::size_t b) { return product_fits(a, b) ? a * b : largest; }

}  // namespace kore

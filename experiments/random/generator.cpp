#include "experiments/random/generator.hpp"

#include "experiments/random/ziggurat.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

namespace kore::experiments {
namespace {

// Lemire's bounded draw: the upper half of `draw * outcomes` is uniform once the few products whose lower
// half falls below 2^bits mod outcomes are rejected. `Product` has twice the bits of `Word`.
template <typename Word, typename Product, typename Draw>
Word below(Word outcomes, Draw draw) {
  constexpr int kBits = std::numeric_limits<Word>::digits;
  Product product = Product{draw()} * outcomes;
  // Only then can a rejection be due, and the division is worth its time.
  if (static_cast<Word>(product) < outcomes) {
    const Word rejected = static_cast<Word>(-outcomes) % outcomes;
    while (static_cast<Word>(product) < rejected) product = Product{draw()} * outcomes;
  }
  return static_cast<Word>(product >> kBits);
}

std::vector<std::size_t> counting(std::size_t size) {
  std::vector<std::size_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

double Generator::uniform(double low, double high) { return low + (high - low) * bits_.next_double(); }

std::vector<double> Generator::uniform(double low, double high, std::size_t count) {
  std::vector<double> draws(count);
  for (double& draw : draws) draw = uniform(low, high);
  return draws;
}

// Uniform on 0 .. largest. A range that fits 32 bits costs half a draw, a single number none.
std::uint64_t Generator::up_to(std::uint64_t largest) {
  constexpr std::uint64_t kLargest32 = std::numeric_limits<std::uint32_t>::max();
  if (largest == 0) return 0;
  if (largest == kLargest32) return bits_.next_uint32();
  if (largest < kLargest32) {
    return below<std::uint32_t, std::uint64_t>(static_cast<std::uint32_t>(largest + 1),
                                               [this] { return bits_.next_uint32(); });
  }
  return below<std::uint64_t, UInt128>(largest + 1, [this] { return bits_.next_uint64(); });
}

std::int64_t Generator::integers(std::int64_t low, std::int64_t high) {
  if (low >= high) {
    throw Error(ErrorCode::invalid_argument,
                "integers(low, high) needs low < high, but got low = " + std::to_string(low) +
                    " and high = " + std::to_string(high) + "; high itself is never drawn.");
  }
  // Unsigned arithmetic: the width of a range may exceed the largest signed number.
  const auto offset = static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(offset + up_to(static_cast<std::uint64_t>(high) - offset - 1));
}

std::vector<std::int64_t> Generator::integers(std::int64_t low, std::int64_t high, std::size_t count) {
  std::vector<std::int64_t> draws(count);
  for (std::int64_t& draw : draws) draw = integers(low, high);
  return draws;
}

double Generator::standard_normal() {
  const Ziggurat& layers = ziggurat();
  for (;;) {
    // One draw gives, from its lowest bit up: 8 bits of layer, a sign, 52 bits of position.
    const std::uint64_t bits = bits_.next_uint64();
    const std::size_t layer = bits & 0xff;
    const bool negative = (bits >> 8 & 1) != 0;
    const std::uint64_t position = bits >> 9 & 0x000fffffffffffffU;
    const double distance = static_cast<double>(position) * layers.width[layer];
    const double x = negative ? -distance : distance;
    if (position < layers.inside[layer]) return x;
    // NumPy takes the tail's sign from a bit of the position, not from the sign already drawn.
    if (layer == 0) return normal_tail((position >> 8 & 1) != 0);
    const double drop = layers.height[layer - 1] - layers.height[layer];
    if (drop * bits_.next_double() + layers.height[layer] < std::exp(-0.5 * x * x)) return x;
  }
}

// Marsaglia's method for the normal beyond the last layer: an exponential proposal, thinned.
double Generator::normal_tail(bool negative) {
  constexpr double kInverseStart = 1.0 / Ziggurat::kTailStart;
  for (;;) {
    const double beyond = -kInverseStart * std::log1p(-bits_.next_double());
    const double level = -std::log1p(-bits_.next_double());
    if (level + level > beyond * beyond) {
      const double distance = Ziggurat::kTailStart + beyond;
      return negative ? -distance : distance;
    }
  }
}

double Generator::normal(double mean, double deviation) { return mean + deviation * standard_normal(); }

std::vector<double> Generator::normal(double mean, double deviation, std::size_t count) {
  std::vector<double> draws(count);
  for (double& draw : draws) draw = normal(mean, deviation);
  return draws;
}

// Fisher-Yates from the back, down to position `first`: what then stands from `first` on is a uniform sample.
void Generator::shuffle_from(std::span<std::size_t> values, std::size_t first) {
  for (std::size_t i = values.size(); i-- > first;) std::swap(values[i], values[up_to(i)]);
}

// NumPy's older bounded draw, which its permutations still use: as many bits as the largest number has, until
// they do not exceed it.
std::uint64_t Generator::up_to_by_mask(std::uint64_t largest) {
  if (largest == 0) return 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero(largest);
  const bool fits_half = largest <= std::numeric_limits<std::uint32_t>::max();
  for (;;) {
    const std::uint64_t value = (fits_half ? bits_.next_uint32() : bits_.next_uint64()) & mask;
    if (value <= largest) return value;
  }
}

std::vector<std::size_t> Generator::permutation(std::size_t size) {
  std::vector<std::size_t> order = counting(size);
  for (std::size_t i = size; i-- > 1;) std::swap(order[i], order[up_to_by_mask(i)]);
  return order;
}

std::vector<std::size_t> Generator::choice(std::size_t size, std::size_t count) {
  if (count > size) {
    throw Error(ErrorCode::invalid_argument, "choice(size, count) cannot take " + std::to_string(count) +
                                                 " different numbers out of " + std::to_string(size) +
                                                 "; ask for fewer.");
  }
  // NumPy's border between the two methods: a large share of a large range is cheaper to shuffle.
  if (size > 10000 && count > size / 50) {
    std::vector<std::size_t> numbers = counting(size);
    shuffle_from(numbers, std::max<std::size_t>(size - count, 1));
    return {numbers.end() - static_cast<std::ptrdiff_t>(count), numbers.end()};
  }
  std::vector<std::size_t> chosen = choose_distinct(size, count);
  shuffle_from(chosen, 1);
  return chosen;
}

// Floyd's sampling: the draw below j+1, or j itself where that number is already taken.
std::vector<std::size_t> Generator::choose_distinct(std::size_t size, std::size_t count) {
  std::vector<std::size_t> chosen;
  chosen.reserve(count);
  std::unordered_set<std::size_t> taken;
  taken.reserve(count);
  for (std::size_t j = size - count; j < size; ++j) {
    const std::size_t drawn = up_to(j);
    const std::size_t number = taken.contains(drawn) ? j : drawn;
    taken.insert(number);
    chosen.push_back(number);
  }
  return chosen;
}

}  // namespace kore::experiments

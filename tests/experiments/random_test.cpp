#include "experiments/random/generator.hpp"
#include "experiments/random/seed_sequence.hpp"
#include "experiments/random/ziggurat.hpp"
#include "experiments/vectors.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

namespace kore::experiments {
namespace {

using Doubles = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Indices = std::vector<std::size_t>;

Indices head(const Indices& values, std::size_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()))};
}

std::vector<std::uint64_t> raw(Generator& generator, std::size_t count) {
  std::vector<std::uint64_t> draws(count);
  for (auto& draw : draws) draw = generator.raw();
  return draws;
}

constexpr std::uint64_t kSeeds[] = {0, 1, 7, 42, 2026, 123456789, 2147483647};

/// One seed of NumPy's vectors; every method is checked on a fresh generator.
class NumpyVectors : public testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    for (const auto& vector : load_vectors("rng.json", "generator")) {
      if (vector.at("seed").get<std::uint64_t>() == GetParam()) vector_ = vector;
    }
    ASSERT_FALSE(vector_.is_null()) << "rng.json has no vectors for this seed.";
  }
  Generator fresh() const { return Generator(GetParam()); }
  const nlohmann::json& expected(const char* field) const { return vector_.at(field); }

 private:
  nlohmann::json vector_;
};

TEST_P(NumpyVectors, GiveTheRawBits) {
  Generator generator = fresh();
  EXPECT_EQ(raw(generator, 6), unsigned_list_from(expected("raw_uint64")));
}

TEST_P(NumpyVectors, GiveTheUniformNumbers) {
  Generator generator = fresh();
  Doubles draws(8);
  for (double& draw : draws) draw = generator.random();
  EXPECT_EQ(draws, expected("random").get<Doubles>());
  EXPECT_EQ(fresh().uniform(0.5, 1.2, 6), expected("uniform_0.5_1.2").get<Doubles>());
}

TEST_P(NumpyVectors, GiveTheBoundedIntegers) {
  EXPECT_EQ(fresh().integers(1, 4, 11), expected("integers_1_4").get<Integers>());
  EXPECT_EQ(fresh().integers(0, 36, 11), expected("integers_0_36").get<Integers>());
}

TEST_P(NumpyVectors, GiveTheNormalNumbers) {
  EXPECT_EQ(fresh().normal(0, 1, 12), expected("normal").get<Doubles>());
  const Doubles many = fresh().normal(0, 1, 20000);
  const auto& summary = expected("normal_20000");
  double sum = 0;
  for (const double x : many) sum += x;
  EXPECT_NEAR(sum, summary.at("sum").get<double>(), 1e-9);
  EXPECT_EQ(*std::max_element(many.begin(), many.end()), summary.at("max").get<double>());
  EXPECT_EQ(*std::min_element(many.begin(), many.end()), summary.at("min").get<double>());
  EXPECT_EQ(many.back(), summary.at("last").get<double>());
}

TEST_P(NumpyVectors, GiveThePermutations) {
  EXPECT_EQ(fresh().permutation(17), expected("permutation_17").get<Indices>());
  EXPECT_EQ(head(fresh().permutation(1000), 10), expected("permutation_1000_head").get<Indices>());
}

TEST_P(NumpyVectors, GiveTheChoicesWithoutReplacement) {
  EXPECT_EQ(fresh().choice(20, 5), expected("choice_20_of_5_no_replace").get<Indices>());
  EXPECT_EQ(head(fresh().choice(10000, 50), 10),
            expected("choice_10000_of_50_no_replace_head").get<Indices>());
}

TEST_P(NumpyVectors, KeepTheWaitingHalfAcrossOtherDraws) {
  const auto& mixed = expected("mixed");
  Generator generator = fresh();
  EXPECT_EQ(generator.uniform(0.5, 1.2, 5), mixed.at("uniform5").get<Doubles>());
  EXPECT_EQ(generator.integers(1, 4, 5), mixed.at("integers5").get<Integers>());
  EXPECT_EQ(generator.uniform(0.0, 2 * std::numbers::pi, 3), mixed.at("uniform3").get<Doubles>());
  EXPECT_EQ(generator.normal(0, 1, 3), mixed.at("normal3").get<Doubles>());
  EXPECT_EQ(generator.integers(1, 4, 3), mixed.at("integers3").get<Integers>());
}

INSTANTIATE_TEST_SUITE_P(Seeds, NumpyVectors, testing::ValuesIn(kSeeds), testing::PrintToStringParamName());

TEST(NumpyVectorFile, HasNoSeedThatGoesUnchecked) {
  EXPECT_EQ(load_vectors("rng.json", "generator").size(), std::size(kSeeds));
}

TEST(SeedSequence, SpreadsSeedsOfOneAndTwoWordsLikeNumpy) {
  for (const auto& vector : load_vectors("rng_extra.json", "seed_sequence")) {
    EXPECT_EQ(SeedSequence(unsigned_from(vector.at("seed"))).generate_state(7),
              unsigned_list_from(vector.at("state")));
  }
}

TEST(Generator, AcceptsSeedsBeyond32Bits) {
  for (const auto& vector : load_vectors("rng_extra.json", "seeds")) {
    Generator generator(unsigned_from(vector.at("seed")));
    EXPECT_EQ(raw(generator, 3), unsigned_list_from(vector.at("raw"))) << "seed " << vector.at("seed");
  }
}

TEST(Generator, DrawsIntegersOfEveryWidthLikeNumpy) {
  for (const auto& vector : load_vectors("rng_extra.json", "integers")) {
    const std::int64_t low = std::stoll(vector.at("low").get<std::string>());
    const std::int64_t high = std::stoll(vector.at("high").get<std::string>());
    Integers draws;
    for (const auto& text : vector.at("draws")) draws.push_back(std::stoll(text.get<std::string>()));
    EXPECT_EQ(Generator(11).integers(low, high, draws.size()), draws) << low << " to " << high;
  }
}

TEST(Generator, PermutesEverySizeLikeNumpyAndStopsAtTheSameDraw) {
  for (const auto& vector : load_vectors("rng_extra.json", "permutations")) {
    Generator generator(5);
    const auto order = generator.permutation(vector.at("size").get<std::size_t>());
    EXPECT_EQ(head(order, 6), vector.at("head").get<Indices>()) << vector.at("size");
    EXPECT_EQ(generator.raw(), unsigned_from(vector.at("after"))) << vector.at("size");
  }
}

TEST(Generator, ChoosesLikeNumpyOnBothSidesOfItsChangeOfMethod) {
  for (const auto& vector : load_vectors("rng_extra.json", "choices")) {
    Generator generator(6);
    const auto count = vector.at("count").get<std::size_t>();
    const auto chosen = generator.choice(vector.at("size").get<std::size_t>(), count);
    EXPECT_EQ(chosen.size(), count);
    EXPECT_EQ(head(chosen, 6), vector.at("head").get<Indices>()) << vector.at("size") << " of " << count;
    EXPECT_EQ(generator.raw(), unsigned_from(vector.at("after"))) << vector.at("size") << " of " << count;
  }
}

// A single layer cut differently, or one acceptance decided differently, shifts everything drawn after it.
TEST(Generator, StaysWithNumpyOverAMillionNormals) {
  for (const auto& vector : load_vectors("rng_extra.json", "normals")) {
    Generator generator(vector.at("seed").get<std::uint64_t>());
    const Doubles draws = generator.normal(0, 1, vector.at("count").get<std::size_t>());
    Doubles sampled;
    for (std::size_t i = 0; i < draws.size(); i += vector.at("every").get<std::size_t>())
      sampled.push_back(draws[i]);
    Doubles tail;
    double squares = 0;
    for (const double x : draws) {
      squares += x * x;
      if (std::abs(x) > Ziggurat::kTailStart) tail.push_back(x);
    }
    EXPECT_EQ(sampled, vector.at("sampled").get<Doubles>());
    ASSERT_EQ(tail.size(), vector.at("beyond_tail_start").get<std::size_t>());
    // Tails go through the mathematical library's logarithm, which may differ in the last bit elsewhere.
    const auto expected_tail = vector.at("tail").get<Doubles>();
    for (std::size_t i = 0; i < expected_tail.size(); ++i) EXPECT_DOUBLE_EQ(tail[i], expected_tail[i]);
    EXPECT_NEAR(squares / static_cast<double>(draws.size()), vector.at("mean_square").get<double>(), 1e-11);
    EXPECT_EQ(generator.raw(), unsigned_from(vector.at("after")));
  }
}

// Sums modulo 2^64 of the bit patterns in NumPy's own tables, each times its place: a threshold one off would
// hardly ever show in a draw.
TEST(Ziggurat, EqualsNumpysLayersBitForBit) {
  const auto sums = load_vectors("rng_extra.json", "ziggurat_bit_sums");
  const Ziggurat& layers = ziggurat();
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < Ziggurat::kLayers; ++i) {
    width += (i + 1) * std::bit_cast<std::uint64_t>(layers.width[i]);
    height += (i + 1) * std::bit_cast<std::uint64_t>(layers.height[i]);
    inside += (i + 1) * layers.inside[i];
  }
  EXPECT_EQ(width, unsigned_from(sums.at("width")));
  EXPECT_EQ(height, unsigned_from(sums.at("height")));
  EXPECT_EQ(inside, unsigned_from(sums.at("inside")));
}

TEST(Ziggurat, HasLayersOfEqualAreaThatCloseAtTheTop) {
  const Ziggurat& layers = ziggurat();
  const auto edge = [&](std::size_t i) { return layers.width[i] * 0x1p52; };
  const double r = Ziggurat::kTailStart;
  const double tail = std::sqrt(std::numbers::pi / 2) * std::erfc(r / std::numbers::sqrt2);
  const double area = r * std::exp(-0.5 * r * r) + tail;
  EXPECT_EQ(edge(255), r);
  EXPECT_NEAR(edge(0) * layers.height[255], area, 1e-17);
  for (std::size_t i = 1; i < Ziggurat::kLayers; ++i) {
    EXPECT_NEAR(layers.height[i], std::exp(-0.5 * edge(i) * edge(i)), 2e-16) << i;
    EXPECT_NEAR(edge(i) * (layers.height[i - 1] - layers.height[i]), area, 2e-15) << i;
    if (i > 1) {
      EXPECT_NEAR(static_cast<double>(layers.inside[i]) * 0x1p-52, edge(i - 1) / edge(i), 1e-15) << i;
    }
  }
}

TEST(Generator, DrawsIntegersEvenlyAndReachesBothEnds) {
  Generator generator(8);
  std::vector<int> counts(7);
  constexpr int kDraws = 70000;
  constexpr double kShare = 1.0 / 7;
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<std::size_t>(generator.integers(-3, 4) + 3)];
  // Five standard deviations of a binomial count.
  const double tolerance = 5 * std::sqrt(kDraws * kShare * (1 - kShare));
  for (const int count : counts) EXPECT_NEAR(count, kDraws * kShare, tolerance);
}

TEST(Generator, SpendsNoDrawOnACertainInteger) {
  Generator asked(3);
  Generator untouched(3);
  EXPECT_EQ(asked.integers(9, 10), 9);
  EXPECT_EQ(asked.raw(), untouched.raw());
}

TEST(Generator, ChoosesDifferentNumbersBelowTheSize) {
  for (const auto& [size, count] :
       {std::pair<std::size_t, std::size_t>{40, 40}, {20000, 15000}, {20000, 100}}) {
    const auto chosen = Generator(size).choice(size, count);
    const std::set<std::size_t> distinct(chosen.begin(), chosen.end());
    EXPECT_EQ(distinct.size(), count);
    EXPECT_LT(*distinct.rbegin(), size);
  }
}

TEST(Generator, RefusesAnEmptyRangeAndTooLargeAChoice) {
  Generator generator(0);
  EXPECT_THROW(generator.integers(4, 4), Error);
  EXPECT_THROW(generator.integers(5, 4), Error);
  EXPECT_THROW(generator.choice(3, 4), Error);
}

}  // namespace
}  // namespace kore::experiments

#include "base/hash.hpp"

#include <gtest/gtest.h>

namespace kore {
namespace {

// SplitMix64 with seed 0 starts with this number, and a hash of 0 that meets the number 0 is its first step.
TEST(Hash, OfANumberIsTheMixerThatItClaimsToBe) { EXPECT_EQ(mix_number(0, 0.0), 0xe220a8397b1dcdafULL); }

TEST(Hash, DependsOnTheNumbersAndOnTheirOrder) {
  EXPECT_NE(mix_number(mix_number(0, 1.0), 2.0), mix_number(mix_number(0, 2.0), 1.0));
  EXPECT_NE(mix_number_quickly(mix_number_quickly(quick_hash_seed, 1.0), 2.0),
            mix_number_quickly(mix_number_quickly(quick_hash_seed, 2.0), 1.0));
}

// The values decide which rows are drawn. They were worked out apart from the engine, in whole numbers.
TEST(Hash, HasTheValuesThatPublishedResultsWereDrawnWith) {
  EXPECT_EQ(mix_number(mix_number(0, 1.5), -2.0), 0xe690c23448514e7ULL);
  EXPECT_EQ(mix_number_quickly(quick_hash_seed, 1.5), 0x674c11c4a21e57a5ULL);
}

}  // namespace
}  // namespace kore

#include "base/checked.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/aligned.hpp"
#include "support/error_of.hpp"

namespace kore {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

TEST(CheckedSizes, AreThoseOfArithmeticWhereTheyFit) {
  EXPECT_EQ(checked_product(0, largest), 0U);
  EXPECT_EQ(checked_product(largest, 1), largest);
  EXPECT_EQ(checked_product(std::size_t{1} << 32, (std::size_t{1} << 32) - 1),
            largest - (std::size_t{1} << 32) + 1);
  EXPECT_EQ(checked_sum(largest - 3, 3), largest);
  EXPECT_EQ(saturated_product(6, 7), 42U);
}

TEST(CheckedSizes, NeverWrapAround) {
  EXPECT_EQ(test::error_of([] { checked_product(std::size_t{1} << 32, std::size_t{1} << 32); }).reason(),
            "size_too_large");
  EXPECT_EQ(test::error_of([] { checked_sum(largest, 1); }).reason(), "size_too_large");
  EXPECT_EQ(saturated_product(std::size_t{1} << 32, std::size_t{1} << 32), largest);
}

TEST(AlignedBuffer, OfMoreDoublesThanBytesCanBeCountedIsRefused) {
  EXPECT_EQ(test::error_of([] { AlignedBuffer(std::size_t{1} << 61); }).reason(), "size_too_large");
}

}  // namespace
}  // namespace kore

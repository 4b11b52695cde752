#include "base/parts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kore {
namespace {

TEST(Parts, AreDoubledWhileTheyPayAndAtMostFour) {
  EXPECT_EQ(count_parts([](std::size_t) { return false; }), 1U);
  EXPECT_EQ(count_parts([](std::size_t count) { return count <= 3; }), 2U);
  EXPECT_EQ(count_parts([](std::size_t) { return true; }), 4U);
}

TEST(Parts, TogetherHoldEveryRowOnceInOrder) {
  for (const std::size_t rows : {0U, 1U, 3U, 10U, 4097U}) {
    std::size_t next = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto [first, count] = part_of_rows(rows, k, 4);
      EXPECT_EQ(first, next);
      EXPECT_LE(count, rows / 4 + 1);
      next = first + count;
    }
    EXPECT_EQ(next, rows);
  }
}

TEST(Parts, SumsAreAddedEntryByEntry) {
  std::vector<double> sum{1, 2};
  add_to(sum, std::vector<double>{10, 20});
  EXPECT_EQ(sum, (std::vector<double>{11, 22}));
}

}  // namespace
}  // namespace kore

#include "base/memory.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace kore {
namespace {

/// What the kernel says in its own words, in bytes.
std::uint64_t memory_of_this_machine() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  std::uint64_t kilobytes = 0;
  while (file >> word)
    if (word == "MemTotal:" && file >> kilobytes) break;
  return kilobytes * 1024;
}

TEST(Memory, HalfOfTheMachineIsUsedWhereNobodyNamesALimit) {
  const std::uint64_t machine = memory_of_this_machine();
  if (machine == 0) GTEST_SKIP() << "the kernel does not tell";
  EXPECT_NEAR(static_cast<double>(default_memory_limit()), 0.5 * static_cast<double>(machine),
              0.01 * static_cast<double>(machine));
}

TEST(Memory, SharesOfALimitStayWithinIt) {
  for (const std::uint64_t limit : {32'000'000ULL, 1'000'000'001ULL, 64'000'000'000ULL})
    EXPECT_LE(memory_for_rows(limit) + memory_for_reading(limit) + memory_for_fits(limit), limit);
}

TEST(Memory, TheMostColumnsFitAndOneMoreDoesNot) {
  for (const std::uint64_t bytes : {60ULL, 8'000'000ULL, 375'000'000ULL, 16'000'000'000ULL}) {
    const auto columns = static_cast<double>(columns_in_memory(bytes));
    EXPECT_LE(fit_bytes_per_squared_column * columns * columns, static_cast<double>(bytes));
    EXPECT_GT(fit_bytes_per_squared_column * (columns + 1) * (columns + 1), static_cast<double>(bytes));
  }
  EXPECT_EQ(columns_in_memory(375'000'000), 2500U) << "the default limit on columns";
}

}  // namespace
}  // namespace kore

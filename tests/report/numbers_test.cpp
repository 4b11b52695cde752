#include "report/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kore::report {
namespace {

TEST(Readable, HasThreeDigitsAndCommas) {
  EXPECT_EQ(readable(0.123456), "0.123");
  EXPECT_EQ(readable(12.3456), "12.3");
  EXPECT_EQ(readable(-1234567.8), "-1,234,568");
  EXPECT_EQ(readable(1.2345e-9), "1.23e-09");
  EXPECT_EQ(readable(std::numeric_limits<double>::infinity()), "undefined");
}

TEST(Rounded, KeepsFiveDigits) { EXPECT_EQ(rounded(123456.789), 123460); }

TEST(Shortened, CountsLettersAndNotBytes) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened("äöüßäöüß", 4), "äöü…");
}

}  // namespace
}  // namespace kore::report

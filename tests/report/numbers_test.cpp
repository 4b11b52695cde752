#include "report/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

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

TEST(ShortenedApart, KeepsNamesDifferent) {
  const std::string same(80, 'a');
  const std::vector<std::string> names{same + " with garden", same + " with balcony", "short",
                                       "a" + same + "b" + same, "a" + same + "c" + same};
  for (const std::size_t most : {8U, 24U, 60U}) {
    const std::vector<std::string> cut = shortened_apart(names, most);
    EXPECT_EQ(std::set<std::string>(cut.begin(), cut.end()).size(), names.size()) << most;
    EXPECT_EQ(cut[2], "short");
  }
  const std::vector<std::string> cut = shortened_apart(names, 24);
  EXPECT_TRUE(cut[0].ends_with("… with garden") || cut[0].ends_with("with garden")) << cut[0];
  const std::vector<std::string> beside = shortened_apart(names, 60, 15);
  EXPECT_NE(beside[0].substr(0, 20), beside[1].substr(0, 20)) << "an axis cuts after so many letters";
  EXPECT_EQ(shortened_apart({"one long name of many letters", "another"}, 60, 15)[0],
            "one long name of many letters");
  EXPECT_EQ(shortened_apart({"one long name", "another"}, 5), (std::vector<std::string>{"one …", "anot…"}));
  EXPECT_EQ(shortened_apart({"äöüßäöü1", "äöüßäöü2"}, 4), (std::vector<std::string>{"ä…ü1", "ä…ü2"}));
}

}  // namespace
}  // namespace kore::report

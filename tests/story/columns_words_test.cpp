// Why the engine has other features than the table has columns.
#include "story/columns_words.hpp"

#include <gtest/gtest.h>

#include "story/text.hpp"

namespace kore::story {
namespace {

using table::EncodedKind;

TEST(ColumnsWords, SayWhatTheFurtherFeaturesAre) {
  table::Encoding encoding;
  encoding.columns.resize(5);
  for (std::size_t c = 0; c < 5; ++c) encoding.columns[c].name = std::string(1, static_cast<char>('a' + c));
  for (std::size_t c = 0; c < 5; ++c)
    encoding.features.push_back({encoding.columns[c].name, EncodedKind::numeric, c});
  EXPECT_EQ(columns_words(encoding), "5 columns as 5 features");
  encoding.features.push_back({"b (missing)", EncodedKind::missing_flag, 1});
  EXPECT_EQ(columns_words(encoding), "5 columns as 6 features (1 more flags rows without 'b')");
  for (const std::size_t c : {0, 2, 3}) encoding.features.push_back({"", EncodedKind::missing_flag, c});
  EXPECT_EQ(columns_words(encoding),
            "5 columns as 9 features (4 more flag rows without 'b', 'a', 'c' and 1 more)");
  encoding.features.push_back({"e=x", EncodedKind::indicator, 4, 0});
  EXPECT_TRUE(columns_words(encoding).ends_with(", 1 for single levels of categories)"));
}

TEST(SomeNames, FitASentence) {
  EXPECT_EQ(some_names({"a"}, 3), "'a'");
  EXPECT_EQ(some_names({"a", "b"}, 3), "'a' and 'b'");
  EXPECT_EQ(some_names({"a", "b", "c"}, 3), "'a', 'b' and 'c'");
  EXPECT_EQ(some_names({"a", "b", "c", "d", "e"}, 3), "'a', 'b', 'c' and 2 more");
}

}  // namespace
}  // namespace kore::story

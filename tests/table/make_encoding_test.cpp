#include <gtest/gtest.h>

#include <limits>

#include "kore/encoding.hpp"
#include "support/error_of.hpp"
#include "support/sentences.hpp"
#include "table/summaries.hpp"

namespace kore::table {
namespace {

using test::error_of;
using testing::category;

ColumnSummary number(const std::string& name, std::uint64_t rows = 100, std::uint64_t missing = 0) {
  ColumnSummary column;
  column.name = name;
  column.rows = rows;
  column.missing = missing;
  column.minimum = -1;
  column.maximum = 5;
  column.median = 2.5;
  return column;
}

std::vector<std::string> feature_names(const Encoding& encoding) {
  std::vector<std::string> names;
  for (const EncodedFeature& feature : encoding.features) names.push_back(feature.name);
  return names;
}

using Names = std::vector<std::string>;

/// An indicator per level, as in the paper, with all else as by default.
EncodingOptions indicators() {
  EncodingOptions options;
  options.category_codes = false;
  return options;
}

TEST(MakeEncoding, KeepsTheOrderOfTheTableAndSortsLevels) {
  const std::vector<ColumnSummary> columns{number("a"), category("c", {{"y", 60}, {"x", 40}}), number("b")};
  const Encoding encoding = make_encoding(columns);
  EXPECT_EQ(feature_names(encoding), (Names{"a", "c", "b"}));
  EXPECT_EQ(feature_names(make_encoding(columns, indicators())), (Names{"a", "c=x", "c=y", "b"}));
  EXPECT_EQ(encoding.columns[1].levels, (Names{"x", "y"}));
  EXPECT_FALSE(make_encoding(columns, indicators()).columns[1].has_other);
  EXPECT_EQ(encoding.columns[0].median, 2.5);
}

TEST(MakeEncoding, PutsNumbersFirstInThePaperProfile) {
  const std::vector<ColumnSummary> columns{category("c", {{"y", 60}, {"x", 40}}), number("a"),
                                           number("b", 100, 50)};
  const Encoding encoding = make_encoding(columns, EncodingOptions::paper());
  EXPECT_EQ(feature_names(encoding), (Names{"a", "b", "c=x", "c=y"}));
}

TEST(MakeEncoding, FlagsMissingNumbersOnlyAboveTheShare) {
  const std::vector<ColumnSummary> columns{number("few", 1000, 10), number("many", 1000, 11)};
  EXPECT_EQ(feature_names(make_encoding(columns)), (Names{"few", "many", "many (missing)"}));
}

TEST(MakeEncoding, GroupsTheRarestLevelsAsOther) {
  std::vector<Level> levels;
  for (int i = 0; i < 60; ++i)
    levels.push_back({"level" + std::to_string(i), static_cast<std::uint64_t>(100 - i)});
  const std::vector<ColumnSummary> columns{category("c", levels)};
  EXPECT_EQ(make_encoding(columns).columns[0].levels.size(), 60U) << "all of them have rows enough";
  EncodingOptions fifty = indicators();
  fifty.max_levels = 50;
  const Encoding encoding = make_encoding(columns, fifty);
  EXPECT_EQ(encoding.columns[0].levels.size(), 50U);
  EXPECT_TRUE(encoding.columns[0].has_other);
  EXPECT_EQ(encoding.columns[0].rare.size(), 10U);
  EXPECT_EQ(encoding.columns[0].rare.front(), "level50");
  EXPECT_EQ(encoding.features.size(), 51U);
  EXPECT_EQ(encoding.features.back().name, "c=(other)");
  EXPECT_EQ(encoding.features.back().level, 50U);
  EXPECT_EQ(make_encoding(columns, EncodingOptions::paper()).features.size(), 60U);
}

TEST(MakeEncoding, BreaksTiesOfFrequencyByTheText) {
  EncodingOptions options;
  options.max_levels = 2;
  const std::vector<ColumnSummary> columns{category("c", {{"d", 5}, {"b", 5}, {"a", 5}, {"c", 5}})};
  EXPECT_EQ(make_encoding(columns, options).columns[0].levels, (Names{"a", "b"}));
}

TEST(MakeEncoding, SortsLevelsThatAreNumbersAsNumbers) {
  const std::vector<ColumnSummary> columns{category("c", {{"10", 1}, {"9", 5}, {"-1", 5}, {"2.5", 4}}),
                                           category("d", {{"10", 1}, {"9", 5}, {"-", 5}})};
  const Encoding encoding = make_encoding(columns);
  EXPECT_EQ(encoding.columns[0].levels, (Names{"-1", "2.5", "9", "10"}));
  EXPECT_EQ(encoding.columns[1].levels, (Names{"-", "10", "9"}));
}

TEST(MakeEncoding, GivesMissingCategoriesALevelOfTheirOwnButNotInThePaperProfile) {
  const std::vector<ColumnSummary> columns{category("c", {{"x", 60}, {"y", 39}}, 1)};
  EXPECT_TRUE(make_encoding(columns).columns[0].has_missing);
  EXPECT_EQ(feature_names(make_encoding(columns, indicators())), (Names{"c=x", "c=y", "c=(missing)"}));
  EXPECT_EQ(feature_names(make_encoding(columns, EncodingOptions::paper())), (Names{"c=x", "c=y"}));
}

TEST(MakeEncoding, TreatsADeclaredNumberAsACategory) {
  ColumnSummary column = category("c", {{"1", 60}, {"2", 40}});
  column.type = ColumnType::number;
  column.categorical = true;
  EXPECT_EQ(make_encoding(std::vector{column}).features[0].kind, EncodedKind::category);
  EXPECT_EQ(feature_names(make_encoding(std::vector{column}, indicators())), (Names{"c=1", "c=2"}));
}

TEST(MakeEncoding, LeavesOutColumnsThatSayNothing) {
  ColumnSummary constant = number("constant");
  constant.minimum = constant.maximum = 5;
  const std::vector<ColumnSummary> columns{number("a"), constant, number("none", 100, 100),
                                           category("one", {{"x", 100}}), category("empty", {}, 100)};
  const Encoding encoding = make_encoding(columns);
  EXPECT_EQ(feature_names(encoding), (Names{"a"}));
  EXPECT_EQ(encoding.left_out.size(), 4U);
  const auto notes = encoding_notes(columns, encoding);
  EXPECT_EQ(notes.at(0).sentence(), "Column 'constant' is left out: it has the same value in every row.");
  EXPECT_EQ(notes.at(1).sentence(), "Column 'none' is left out: it has no value in any row.");
  // The published study drops only columns without any value.
  EXPECT_EQ(feature_names(make_encoding(columns, EncodingOptions::paper())),
            (Names{"a", "constant", "one=x"}));
}

TEST(MakeEncoding, KeepsTheFlagOfAConstantThatIsOftenMissing) {
  ColumnSummary column = number("c", 100, 50);
  column.minimum = column.maximum = 1;
  EXPECT_EQ(feature_names(make_encoding(std::vector{column})), (Names{"c (missing)"}));
}

TEST(MakeEncoding, TakesTheMajorityForAMissingBoolean) {
  ColumnSummary column = number("b");
  column.type = ColumnType::boolean;
  column.median = 0.5;
  EXPECT_EQ(make_encoding(std::vector{column}).columns[0].median, 0.0);
  column.median = 1;
  EXPECT_EQ(make_encoding(std::vector{column}).columns[0].median, 1.0);
}

TEST(MakeEncoding, LeavesOutIdentifiers) {
  std::vector<Level> levels;
  for (int i = 0; i < 51; ++i) levels.push_back({"name" + std::to_string(i), 1});
  const std::vector<ColumnSummary> columns{number("a"), category("car name", levels)};
  for (const EncodingOptions& options : {EncodingOptions{}, EncodingOptions::paper()}) {
    const Encoding encoding = make_encoding(columns, options);
    EXPECT_EQ(feature_names(encoding), (Names{"a"}));
    const auto notes = encoding_notes(columns, encoding);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].reason(), "column_names_rows");
    EXPECT_EQ(notes[0].argument("column"), "car name");
    EXPECT_TRUE(test::contains(notes[0].sentence(), "in each of its 51 rows")) << notes[0].sentence();
  }
  levels.resize(10);
  EXPECT_EQ(error_of([&] { make_encoding(std::vector{category("name", levels)}); }).reason(), "no_features");
  levels.resize(9);
  EXPECT_EQ(make_encoding(std::vector{category("name", levels)}).columns[0].levels.size(), 9U)
      << "so few may differ by chance";
}

TEST(MakeEncoding, RefusesNumbersSpoiltByAText) {
  std::vector<Level> levels;
  for (int i = 0; i < 99; ++i) levels.push_back({std::to_string(i), 1});
  levels.push_back({"?", 2});
  ColumnSummary column = category("Horsepower", levels);
  column.numeric_texts = 99;
  column.odd_text = "?";
  EXPECT_TRUE(make_encoding(std::vector{column}).columns[0].category)
      << "a column with a type is what it says";
  column.of_text_file = true;
  const Error error = error_of([&] { make_encoding(std::vector{column}); });
  EXPECT_SAYS(error, "99 of its 101 values are numbers; '?' is not");
  EXPECT_EQ(error.reason(), "text_is_mostly_numbers");
  column.categorical = true;
  EXPECT_EQ(make_encoding(std::vector{column}).columns[0].levels.size(), 50U);
}

TEST(MakeEncoding, NotesTextsThatAreMostlyNumbersWhenTheyAreFew) {
  ColumnSummary column = category("floor", {{"-", 5}, {"1", 50}, {"2", 45}});
  column.numeric_texts = 95;
  column.odd_text = "-";
  const auto notes = encoding_notes(std::vector{column}, make_encoding(std::vector{column}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(test::contains(notes[0].sentence(), "95 of its 100 values are numbers; '-' is not"))
      << notes[0].sentence();
}

TEST(MakeEncoding, TakesNumbersWithLeadingZerosForCodes) {
  std::vector<Level> levels;
  for (int i = 0; i < 99; ++i) levels.push_back({std::to_string(1000 + i), 2});
  levels.push_back({"0999", 2});
  ColumnSummary column = category("zip", levels);
  column.of_text_file = true;
  column.numeric_texts = 200;
  column.code_text = "0999";
  const auto notes = encoding_notes(std::vector{column}, make_encoding(std::vector{column}));
  EXPECT_EQ(notes.back().sentence(),
            "Column 'zip' has numbers with leading zeros, such as '0999', and is treated as a category.");
}

TEST(MakeEncoding, NotesTextsOfWhichHalfAreNumbers) {
  ColumnSummary column = category("size", {{"large", 50}, {"1", 30}, {"2", 20}});
  column.numeric_texts = 50;
  column.odd_text = "large";
  const auto notes = encoding_notes(std::vector{column}, make_encoding(std::vector{column}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(test::contains(notes[0].sentence(), "50 of its 100 values are numbers; 'large' is not"))
      << notes[0].sentence();
  column.numeric_texts = 49;
  EXPECT_TRUE(encoding_notes(std::vector{column}, make_encoding(std::vector{column})).empty());
}

TEST(MakeEncoding, TellsNumbersWithSignsInThem) {
  ColumnSummary column = category("share", {{"37%", 50}, {"5%", 50}});
  column.formatted_texts = 100;
  column.formatted_text = "37%";
  const auto notes = encoding_notes(std::vector{column}, make_encoding(std::vector{column}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(test::contains(notes[0].sentence(), "such as '37%'.")) << notes[0].sentence();
  std::vector<Level> levels;
  for (int i = 0; i < 60; ++i) levels.push_back({"1," + std::to_string(100 + i), 1});
  ColumnSummary many = category("price", levels);
  many.of_text_file = true;
  many.formatted_texts = 60;
  many.formatted_text = "1,100";
  EXPECT_SAYS(error_of([&] { make_encoding(std::vector{many}); }),
              "numbers with signs in them, such as '1,100'");
}

TEST(MakeEncoding, NotesAColumnThatNumbersTheRows) {
  ColumnSummary id = number("id");
  id.minimum = 1;
  id.maximum = 100;
  id.median = 50.5;
  const auto notes = [](const ColumnSummary& column) {
    return test::sentences(encoding_notes(std::vector{column}, make_encoding(std::vector{column})));
  };
  EXPECT_EQ(notes(id), Names{"Column 'id' seems to number the rows, from 1 to 100."});
  ColumnSummary other = id;
  other.median = 50;
  EXPECT_EQ(notes(other), Names{});
  other = id;
  other.maximum = 101;
  EXPECT_EQ(notes(other), Names{});
}

TEST(MakeEncoding, RefusesMoreLevelsThanWereSummarised) {
  ColumnSummary column = category("c", {{"a", 50}, {"b", 40}});
  column.distinct = 1000;
  column.rows = 5000;
  EXPECT_SAYS(error_of([&] { make_encoding(std::vector{column}, EncodingOptions::paper()); }), "1000 levels");
  EncodingOptions few = indicators();
  few.max_levels = 2;
  EXPECT_EQ(make_encoding(std::vector{column}, few).features.size(), 3U);
}

TEST(MakeEncoding, RefusesToGoOnWithoutFeatures) {
  EXPECT_EQ(error_of([] { make_encoding({}); }).code(), ErrorCode::invalid_data);
  EXPECT_SAYS(error_of([] { make_encoding(std::vector{number("a", 10, 10)}); }), "No feature is left");
}

TEST(MakeEncoding, TellsFeaturesOfTheSameNameApart) {
  std::vector<Level> levels{{"(other)", 9}, {"a", 8}, {"b", 7}};
  EncodingOptions options = indicators();
  options.max_levels = 2;
  const Encoding encoding = make_encoding(std::vector{category("c", levels)}, options);
  EXPECT_EQ(feature_names(encoding), (Names{"c=(other)", "c=a", "c=(other) (2)"}));
}

TEST(EncodedBytes, CountsFeaturesTargetAndWeights) {
  const Encoding encoding = make_encoding(std::vector{number("a"), number("b")});
  EXPECT_EQ(encoded_bytes(encoding, 1000, false), 24'000U);
  EXPECT_EQ(encoded_bytes(encoding, 1000, true), 32'000U);
}

}  // namespace
}  // namespace kore::table

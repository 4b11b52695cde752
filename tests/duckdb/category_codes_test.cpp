// Categories as positions of their levels, from the summary of a column to the bytes of the encoding.
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "duckdb/rows_of.hpp"
#include "duckdb/scoring.hpp"
#include "duckdb/scratch.hpp"
#include "kore/encoder.hpp"
#include "kore/fit.hpp"
#include "kore/table_model.hpp"
#include "table/encoding_bytes.hpp"
#include "table/summaries.hpp"

namespace kore::duckdb {
namespace {

using table::testing::category;
using test::error_of;
using testing::encode_table;
using testing::Scratch;
using testing::target;
using Names = std::vector<std::string>;

table::EncodingOptions with_codes(std::size_t max_levels = 50) {
  table::EncodingOptions options;
  options.category_codes = true;
  options.max_levels = max_levels;
  return options;
}

TEST(CategoryCodes, MakeOneFeatureOfACategory) {
  const std::vector<table::ColumnSummary> columns{category("c", {{"y", 60}, {"x", 40}}),
                                                  category("d", {{"u", 50}, {"v", 30}, {"w", 20}}, 5)};
  const table::Encoding encoding = table::make_encoding(columns, with_codes());
  ASSERT_EQ(encoding.features.size(), 2U);
  for (const std::size_t j : {0U, 1U}) {
    EXPECT_EQ(encoding.features[j].name, columns[j].name);
    EXPECT_EQ(encoding.features[j].kind, table::EncodedKind::category);
    EXPECT_EQ(encoding.features[j].column, j);
  }
  EXPECT_EQ(table::level_names(encoding.columns[0]), (Names{"x", "y", "(other)"}));
  EXPECT_EQ(table::level_names(encoding.columns[1]), (Names{"u", "v", "w", "(missing)", "(other)"}));
  EXPECT_TRUE(table::encoding_notes(columns, encoding).empty()) << "nothing was grouped";
  EXPECT_EQ(table::encoded_bytes(encoding, 1000, false), 24'000U) << "two features and the target";
}

TEST(CategoryCodes, GroupTheRarestLevels) {
  const std::vector<table::ColumnSummary> columns{category("c", {{"a", 9}, {"b", 8}, {"z", 7}, {"q", 6}})};
  const table::Encoding encoding = table::make_encoding(columns, with_codes(2));
  EXPECT_EQ(table::level_names(encoding.columns[0]), (Names{"a", "b", "(other)"}));
  EXPECT_EQ(encoding.columns[0].rare, (Names{"q", "z"}));
  EXPECT_EQ(test::sentences(table::encoding_notes(columns, encoding)),
            (Names{"Column 'c' has 4 levels; the 2 rarest are grouped as \"(other)\"."}));
}

TEST(CategoryCodes, LeaveOutACategoryOfOneLevelUnlessItHasGaps) {
  const table::Encoding encoding = table::make_encoding(
      std::vector{category("one", {{"x", 100}}), category("gaps", {{"x", 90}}, 10)}, with_codes());
  ASSERT_EQ(encoding.features.size(), 1U);
  EXPECT_EQ(encoding.features[0].name, "gaps");
  EXPECT_EQ(table::level_names(encoding.columns[0]), (Names{"x", "(missing)", "(other)"}));
  EXPECT_EQ(encoding.left_out.at(0).name, "one");
}

TEST(CategoryCodes, AreNotThePapersWay) { EXPECT_FALSE(table::EncodingOptions::paper().category_codes); }

TEST(LevelNames, AreToldApartWhereALevelIsCalledOther) {
  const table::Encoding encoding = table::make_encoding(
      std::vector{category("c", {{"(other)", 5}, {"(missing)", 5}, {"a", 5}}, 2)}, with_codes());
  EXPECT_EQ(table::level_names(encoding.columns[0]),
            (Names{"(missing)", "(other)", "a", "(missing) (2)", "(other) (2)"}));
}

/// A number, a category with "(missing)" and a rare level, and one without either.
table::Encoding example() {
  table::Encoding encoding;
  encoding.columns = {{"x", table::ColumnType::number, false, 7.5, {}, false, {}, 0},
                      {"c", table::ColumnType::text, true, 0, {"a", "b"}, true, {"rare"}, 0.1, true},
                      {"d", table::ColumnType::text, true, 0, {"u", "v"}, true, {}, 0, false}};
  encoding.features = {{"x", table::EncodedKind::numeric, 0, 0},
                       {"c", table::EncodedKind::category, 1, 0},
                       {"d", table::EncodedKind::category, 2, 0}};
  return encoding;
}

TEST(CategoryCodes, AreThePositionsOfTheLevels) {
  const table::Encoder encoder(example());
  const std::vector<double> x{1, 2, 3, 4, 5};
  const std::vector<std::string_view> c{"a", "b", "rare", {}, "new"};
  const std::vector<std::string_view> d{"v", "u", "w", {}, "v"};
  std::vector<double> out(15);
  table::EncodeCounts counts;
  encoder.encode(
      std::vector{table::RawColumn::numbers(x), table::RawColumn::texts(c), table::RawColumn::texts(d)}, 5,
      out, 5, counts);
  EXPECT_EQ(out, (std::vector<double>{1, 2, 3, 4, 5, 0, 1, 3, 2, 3, 1, 0, 2, 2, 1}));
  EXPECT_EQ(counts.unseen, (std::vector<std::uint64_t>{0, 1, 1}));
  EXPECT_EQ(counts.missing, (std::vector<std::uint64_t>{0, 1, 1}));
  EXPECT_EQ(test::sentences(table::encode_warnings(example(), counts)),
            (Names{"Column 'c': 1 row with a level that training did not have; predicted as \"(other)\".",
                   "Column 'd': 1 row with a level that training did not have; predicted as \"(other)\".",
                   "Column 'd': 1 row without a value, though training had no such row; predicted as "
                   "\"(other)\"."}));
}

TEST(CategoryCodes, NameTheLevelOfEveryRowOfTheTable) {
  const std::string table =
      "SELECT CASE WHEN i % 7 = 0 THEN NULL WHEN i % 11 = 0 THEN 'r' || i ELSE 'k' || (i % 4) END AS c, i AS "
      "y "
      "FROM range(200) t(i)";
  const auto encoded = encode_table(table, target("y"), with_codes(4));
  const Names names = table::level_names(encoded.encoding.columns[0]);
  EXPECT_EQ(names, (Names{"k0", "k1", "k2", "k3", "(missing)", "(other)"}));
  const auto rows = testing::all_rows(TableSource(encoded.table, encoded.encoding, encoded.summary));
  ASSERT_EQ(rows.size(), 200U);
  for (const auto& row : rows) {
    const int i = static_cast<int>(row[1]);
    const std::string expected =
        i % 7 == 0 ? "(missing)" : (i % 11 == 0 ? "(other)" : "k" + std::to_string(i % 4));
    EXPECT_EQ(names.at(static_cast<std::size_t>(row[0])), expected) << i;
  }
}

TEST(CategoryCodes, SurviveARoundTripThroughBytes) {
  ByteWriter out;
  write(out, example());
  ByteReader in(out.bytes());
  EXPECT_EQ(table::read_encoding(in), example());
  EXPECT_TRUE(in.at_end());
}

TEST(CategoryCodes, OfWhatIsNoCategoryAreRefused) {
  for (const std::size_t column : {0U, 1U}) {
    table::Encoding encoding = example();
    encoding.columns[1].has_other = false;
    encoding.columns[1].rare.clear();
    encoding.features = {{"wrong", table::EncodedKind::category, column, 0}};
    ByteWriter out;
    write(out, encoding);
    ByteReader in(out.bytes());
    EXPECT_SAYS(error_of([&] { table::read_encoding(in); }), "positions are not those of a category");
  }
}

TEST(EncodingBytes, OfTheFirstVersionAreRead) {
  ByteWriter out;
  out.u32(1);
  out.u64(1);  // a category with a rare level and gaps
  out.text("c");
  out.u8(static_cast<std::uint8_t>(table::ColumnType::text));
  out.u8(1);
  out.f64(0);
  out.u64(1);
  out.text("a");
  out.u8(1);
  out.u64(1);
  out.text("rare");
  out.f64(0.25);
  out.u64(3);
  const std::vector<table::EncodedFeature> features{{"c=a", table::EncodedKind::indicator, 0, 0},
                                                    {"c=(other)", table::EncodedKind::indicator, 0, 1},
                                                    {"c=(missing)", table::EncodedKind::missing_flag, 0, 0}};
  for (const table::EncodedFeature& feature : features) {
    out.text(feature.name);
    out.u8(static_cast<std::uint8_t>(feature.kind));
    out.u64(feature.column);
    out.u64(feature.level);
  }
  out.u64(0);
  ByteReader in(out.bytes());
  const table::Encoding encoding = table::read_encoding(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(encoding.features, features);
  EXPECT_EQ(encoding.columns[0].missing_share, 0.25);
  EXPECT_TRUE(encoding.columns[0].has_missing);
  EXPECT_TRUE(encoding.columns[0].has_other);
}

/// A model of one category of three levels, "(other)" among them, and a number.
table::TableModel fitted() {
  const auto encoded = encode_table(
      "SELECT 'k' || (i % 2) AS c, sin(i) AS x, (i % 2) + sin(i) + 0.1 * sin(7 * i) AS y FROM range(90) t(i)",
      target("y"), with_codes());
  const table::OwnedRows rows =
      table::materialize(TableSource(encoded.table, encoded.encoding, encoded.summary));
  Options options;
  options.kinds = {kore::FeatureKind::category, kore::FeatureKind::spline};
  options.levels = {3, 0};
  return {fit(rows, options, {{"c", "x"}, "y"}), encoded.encoding, {}};
}

TEST(TableModelFile, KeepsACategoryAndItsLevels) {
  const Scratch scratch;
  const table::TableModel model = fitted();
  table::save(model, scratch.path("model.kore"));
  const table::TableModel back = table::load_table_model(scratch.path("model.kore"));
  EXPECT_EQ(back.encoding, model.encoding);
  EXPECT_EQ(back.model.design.features()[0].levels, 3);
}

TEST(TableModelFile, WithLevelsOfAnotherModelIsRefused) {
  const Scratch scratch;
  const auto says_inconsistent = [&](const table::TableModel& model) {
    table::save(model, scratch.path("model.kore"));
    const Error error = error_of([&] { table::load_table_model(scratch.path("model.kore")); });
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file);
    EXPECT_SAYS(error, "its encoding belongs to another design");
  };
  table::TableModel more_levels = fitted();
  more_levels.encoding.columns[0].levels.push_back("k2");
  says_inconsistent(more_levels);
  table::TableModel no_category = fitted();
  no_category.encoding.features[0].kind = table::EncodedKind::indicator;
  says_inconsistent(no_category);
}

TEST(Scoring, GivesUnseenLevelsTheLastPosition) {
  const table::TableModel model = fitted();
  ReadOptions reading;
  reading.keep_rows = false;
  reading.text_columns = category_names(model.encoding);
  const Table table = open_table("SELECT * FROM (VALUES ('k1', 1), ('new', 2), (NULL, 3)) t(c, x)", reading);
  std::vector<double> positions;
  for_each_scoring_block(table, table::Encoder(model.encoding), {}, [&](const ScoringBlock& block) {
    for (std::size_t i = 0; i < block.x.rows(); ++i) positions.push_back(block.x(i, 0));
  });
  EXPECT_EQ(positions, (std::vector<double>{1, 2, 2}));
}

}  // namespace
}  // namespace kore::duckdb

#include "duckdb/scoring.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"
#include "duckdb/writer.hpp"

namespace kore::duckdb {
namespace {

using test::error_of;
using testing::encode_table;
using testing::Scratch;
using testing::target;

const std::string training =
    "SELECT i AS x, 'k' || (i % 3) AS c, (i % 2) = 0 AS b, DATE '2020-01-01' + i::INTEGER AS d, i AS y FROM "
    "range(60) t(i)";

table::Encoding trained() { return encode_table(training, target("y")).encoding; }

/// Encodes a table as for prediction, row by row.
std::vector<std::vector<double>> scored(const Table& table, table::EncodeCounts* counts = nullptr) {
  std::vector<std::vector<double>> rows;
  const table::EncodeCounts met =
      for_each_scoring_block(table, table::Encoder(trained()), {}, [&](const ScoringBlock& block) {
        for (std::size_t i = 0; i < block.x.rows(); ++i) {
          rows.emplace_back();
          for (std::size_t j = 0; j < block.x.columns(); ++j) rows.back().push_back(block.x(i, j));
        }
      });
  if (counts != nullptr) *counts = met;
  return rows;
}

Table open_for_model(const std::string& text) {
  ReadOptions options;
  options.keep_rows = false;
  options.text_columns = category_names(trained());
  return open_table(text, options);
}

TEST(Scoring, MatchesColumnsByNameWhateverTheirOrder) {
  const auto rows =
      scored(open_for_model("SELECT DATE '1970-01-11' AS d, 99 AS extra, true AS b, 'k1' AS c, 7 AS x"));
  EXPECT_EQ(rows, (std::vector<std::vector<double>>{{7, 1, 1, 10}}));
}

TEST(Scoring, ReadsTextFilesAsTheModelNeedsThem) {
  const Scratch scratch;
  table::EncodeCounts counts;
  // The only value of c would be a number by itself; d and x have no value at all.
  const auto rows = scored(open_for_model(scratch.write("new.csv", "x,c,b,d\n,7,yes,\n")), &counts);
  EXPECT_EQ(rows, (std::vector<std::vector<double>>{{29.5, 3, 1, 18262 + 29.5}}));
  EXPECT_EQ(counts.unseen, (std::vector<std::uint64_t>{0, 1, 0, 0}));
  EXPECT_EQ(counts.missing, (std::vector<std::uint64_t>{1, 0, 0, 1}));
  const auto stored_as_text =
      scored(open_for_model("SELECT '2.5' AS x, 'k0' AS c, 'false' AS b, '1970-01-02' AS d"));
  EXPECT_EQ(stored_as_text, (std::vector<std::vector<double>>{{2.5, 0, 0, 1}}));
}

TEST(Scoring, RefusesTablesThatDoNotFitTheModel) {
  const auto refused = [](const std::string& query) {
    return error_of([&] { scored(open_for_model(query)); });
  };
  EXPECT_SAYS(refused("SELECT 'k1' AS c, true AS b, DATE '2020-01-01' AS d, 3 AS X2"),
              "There is no column 'x' in the query, which the model needs. The nearest name is 'X2'.");
  EXPECT_SAYS(refused("SELECT 'abc' AS x, 'k1' AS c, true AS b, DATE '2020-01-01' AS d"),
              "Column 'x' of the query holds the text 'abc', but the model needs numbers there.");
  EXPECT_SAYS(refused("SELECT DATE '2020-01-01' AS x, 'k1' AS c, true AS b, DATE '2020-01-01' AS d"),
              "has values of type DATE, but the model needs numbers");
  EXPECT_SAYS(refused("SELECT 1 AS x, 'k1' AS c, true AS b, 5 AS d"), "the model needs dates or times");
  EXPECT_SAYS(refused("SELECT 1 AS x, ['k1'] AS c, true AS b, DATE '2020-01-01' AS d"),
              "but the model needs texts");
}

TEST(Scoring, WritesPredictionsBesideKeptColumnsInOrder) {
  const Scratch scratch;
  const std::string input = scratch.copy(
      "SELECT 'row ' || i AS id, i::DECIMAL(9,2) AS money, i AS x, 'k' || (i % 4) AS c, true AS b, DATE "
      "'2020-01-01' AS d, "
      "CASE WHEN i % 2 = 0 THEN NULL ELSE [i, i + 1] END AS list, (CASE WHEN i % 3 = 0 THEN 'p' ELSE 'q' "
      "END)::ENUM('p', 'q') AS e "
      "FROM range(50000) t(i)",
      "in.parquet", "FORMAT parquet, ROW_GROUP_SIZE 4096");
  for (const std::string name : {"out.parquet", "out.csv"}) {
    const Table table = open_for_model(input);
    const std::vector<std::string> keep{"list", "id", "money", "e"};
    Writer writer(scratch.path(name), {"prediction", "lower"}, table, keep);
    for_each_scoring_block(table, table::Encoder(trained()), keep, [&](const ScoringBlock& block) {
      std::vector<double> prediction;
      std::vector<double> lower;
      for (std::size_t i = 0; i < block.x.rows(); ++i) {
        prediction.push_back(block.x(i, 0) / 3);
        lower.push_back(-block.x(i, 0));
      }
      const std::vector<std::span<const double>> computed{prediction, lower};
      writer.append(computed, block.kept);
    });
    writer.finish();
    const Table output = open_table(scratch.path(name));
    EXPECT_EQ(output.column_names(),
              (std::vector<std::string>{"prediction", "lower", "list", "id", "money", "e"}));
    const Chunk check = output.database().first_rows(
        "SELECT count(*), count(*) FILTER (prediction = n::DOUBLE / 3 AND lower = -n AND id = 'row ' || n "
        "AND money = n AND "
        "(list IS NULL) = (n % 2 = 0) AND e = CASE WHEN n % 3 = 0 THEN 'p' ELSE 'q' END) FROM (SELECT *, "
        "row_number() OVER () - 1 "
        "AS n FROM " +
        output.relation() + ")");
    EXPECT_EQ(check.count(0, 0), 50'000U) << name;
    EXPECT_EQ(check.count(1, 0), 50'000U) << name;
  }
}

TEST(Scoring, RefusesToKeepColumnsThatAreNotThere) {
  const Table table = open_table(training);
  EXPECT_SAYS(error_of([&] { kept_columns(table, {"z"}); }), "There is no column 'z'");
}

}  // namespace
}  // namespace kore::duckdb

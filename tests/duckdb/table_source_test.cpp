#include "duckdb/table_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "duckdb/chunk_encoder.hpp"
#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"
#include "table/groups.hpp"

namespace kore::duckdb {
namespace {

using test::error_of;
using testing::all_rows;
using testing::encode_table;
using testing::Scratch;
using testing::target;

/// Enough rows for several row groups and blocks, with gaps in every column; `i` says where a row belongs.
const std::string many =
    "SELECT i, CASE WHEN i % 11 = 0 THEN NULL ELSE sin(i) END AS x, CASE WHEN i % 13 = 0 THEN NULL ELSE 'k' "
    "|| (i % 5) END AS c, "
    "i % 4 + 1 AS w, CASE WHEN i % 17 = 0 THEN NULL ELSE i END AS y FROM range(100000) t(i)";

TEST(TableSource, StreamsRowsInTheOrderOfTheFile) {
  const Scratch scratch;
  const std::string parquet = scratch.copy(many, "many.parquet", "FORMAT parquet, ROW_GROUP_SIZE 8192");
  const std::string csv = scratch.copy(many, "many.csv", "FORMAT csv");
  for (const std::string& path : {parquet, csv})
    for (const unsigned threads : {1U, 2U, 4U}) {
      table::ColumnChoice choice = target("y");
      choice.weights = "w";
      ReadOptions options;
      options.threads = threads;
      options.keep_rows = false;
      const auto encoded = encode_table(path, choice, {}, options);
      const TableSource source(encoded.table, encoded.encoding, encoded.summary);
      const auto rows = all_rows(source);
      ASSERT_EQ(rows.size(), 94'117U);
      // i, x, x (missing), c: one of five levels or missing, y, w
      std::size_t row = 0;
      for (int i = 0; i < 100'000; ++i) {
        if (i % 17 == 0) continue;
        const std::vector<double>& r = rows[row++];
        ASSERT_EQ(r.size(), 6U);
        ASSERT_EQ(r[0], i);
        ASSERT_EQ(r[4], i);
        ASSERT_EQ(r[5], i % 4 + 1);
        ASSERT_EQ(r[2], i % 11 == 0 ? 1.0 : 0.0);
        ASSERT_NEAR(r[1], i % 11 == 0 ? encoded.encoding.columns[1].median : std::sin(i), 1e-12);
        ASSERT_EQ(r[3], i % 13 == 0 ? 5 : i % 5);
      }
    }
}

TEST(TableSource, NoticesValuesThatChangeBetweenPasses) {
  const Scratch scratch;
  const auto rows_with = [&](const std::string& last) {
    std::ofstream file(scratch.path("rows.csv"));
    file << "x,y\n";
    for (int i = 0; i < 500; ++i) file << i << ',' << i % 7 << '\n';
    file << last << '\n';
  };
  rows_with("500,3");
  ReadOptions options;
  options.keep_rows = false;
  const auto encoded = encode_table(scratch.path("rows.csv"), target("y"), {}, options);
  const TableSource source(encoded.table, encoded.encoding, encoded.summary);
  EXPECT_EQ(all_rows(source), all_rows(source)) << "the same file is the same in every pass";
  rows_with("500,4");
  const Error error = error_of([&] { all_rows(source); });
  EXPECT_EQ(error.reason(), "table_has_changed");
  EXPECT_SAYS(error, "rows.csv");
}

TEST(TableSource, CarriesGroupsAndScalesPrecisions) {
  const std::string sql =
      "SELECT sin(i) AS x, 's' || (i % 7) AS shop, i % 9 AS day, (i % 4)::DOUBLE AS p, cos(i) AS y FROM "
      "range(40000) t(i)";
  for (const std::string group : {"shop", "day"}) {
    table::ColumnChoice choice = target("y");
    choice.features = {"x"};
    choice.group = group;
    choice.precision = "p";
    const auto encoded = encode_table(sql, choice);
    EXPECT_DOUBLE_EQ(encoded.summary.weight_factor, 0.5) << "30,000 rows have a precision of 2 on average";
    const TableSource source(encoded.table, encoded.encoding, encoded.summary);
    const table::OwnedRows kept = table::materialize(source);
    std::size_t row = 0;
    source.for_each_block([&](const RowBlock& block) {
      ASSERT_EQ(block.groups.size(), block.rows());
      for (std::size_t r = 0; r < block.rows(); ++r, ++row) {
        const double expected = group == "day" ? static_cast<double>(row % 9)
                                               : table::group_of_text("s" + std::to_string(row % 7));
        ASSERT_EQ(block.groups[r], expected);
        ASSERT_EQ(kept.block().groups[row], expected);
        ASSERT_EQ(block.weight(r), 0.5 * static_cast<double>(row % 4));
        ASSERT_EQ(kept.block().weight(row), block.weight(r));
      }
    });
    EXPECT_EQ(row, 40'000U);
  }
}

TEST(TableSource, GivesBlocksOfFixedSize) {
  const auto encoded = encode_table(many, target("y"));
  const TableSource source(encoded.table, encoded.encoding, encoded.summary);
  std::vector<std::size_t> sizes;
  source.for_each_block([&](const RowBlock& block) {
    sizes.push_back(block.rows());
    EXPECT_TRUE(block.weights.empty());
  });
  ASSERT_EQ(sizes.size(), 6U);
  for (std::size_t b = 0; b + 1 < sizes.size(); ++b) EXPECT_EQ(sizes[b], block_rows);
  EXPECT_EQ(sizes.back(), 94'117U - 5 * block_rows);
}

TEST(TableSource, EqualsItsMaterialisedSelf) {
  table::ColumnChoice choice = target("y");
  choice.weights = "w";
  const auto encoded = encode_table(many, choice);
  const TableSource source(encoded.table, encoded.encoding, encoded.summary);
  EXPECT_FALSE(source.in_memory());
  const table::OwnedRows owned = table::materialize(source, encoded.summary.rows);
  EXPECT_TRUE(owned.in_memory());
  EXPECT_EQ(owned.columns(), source.columns());
  EXPECT_EQ(owned.rows(), encoded.summary.rows);
  EXPECT_EQ(all_rows(owned), all_rows(source));
}

TEST(Materialize, CopiesRowsThatAreNotContiguous) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6};
  const std::vector<double> y{7, 8, 9};
  const MemorySource source(MatrixView::row_major(x, 3, 2), y);
  EXPECT_EQ(all_rows(table::materialize(source)),
            (std::vector<std::vector<double>>{{1, 2, 7}, {3, 4, 8}, {5, 6, 9}}));
}

TEST(TableSource, NoticesAFileThatChanges) {
  const Scratch scratch;
  ReadOptions again;
  again.keep_rows = false;
  const std::string path = scratch.write("t.csv", "x,y\n1,1\n2,2\n3,3\n");
  const auto encoded = encode_table(path, target("y"), {}, again);
  const TableSource source(encoded.table, encoded.encoding, encoded.summary);
  EXPECT_EQ(all_rows(source).size(), 3U);
  scratch.write("t.csv", "x,y\n1,1\n2,2\n");
  const Error error = error_of([&] { all_rows(source); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_SAYS(error, "gave 2 rows instead of 3");
}

TEST(TableSource, PassesOnWhatTheVisitorThrows) {
  const auto encoded = encode_table(many, target("y"));
  const TableSource source(encoded.table, encoded.encoding, encoded.summary);
  EXPECT_THROW(source.for_each_block([](const RowBlock&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  EXPECT_EQ(all_rows(source).size(), 94'117U) << "the next pass starts from the beginning";
}

TEST(TableSource, FailsInsteadOfEndingEarlyWhenARowFarDownIsBad) {
  const Scratch scratch;
  std::string rows = "x,y\n";
  for (int i = 0; i < 300'000; ++i) rows += std::to_string(i) + "," + std::to_string(i % 10) + "\n";
  const std::string path = scratch.write("t.csv", rows);
  ReadOptions again;
  again.keep_rows = false;
  const auto encoded = encode_table(path, target("y"), {}, again);
  const TableSource source(encoded.table, encoded.encoding, encoded.summary);
  std::ofstream(path, std::ios::app) << "1,2,3\n";
  EXPECT_SAYS(error_of([&] { all_rows(source); }), "Line 300002 of the file");
}

TEST(TableSource, ReadsATableLargerThanItsMemory) {
  const Scratch scratch;
  const std::string path =
      scratch.copy("SELECT i AS a, i * 2 AS b, i * 3 AS c, i * 4 AS d, i AS y FROM range(2000000) t(i)",
                   "large.parquet", "FORMAT parquet, ROW_GROUP_SIZE 20480");
  ReadOptions options;
  options.memory_limit = 40'000'000;
  options.threads = 2;
  const auto encoded = encode_table(path, target("y"), {}, options);
  EXPECT_GT(table::encoded_bytes(encoded.encoding, encoded.summary.rows, false), options.memory_limit);
  EXPECT_EQ(encoded.summary.columns[3].median, 3'999'998.0);
  double sum = 0;
  TableSource(encoded.table, encoded.encoding, encoded.summary).for_each_block([&](const RowBlock& block) {
    for (const double y : block.y) sum += y;
  });
  EXPECT_EQ(sum, 2000000.0 * 1999999.0 / 2);
}

}  // namespace
}  // namespace kore::duckdb

#include "duckdb/writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"

namespace kore::duckdb {
namespace {

using test::error_of;
using testing::Scratch;

const std::vector<double> awkward{
    0.1, 1.0 / 3, 1e-300, -0.0, 1e22, 123456789.123456789, std::nextafter(1.0, 2.0), 5};

void write_column(const std::string& file, const std::vector<double>& values) {
  Writer writer(file, {"prediction"});
  const std::vector<std::span<const double>> computed{values};
  writer.append(computed);
  writer.finish();
}

std::vector<double> read_column(const std::string& file) {
  std::vector<double> values;
  const Table table = open_table(file);
  Stream rows = table.database().stream("SELECT CAST(prediction AS DOUBLE) FROM " + table.relation());
  while (const auto chunk = rows.next()) chunk->append_doubles(0, values);
  return values;
}

TEST(Writer, KeepsEveryDigitInEveryFormat) {
  const Scratch scratch;
  for (const std::string name : {"p.csv", "p.csv.gz", "p.tsv", "p.parquet"}) {
    write_column(scratch.path(name), awkward);
    EXPECT_EQ(read_column(scratch.path(name)), awkward) << name;
  }
  EXPECT_EQ(scratch.files(), 4U) << "nothing else is left behind";
}

TEST(Writer, WritesPlainCsv) {
  const Scratch scratch;
  Writer writer(scratch.path("p.csv"), {"x", "a, b"});
  const std::vector<double> x{1, 2.5};
  const std::vector<double> b{0.1, -3};
  const std::vector<std::span<const double>> computed{x, b};
  writer.append(computed);
  writer.append(computed);
  writer.finish();
  EXPECT_EQ(scratch.read("p.csv"), "x,\"a, b\"\n1.0,0.1\n2.5,-3.0\n1.0,0.1\n2.5,-3.0\n");
}

TEST(Writer, KeepsTheOrderOfManyRows) {
  const Scratch scratch;
  std::vector<double> values(300'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 7;
  write_column(scratch.path("p.parquet"), values);
  EXPECT_EQ(read_column(scratch.path("p.parquet")), values);
}

TEST(Writer, LeavesTheOldFileUntilItIsFinished) {
  const Scratch scratch;
  scratch.write("p.csv", "the old one");
  {
    Writer writer(scratch.path("p.csv"), {"prediction"});
    const std::vector<std::span<const double>> computed{awkward};
    writer.append(computed);
    EXPECT_EQ(scratch.read("p.csv"), "the old one");
  }
  EXPECT_EQ(scratch.read("p.csv"), "the old one") << "given up without finish";
  EXPECT_EQ(scratch.files(), 1U);
  write_column(scratch.path("p.csv"), awkward);
  EXPECT_EQ(read_column(scratch.path("p.csv")), awkward);
}

TEST(Writer, FollowsALinkToTheFileItStandsFor) {
  const Scratch scratch;
  scratch.write("real.csv", "old");
  std::filesystem::create_symlink(scratch.path("real.csv"), scratch.path("link.csv"));
  write_column(scratch.path("link.csv"), awkward);
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("link.csv")));
  EXPECT_EQ(read_column(scratch.path("real.csv")), awkward);
}

TEST(Writer, RefusesAtOnceWhatItCannotWrite) {
  const Scratch scratch;
  const auto refused = [](const std::string& file) { return error_of([&] { Writer(file, {"p"}); }); };
  const Error folder = refused(scratch.path("no/such/p.csv"));
  EXPECT_EQ(folder.code(), ErrorCode::io);
  EXPECT_SAYS(folder, "p.csv': No such file or directory");
  std::filesystem::create_directory(scratch.path("d.csv"));
  EXPECT_SAYS(refused(scratch.path("d.csv")), "Is a directory");
  const Error ending = refused(scratch.path("p.xlsx"));
  EXPECT_EQ(ending.code(), ErrorCode::invalid_argument);
  EXPECT_SAYS(ending, ".csv, .csv.gz, .tsv or .parquet");
  EXPECT_SAYS(error_of([&] { Writer(scratch.path("p.csv"), {"a", "a"}); }), "two columns named 'a'");
  const Table input = open_table("SELECT 1 AS prediction");
  EXPECT_SAYS(error_of([&] { Writer(scratch.path("p.csv"), {"prediction"}, input, {"prediction"}); }),
              "two columns named 'prediction'");
  EXPECT_EQ(scratch.files(), 1U) << "nothing is left behind";
}

TEST(Writer, RefusesAFullDevice) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Scratch scratch;
  std::filesystem::create_symlink("/dev/full", scratch.path("full.csv"));
  const Error error = error_of([&] { write_column(scratch.path("full.csv"), awkward); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_SAYS(error, "full.csv' cannot be written");
}

TEST(Writer, RefusesRowsOfAnotherShape) {
  const Scratch scratch;
  Writer writer(scratch.path("p.csv"), {"a", "b"});
  const std::vector<double> one{1};
  const std::vector<double> two{1, 2};
  EXPECT_SAYS(error_of([&] { writer.append(std::vector<std::span<const double>>{one}); }),
              "columns that were announced");
  EXPECT_SAYS(error_of([&] {
                writer.append(std::vector<std::span<const double>>{one, two});
              }),
              "columns that were announced");
}

}  // namespace
}  // namespace kore::duckdb

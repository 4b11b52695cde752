// The same rows from every kind of table give the same model.
#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::digits;
using test::Rows;

class FormatsTest : public test::CommandTest {
 protected:
  json fitted(const std::string& table, const Arguments& more = {}) const {
    Arguments arguments{"fit", table, "--target", "y", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    json fit = kore(arguments).json();
    fit.erase("seconds");
    fit.erase("phases");
    return fit;
  }
  const Rows rows = test::made_up_rows(240, 3, 13);
};

TEST_F(FormatsTest, EveryFileFormatGivesTheSameModel) {
  for (const char* name : {"t.csv", "t.csv.gz", "t.tsv", "t.parquet"})
    test::write_rows(folder.path(name), rows);
  std::string lines;
  std::string array;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::string line = R"({"x1": )" + digits(rows.at(r, 0)) + R"(, "x2": )" + digits(rows.at(r, 1)) +
                             R"(, "x3": )" + digits(rows.at(r, 2)) + R"(, "y": )" + digits(rows.y[r]) + "}";
    lines += line + "\n";
    array += (array.empty() ? "[" : ",\n") + line;
  }
  folder.write("t.ndjson", lines);
  folder.write("t.json", array + "]");
  const json expected = fitted("t.csv");
  EXPECT_EQ(expected.at("n"), 240);
  for (const char* name : {"t.csv.gz", "t.tsv", "t.parquet", "t.ndjson", "t.json"})
    EXPECT_EQ(fitted(name), expected) << name;
}

TEST_F(FormatsTest, SemicolonsSeparateWhereTheHeaderHasThem) {
  std::string text = "x1;x2;x3;y\n";
  for (std::size_t r = 0; r < rows.count; ++r)
    text += digits(rows.at(r, 0)) + ";" + digits(rows.at(r, 1)) + ";" + digits(rows.at(r, 2)) + ";" +
            digits(rows.y[r]) + "\n";
  folder.write("semicolons.csv", text);
  test::write_rows(folder.path("commas.csv"), rows);
  EXPECT_EQ(fitted("semicolons.csv"), fitted("commas.csv"));
}

TEST_F(FormatsTest, PatternsJoinFilesInTheirOrder) {
  test::write_rows(folder.path("whole.parquet"), rows);
  test::write_rows(folder.path("part1.parquet"), rows.slice(0, 100));
  test::write_rows(folder.path("part2.parquet"), rows.slice(100, 140));
  test::write_rows(folder.path("part1.csv"), rows.slice(0, 100));
  test::write_rows(folder.path("part2.csv"), rows.slice(100, 140));
  const json expected = fitted("whole.parquet");
  EXPECT_EQ(fitted("part*.parquet"), expected);
  EXPECT_EQ(fitted("part?.csv"), expected);
}

TEST_F(FormatsTest, QueriesStandInPlaceOfFiles) {
  test::write_rows(folder.path("t.parquet"), rows);
  EXPECT_EQ(fitted("FROM 't.parquet'"), fitted("t.parquet"));
  EXPECT_EQ(fitted("SELECT * FROM 't.parquet' WHERE x1 > 0.5 -- a part").at("n"),
            std::count_if(rows.x.begin(), rows.x.begin() + 240, [](double x) { return x > 0.5; }));
  const json made = fitted("WITH t AS (FROM 't.parquet') SELECT x1 + x2 AS sum, y FROM t;");
  EXPECT_EQ(made.at("features"), json::parse(R"([{"name": "sum", "kind": "number"}])"));
}

TEST_F(FormatsTest, ATableLargerThanTheLimitIsReadInPassesToTheSameModel) {
  const Rows many = test::made_up_rows(1'000'000, 2, 14);
  test::write_rows(folder.path("many.parquet"), many);
  const json in_memory = fitted("many.parquet", {"--structure", "additive"});
  const json streamed = fitted("many.parquet", {"--structure", "additive", "--memory-limit", "44MB"});
  const std::string told =
      kore({"fit", "many.parquet", "--target", "y", "--structure", "additive", "--memory-limit", "44MB"}).out;
  EXPECT_SAYS(told, "is larger than the memory limit and was read in passes");
  for (const char* key : {"structure", "G", "fits", "n"})
    EXPECT_EQ(streamed.at(key), in_memory.at(key)) << key;
  const json& curve = in_memory.at("families").at("additive").at("curve");
  const json& again = streamed.at("families").at("additive").at("curve");
  ASSERT_EQ(curve.size(), again.size());
  for (std::size_t i = 0; i < curve.size(); ++i)
    EXPECT_NEAR(again[i].at("loo").get<double>() / curve[i].at("loo").get<double>(), 1, 1e-10);
}

}  // namespace
}  // namespace kore

// `kore predict`: rows in, rows out, in their order and with what belongs to them.
#include <cmath>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "duckdb/table.hpp"
#include "kore/kore.hpp"

namespace kore {
namespace {

using test::csv_lines;
using test::csv_numbers;
using test::CsvLine;
using test::made_up_rows;
using test::Rows;

class PredictTest : public test::CommandTest {
 protected:
  void SetUp() override {
    folder.write("flats.csv", test::flats_csv(600, 1));
    folder.write("new.csv", test::flats_csv(90, 2));
    fit({});
  }
  void fit(const Arguments& more) const {
    Arguments arguments{"fit", "flats.csv", "--target", "rent", "--drop", "id", "-q", "-o", "flats.kore"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    kore(arguments);
  }
  std::vector<double> predicted(const std::string& data) const {
    return csv_numbers(kore({"predict", "flats.kore", data}).out, "prediction");
  }
};

TEST_F(PredictTest, MatchesColumnsByNameInAnyOrderAndIgnoresOthers) {
  std::string other = "note,balcony,built,city,rooms,size\n";
  for (const CsvLine& line : test::read_csv_text(folder.path("new.csv")))
    other += "\"a, b\"," + line.at("balcony") + "," + line.at("built") + "," + line.at("city") + "," +
             line.at("rooms") + "," + line.at("size") + "\n";
  folder.write("other.csv", other);
  const auto expected = predicted("new.csv");
  EXPECT_EQ(expected.size(), 90U) << "also rows without a target";
  EXPECT_EQ(predicted("other.csv"), expected);
}

TEST_F(PredictTest, FollowsTheTruthOnNewRows) {
  const auto lines = test::read_csv_text(folder.path("new.csv"));
  const auto ours = predicted("new.csv");
  double squares = 0;
  double count = 0;
  for (std::size_t r = 0; r < lines.size(); ++r) {
    if (lines[r].at("rent").empty() || lines[r].at("size").empty()) continue;
    squares += std::pow(std::stod(lines[r].at("rent")) - ours[r], 2);
    ++count;
  }
  EXPECT_LT(std::sqrt(squares / count), 45) << "the noise has a deviation of 23; rents one of 400";
}

TEST_F(PredictTest, KeepsTheOrderOfManyRows) {
  const Rows rows = made_up_rows(300, 2, 8);
  test::write_rows(folder.path("train.csv"), rows);
  kore({"fit", "train.csv", "--target", "y", "-q", "-o", "train.kore"});
  const Rows many = made_up_rows(50'000, 2, 9);
  test::write_rows(folder.path("many.parquet"), many);
  const std::string out = kore({"predict", "train.kore", "many.parquet", "--keep", "x1"}).out;
  EXPECT_EQ(csv_numbers(out, "x1"), many.column(0));
  EXPECT_EQ(csv_numbers(out, "prediction"), predict(load_model(folder.path("train.kore")), many.view()));
}

TEST_F(PredictTest, WritesTheSameNumbersToEveryKindOfFile) {
  const std::string printed = kore({"predict", "flats.kore", "new.csv"}).out;
  for (const std::string name : {"p.csv", "p.csv.gz", "p.tsv", "p.parquet"}) {
    const auto outcome = kore({"predict", "flats.kore", "new.csv", "-o", name});
    EXPECT_EQ(outcome.out, "90 rows of 'rent' predicted in " + name + "\n");
    // Read back by the command itself: a table whose only column is the prediction.
    const duckdb::Table table = duckdb::open_table(folder.path(name));
    ASSERT_EQ(table.column_names(), std::vector<std::string>{"prediction"});
    EXPECT_EQ(table.columns()[0].sql_type, "DOUBLE");
  }
  EXPECT_EQ(folder.read("p.csv"), printed);
  EXPECT_EQ(folder.read("p.tsv"), printed);
  EXPECT_EQ(shell("gunzip -c p.csv.gz").out, printed);
  EXPECT_EQ(folder.read("p.parquet").substr(0, 4), "PAR1");
}

TEST_F(PredictTest, KeepRepeatsColumnsAsTheyAre) {
  const auto outcome = kore({"predict", "flats.kore", "new.csv", "--keep", "id,built,city,size"});
  const auto before = test::read_csv_text(folder.path("new.csv"));
  const auto after = csv_lines(outcome.out);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "prediction,id,built,city,size");
  for (std::size_t r = 0; r < after.size(); ++r) {
    for (const char* column : {"id", "built", "city"})
      EXPECT_EQ(after[r].at(column), before[r].at(column)) << column;
    if (before[r].at("size").empty())
      EXPECT_EQ(after[r].at("size"), "");
    else
      EXPECT_EQ(std::stod(after[r].at("size")), std::stod(before[r].at("size")));
  }
  kore({"predict", "flats.kore", "new.csv", "--keep", "built,id,city", "-o", "p.parquet", "-q"});
  const duckdb::Table table = duckdb::open_table(folder.path("p.parquet"));
  EXPECT_EQ(table.column("built").sql_type, "DATE");
  EXPECT_EQ(table.column("id").sql_type, "BIGINT");
  EXPECT_EQ(table.column("city").sql_type, "VARCHAR");
}

TEST_F(PredictTest, GoesToARedirectedStandardOutputAfterWhatIsThere) {
  const std::string command = KORE_COMMAND;
  EXPECT_EQ(shell(command + " predict flats.kore new.csv > redirected.csv").status, 0);
  const std::string printed = kore({"predict", "flats.kore", "new.csv"}).out;
  EXPECT_EQ(folder.read("redirected.csv"), printed);
  EXPECT_EQ(shell("{ echo first; " + command + " predict flats.kore new.csv; } > both.csv").status, 0);
  EXPECT_EQ(folder.read("both.csv"), "first\n" + printed);
  EXPECT_EQ(shell("echo first > more.csv; " + command + " predict flats.kore new.csv >> more.csv").status, 0);
  EXPECT_EQ(folder.read("more.csv"), "first\n" + printed);
}

TEST_F(PredictTest, UnseenLevelsAreCountedAndGetNoIndicator) {
  folder.write("unseen.csv",
               "size,rooms,city,built,balcony\n60,2,Essen,1990-05-15,true\n60,2,Bonn,1990-05-15,true\n"
               "60,2,Dortmund,1990-05-15,true\n60,2,,1990-05-15,true\n");
  const auto outcome = run({"predict", "flats.kore", "unseen.csv"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_SAYS(outcome.err, "kore: Column 'city': 2 rows with a level that training did not have");
  EXPECT_SAYS(outcome.err, "kore: Column 'city': 1 row without a value");
  const auto values = csv_numbers(outcome.out, "prediction");
  EXPECT_EQ(values[0], values[2]);
  EXPECT_EQ(values[0], values[3]);
  EXPECT_NE(values[0], values[1]);
  const auto quiet = kore({"predict", "flats.kore", "unseen.csv", "--quiet"});
  EXPECT_EQ(quiet.out, outcome.out);
}

TEST_F(PredictTest, UnseenLevelsGoToOtherWhereThereIsOne) {
  fit({"--max-levels", "2"});
  std::string one = "size,rooms,city,built,balcony\n60,2,Essen,1990-05-15,true\n";
  for (const char* city : {"Aachen", "Bonn", "Cologne"})
    one += std::string("60,2,") + city + ",1990-05-15,true\n";
  folder.write("unseen.csv", one);
  const auto outcome = run({"predict", "flats.kore", "unseen.csv"});
  EXPECT_SAYS(outcome.err, "1 row with a level that training did not have; predicted as \"(other)\".");
  // One of the three training levels is the rare one, and the new one shares its effect.
  const auto values = csv_numbers(outcome.out, "prediction");
  EXPECT_EQ(std::count(values.begin() + 1, values.end(), values[0]), 1);
}

TEST_F(PredictTest, MissingNumbersStandAtTheMedianWithAFlag) {
  folder.write("gaps.csv",
               "size,rooms,city,built,balcony\n,2,Bonn,1990-05-15,true\n,2,Bonn,1990-05-15,true\n"
               "60,,Bonn,1990-05-15,true\n60,3,Bonn,1990-05-15,true\n");
  const auto outcome = run({"predict", "flats.kore", "gaps.csv"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_SAYS(outcome.err, "Column 'rooms': 1 row without a value, though training had no such row");
  EXPECT_FALSE(test::contains(outcome.err, "'size'")) << "every tenth size is missing in training";
  const auto values = csv_numbers(outcome.out, "prediction");
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(values[2], values[3]) << "3 rooms are the median";
  for (const double value : values) EXPECT_TRUE(std::isfinite(value));
}

TEST_F(PredictTest, DatesMeanTheSameInEveryFormat) {
  const auto expected = predicted("new.csv");
  shell(std::string(KORE_COMMAND) +
        " predict flats.kore new.csv --keep size,rooms,city,built,balcony -q -o t.parquet");
  EXPECT_EQ(predicted("t.parquet"), expected);
  EXPECT_EQ(predicted("SELECT * REPLACE (built::TIMESTAMP AS built) FROM 't.parquet'"), expected);
  EXPECT_EQ(predicted("SELECT * REPLACE (built::VARCHAR AS built) FROM 't.parquet'"), expected);
}

TEST_F(PredictTest, IntervalsSurroundThePredictionAndNest) {
  const std::string wide = kore({"predict", "flats.kore", "new.csv", "--interval", "0.95"}).out;
  const std::string narrow = kore({"predict", "flats.kore", "new.csv", "--interval", "0.5"}).out;
  EXPECT_EQ(wide.substr(0, wide.find('\n')), "prediction,lower,upper");
  const auto middle = csv_numbers(wide, "prediction");
  EXPECT_EQ(middle, csv_numbers(narrow, "prediction"));
  const auto low = csv_numbers(wide, "lower");
  const auto high = csv_numbers(wide, "upper");
  const auto inner_low = csv_numbers(narrow, "lower");
  const auto inner_high = csv_numbers(narrow, "upper");
  for (std::size_t r = 0; r < middle.size(); ++r) {
    EXPECT_LT(low[r], inner_low[r]);
    EXPECT_LT(inner_low[r], middle[r]);
    EXPECT_LT(middle[r], inner_high[r]);
    EXPECT_LT(inner_high[r], high[r]);
  }
}

TEST_F(PredictTest, RefusesLevelsThatAreNoProbability) {
  for (const char* level : {"0", "1", "1.5", "-0.1", "nan", "90%", "much"}) {
    const auto outcome = run({"predict", "flats.kore", "new.csv", std::string("--interval=") + level});
    EXPECT_EQ(outcome.status, 2) << level;
    EXPECT_EQ(outcome.out, "") << level;
    EXPECT_EQ(outcome.err.substr(0, 6), "kore: ") << level;
  }
}

TEST_F(PredictTest, WarnsWhereTheRowsDoNotSupportTheLevel) {
  const auto outcome = run({"predict", "flats.kore", "new.csv", "--interval", "0.999"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_SAYS(outcome.err, "An interval of level 0.999 needs 1,999 left-out rows, and the model has 560.");
  EXPECT_SAYS(outcome.err, "cover about 99.6 %");
  EXPECT_EQ(run({"predict", "flats.kore", "new.csv", "--interval", "0.999", "-q"}).err, "");
  EXPECT_EQ(run({"predict", "flats.kore", "new.csv", "--interval", "0.99"}).err, "");
}

TEST_F(PredictTest, CountsRowsFarOutsideTheTrainingRange) {
  folder.write("far.csv",
               "size,rooms,city,built,balcony\n60,2,Bonn,1990-05-15,true\n900,2,Bonn,1990-05-15,true\n"
               "60,2,Bonn,2150-05-15,true\n155,2,Bonn,1990-05-15,true\n");
  EXPECT_SAYS(run({"predict", "flats.kore", "far.csv"}).err,
              "kore: 3 rows lie outside the training range, where predictions are guesses: 2 in 'size' "
              "(training had 2");
  EXPECT_SAYS(run({"predict", "flats.kore", "far.csv"}).err, "the furthest row has 900), 1 in 'built' (");
}

TEST_F(PredictTest, MarksRowsOutsideTheTrainingRangeWhereAsked) {
  folder.write("far.csv",
               "size,rooms,city,built,balcony\n60,2,Bonn,1990-05-15,true\n900,2,Atlantis,1990-05-15,true\n"
               "900,2,Bonn,2150-05-15,true\n,2,Bonn,1990-05-15,true\n");
  const std::string marked = run({"predict", "flats.kore", "far.csv", "--outside"}).out;
  EXPECT_EQ(csv_numbers(marked, "outside"), (std::vector<double>{0, 1, 2, 0}));
  const std::string plain = run({"predict", "flats.kore", "far.csv"}).out;
  EXPECT_EQ(csv_numbers(marked, "prediction"), csv_numbers(plain, "prediction"));
  EXPECT_EQ(marked.substr(0, marked.find('\n')), "prediction,outside");
  const std::string all = run({"predict", "flats.kore", "far.csv", "--outside", "--interval", "0.9"}).out;
  EXPECT_EQ(all.substr(0, all.find('\n')), "prediction,lower,upper,outside");
}

TEST_F(PredictTest, WidensIntervalsOutsideTheTrainingRange) {
  folder.write("far.csv",
               "size,rooms,city,built,balcony\n150,2,Bonn,1990-05-15,true\n"
               "180,2,Bonn,1990-05-15,true\n210,2,Bonn,1990-05-15,true\n");
  const std::string ends = run({"predict", "flats.kore", "far.csv", "--interval", "0.9"}).out;
  const auto lower = csv_numbers(ends, "lower");
  const auto upper = csv_numbers(ends, "upper");
  EXPECT_GT(upper[1] - lower[1], 1.2 * (upper[0] - lower[0]));
  EXPECT_GT(upper[2] - lower[2], 1.1 * (upper[1] - lower[1]));
}

TEST_F(PredictTest, ReadsTheStandardInput) {
  const std::string command = "cat new.csv | " + std::string(KORE_COMMAND) + " predict flats.kore ";
  for (const char* name : {"-", "/dev/stdin"})
    EXPECT_EQ(csv_numbers(shell(command + name).out, "prediction"), predicted("new.csv"));
  EXPECT_SAYS(shell("head -1 new.csv | " + std::string(KORE_COMMAND) + " fit - -t rent").err,
              "There are no rows in the standard input");
  EXPECT_SAYS(shell(std::string(KORE_COMMAND) + " predict flats.kore - < /dev/null").err,
              "The standard input is empty.");
}

TEST_F(PredictTest, MissingNumbersMayBeWrittenInWords) {
  folder.write("empty.csv", "size,rooms,city,built,balcony\n,2,Bonn,1990-05-15,true\n");
  folder.write("words.csv", "size,rooms,city,built,balcony\nN/A,2,Bonn,1990-05-15,yes\n");
  EXPECT_EQ(predicted("words.csv"), predicted("empty.csv"));
}

TEST_F(PredictTest, RefusesToKeepAColumnCalledPrediction) {
  folder.write("again.csv", "prediction,size,rooms,city,built,balcony\n1,60,2,Bonn,1990-05-15,true\n");
  EXPECT_EQ(csv_numbers(kore({"predict", "flats.kore", "again.csv"}).out, "prediction").size(), 1U);
  const auto outcome = run({"predict", "flats.kore", "again.csv", "--keep", "prediction"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_SAYS(outcome.err, "two columns named 'prediction'");
}

TEST_F(PredictTest, ATableWithoutRowsGivesAHeader) {
  folder.write("none.csv", "size,rooms,city,built,balcony\n");
  EXPECT_EQ(kore({"predict", "flats.kore", "none.csv"}).out, "prediction\n");
}

}  // namespace
}  // namespace kore

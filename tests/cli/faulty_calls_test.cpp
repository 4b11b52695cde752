// Calls of the system that go wrong while the command runs: disks that are bad or full, files that others
// change, threads that do not start.
#include "cli/faults.hpp"

namespace kore {
namespace {

using test::Faults;

TEST_F(Faults, AReadThatFailsIsToldWithTheNameOfTheFile) {
  ASSERT_EQ(shell("gzip -k rows.csv").status, 0);
  struct Case {
    std::string command;
    std::string file;
    std::vector<int> after;  ///< Bytes that are read before reads begin to fail.
  };
  const Case cases[]{{"fit rows.csv -t y -q -o new.kore", "rows.csv", {0, 1000, 100'000}},
                     {"fit rows.csv.gz -t y -q -o new.kore", "rows.csv.gz", {0, 1000, 50'000}},
                     {"diagnose rows.csv -t y", "rows.csv", {0, 1000}},
                     {"predict rows.kore rows.csv -q -o new.csv", "rows.csv", {0, 1000, 100'000}},
                     {"predict rows.kore rows.csv -q -o new.csv", "rows.kore", {0}},
                     {"explain rows.kore rows.csv -q -o new.csv", "rows.csv", {0, 1000}},
                     {"report rows.kore rows.csv -q -o new.html", "rows.csv", {0, 1000}},
                     {"report rows.kore -q -o new.html", "rows.kore", {0}},
                     {"export rows.kore --to json -o new.json", "rows.kore", {0}},
                     {"effects rows.kore", "rows.kore", {0}},
                     {"info rows.kore", "rows.kore", {0}}};
  const auto names = folder.names();
  for (const auto& [command, file, moments] : cases)
    for (const int after : moments) {
      SCOPED_TRACE(command + ", " + file + " after " + std::to_string(after));
      const auto outcome = with_fault("reads-fail", "/" + file, after, command);
      expect_sentence(outcome, 2);
      EXPECT_SAYS(outcome.err, file);
      EXPECT_EQ(folder.names(), names) << "nothing is written";
    }
}

TEST_F(Faults, AFullDiskIsStatusOneAndNothingIsLost) {
  kore({"fit", "rows.csv", "-t", "y", "-q", "-o", "old.kore"});
  kore({"predict", "rows.kore", "rows.csv", "-q", "-o", "old.csv"});
  kore({"report", "rows.kore", "rows.csv", "-q", "-o", "old.html"});
  const std::string temporary = "TMPDIR=" + folder.path("temporary");
  struct Case {
    std::string command;
    std::vector<int> after;  ///< Bytes for which there is room.
  };
  const Case cases[]{{"fit rows.csv -t y -q -o old.kore", {0, 1000}},
                     {"fit rows.csv -t y -q -o new.kore", {0}},
                     {"fit rows.csv -t y -q --report old.html", {0, 10'000}},
                     {"fit - -t y -q < rows.csv", {0, 10'000}},
                     {"predict rows.kore rows.csv -q -o old.csv", {0, 1000}},
                     {"predict rows.kore rows.csv -q -o new.csv.gz", {0}},
                     {"predict rows.kore rows.csv -q -o new.parquet", {0, 1000}},
                     {"explain rows.kore rows.csv -q -o new.csv", {0}},
                     {"report rows.kore rows.csv -q -o old.html", {0, 10'000}},
                     {"export rows.kore --to onnx -o new.onnx", {0}},
                     {"export rows.kore --to sql -o new.sql", {0}},
                     {"effects rows.kore -o curves", {0}},
                     {"example franke --n 5000 -o new.csv", {0}}};
  const auto names = folder.names();
  const std::string model = folder.read("old.kore");
  const std::string table = folder.read("old.csv");
  const std::string page = folder.read("old.html");
  for (const auto& [command, moments] : cases)
    for (const int after : moments) {
      SCOPED_TRACE(command + " with room for " + std::to_string(after));
      expect_sentence(with_fault("disk-full", folder.path().string() + " " + temporary, after, command), 1);
      std::filesystem::remove_all(folder.path("curves"));
      EXPECT_EQ(folder.names(), names) << "nothing stays";
      EXPECT_TRUE(folder.read("old.kore") == model);
      EXPECT_TRUE(folder.read("old.csv") == table);
      EXPECT_TRUE(folder.read("old.html") == page);
    }
}

TEST_F(Faults, ValuesThatChangeBetweenPassesAreNoticed) {
  // 26 MB as numbers, more than half of the limit: each pass reads the file again.
  test::write_rows(folder.path("long.csv"), test::made_up_rows(800'000, 3, 5));
  const auto size = static_cast<long>(std::filesystem::file_size(folder.path("long.csv")));
  // Looking at the columns, DuckDB reads the file four or five times, and ten times before the fit is made.
  for (const int times : {7, 8}) {
    SCOPED_TRACE(times);
    const auto outcome =
        with_fault("values-change", "/long.csv", times * size,
                   "fit long.csv -t y -q -o new.kore --structure additive --memory-limit 48MB");
    expect_sentence(outcome, 2);
    EXPECT_SAYS(outcome.err, "the file 'long.csv' gave different values: it has changed while it was read");
    EXPECT_FALSE(folder.has("new.kore"));
  }
}

TEST_F(Faults, AFileThatEndsEarlierThanBeforeIsNoticed) {
  test::write_rows(folder.path("long.csv"), test::made_up_rows(150'000, 4, 5));
  const auto size = static_cast<long>(std::filesystem::file_size(folder.path("long.csv")));
  for (const double passes : {2.2, 2.7}) {
    SCOPED_TRACE(passes);
    const auto after = static_cast<long>(passes * static_cast<double>(size));
    const auto outcome = with_fault("file-ends", "/long.csv", after, "fit long.csv -t y -q -o new.kore");
    expect_sentence(outcome, 2);
    EXPECT_SAYS(outcome.err, "he file 'long.csv'");
    EXPECT_FALSE(folder.has("new.kore"));
  }
}

TEST_F(Faults, WhereThreadsDoNotStartTheResultIsTheSameOrThereIsASentence) {
  const std::string fit = "fit rows.csv -t y --json --threads 4";
  const nlohmann::json whole = kore({"fit", "rows.csv", "-t", "y", "--json", "--threads", "4"}).json();
  int same = 0;
  for (const int started : {0, 1, 2, 3, 4, 5, 6, 8, 12, 20}) {
    SCOPED_TRACE(started);
    const auto outcome = with_fault("no-threads", "none", started, fit);
    // OpenBLAS starts a thread as it is loaded, and ends the process with words of its own.
    if (test::contains(outcome.err, "OpenBLAS blas_thread_init")) continue;
    if (outcome.status != 0) {
      expect_sentence(outcome, 1);
      EXPECT_SAYS(outcome.err, "thread");
      continue;
    }
    ++same;
    const nlohmann::json told = outcome.json();
    for (const char* fact : {"loo", "accuracy", "stages"}) EXPECT_EQ(told.at(fact), whole.at(fact)) << fact;
  }
  EXPECT_GE(same, 1);
  RecordProperty("runs_that_did_without_threads", same);
}

}  // namespace
}  // namespace kore

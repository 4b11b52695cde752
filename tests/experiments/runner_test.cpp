#include "experiments/runner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "experiments/made_up_study.hpp"
#include "support/refusal.hpp"

namespace kore::experiments {
namespace {

RunOptions threads(int count) {
  RunOptions options;
  options.threads = count;
  return options;
}

TEST(Runner, WritesRowsInTheOrderOfTheCellsThoughTheLongestRunFirst) {
  const ScratchFolder folder;
  MadeUpStudy made_up(2);
  std::vector<std::string> order;
  for (Cell& cell : made_up.study.cells)
    cell.compute = [inner = cell.compute, name = cell.names[0][0], &order](int count) {
      order.push_back(name);
      return inner(count);
    };
  run_study(made_up.study, folder.path(), threads(1));
  EXPECT_EQ(order, (std::vector<std::string>{"3", "3", "2", "2", "1", "1"}));
  const Table table = read_table(folder.path() / "made_up.csv");
  EXPECT_EQ(table.columns, made_up.study.column_names());
  std::vector<std::string> names;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    names.push_back(table.text(r, "setting") + "/" + table.text(r, "seed"));
  EXPECT_EQ(names, (std::vector<std::string>{"1/0", "1/1", "2/0", "2/1", "3/0", "3/1"}));
  EXPECT_EQ(folder.read("made_up_summary.csv"), "rows\n6\n");
}

TEST(Runner, DoesNotRunACellThatIsInTheFile) {
  const ScratchFolder folder;
  MadeUpStudy made_up(2);
  run_study(made_up.study, folder.path(), threads(2));
  const std::string first = folder.read("made_up.csv");
  EXPECT_EQ(*made_up.computed, 6);
  EXPECT_EQ(run_study(made_up.study, folder.path(), threads(2)).computed, 0U);
  EXPECT_EQ(*made_up.computed, 6);
  EXPECT_EQ(folder.read("made_up.csv"), first);

  // Without the last two rows, in another order, and with a field that tells the old rows from new ones.
  Table table = read_table(folder.path() / "made_up.csv");
  table.rows.resize(4);
  std::swap(table.rows[0], table.rows[3]);
  table.rows[0][table.position("time")] = "99.0";
  write_table(folder.path() / "made_up.csv", table);
  const RunResult again = run_study(made_up.study, folder.path(), threads(2));
  EXPECT_EQ(again.computed, 2U);
  EXPECT_EQ(*made_up.computed, 8);
  EXPECT_EQ(again.table.text(3, "time"), "99.0");
  EXPECT_EQ(again.table.text(4, "time"), "0.5");
}

TEST(Runner, RunsACellAgainOfWhichOnlySomeRowsAreThere) {
  const ScratchFolder folder;
  Study study;
  study.name = study.file = "two";
  study.columns = {{"part", Role::name}, {"value", Role::error}};
  int runs = 0;
  study.cells.push_back({.names = {{"a"}, {"b"}}, .compute = [&runs](int) {
                           ++runs;
                           return std::vector<Row>{row_of({"a", 1.0}), row_of({"b", 2.0})};
                         }});
  folder.write("two", "part,value\na,1.0\n");
  run_study(study, folder.path(), threads(1));
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(folder.read("two"), "part,value\na,1.0\nb,2.0\n");
}

TEST(Runner, GivesTheSameFileOnAnyNumberOfThreads) {
  const ScratchFolder one;
  const ScratchFolder many;
  run_study(MadeUpStudy(5).study, one.path(), threads(1));
  run_study(MadeUpStudy(5).study, many.path(), threads(4));
  EXPECT_EQ(one.read("made_up.csv"), many.read("made_up.csv"));
}

TEST(Runner, GivesATimedCellAndALastOneTheWholeMachine) {
  const auto thread_counts = [](std::size_t settings, bool one_at_a_time) {
    const ScratchFolder folder;
    MadeUpStudy made_up(1);
    made_up.study.cells.resize(settings);
    made_up.study.one_at_a_time = one_at_a_time;
    std::vector<int> counts;
    for (Cell& cell : made_up.study.cells)
      cell.compute = [inner = cell.compute, &counts](int count) {
        counts.push_back(count);
        return inner(count);
      };
    run_study(made_up.study, folder.path(), threads(7));
    return counts;
  };
  EXPECT_EQ(thread_counts(3, true), (std::vector<int>{7, 7, 7}));
  EXPECT_EQ(thread_counts(1, false), (std::vector<int>{7}));
}

TEST(Runner, KeepsWhatIsDoneWhereACellFails) {
  const ScratchFolder folder;
  MadeUpStudy made_up(1);
  made_up.study.cells[0].compute = [](int) -> std::vector<Row> { throw std::runtime_error("broken"); };
  EXPECT_THROW(run_study(made_up.study, folder.path(), threads(1)), std::runtime_error);
  const Table table = read_table(folder.path() / "made_up.csv");
  ASSERT_EQ(table.rows.size(), 2U) << "the two longer cells";
  EXPECT_EQ(table.text(0, "setting"), "2");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "made_up_summary.csv"));
}

TEST(Runner, DerivesColumnsFromTheWholeTableOnly) {
  const ScratchFolder folder;
  MadeUpStudy made_up(1);
  const RunResult whole = run_study(made_up.study, folder.path(), threads(1));
  EXPECT_NEAR(whole.table.number(2, "share"), 0.3 / 0.6, 1e-15);
  made_up.study.cells[0].compute = [](int) -> std::vector<Row> { throw std::runtime_error("broken"); };
  Table table = whole.table;
  table.rows.erase(table.rows.begin());
  write_table(folder.path() / "made_up.csv", table);
  EXPECT_THROW(run_study(made_up.study, folder.path(), threads(1)), std::runtime_error);
  EXPECT_EQ(read_table(folder.path() / "made_up.csv").text(0, "share"), "");
}

TEST(Runner, RunsTheSeedsAskedForAndLeavesOthersInTheFile) {
  const ScratchFolder folder;
  run_study(MadeUpStudy(3).study, folder.path(), threads(2));
  EXPECT_EQ(seeds_in(folder.path() / "made_up.csv"), 3U);
  RunOptions one = threads(2);
  one.seeds = 1;
  const MadeUpStudy again(3);
  const RunResult result = run_study(again.study, folder.path(), one);
  EXPECT_EQ(*again.computed, 0);
  EXPECT_EQ(result.table.rows.size(), 9U);

  const ScratchFolder empty;
  const MadeUpStudy fresh(3);
  EXPECT_EQ(run_study(fresh.study, empty.path(), one).table.rows.size(), 3U);
  EXPECT_EQ(*fresh.computed, 3);
  EXPECT_TRUE(finished_table(fresh.study, empty.path(), 1).has_value());
  EXPECT_FALSE(finished_table(fresh.study, empty.path(), 2).has_value());
  EXPECT_EQ(seeds_in(empty.path() / "nothing.csv"), 0U);
}

TEST(Runner, RefusesAFileWithOtherColumns) {
  const ScratchFolder folder;
  folder.write("made_up.csv", "setting,seed\n1,0\n");
  const MadeUpStudy made_up(1);
  const std::string sentence =
      test::refusal(ErrorCode::invalid_data, [&] { run_study(made_up.study, folder.path(), threads(1)); });
  EXPECT_NE(sentence.find("made_up.csv"), std::string::npos) << sentence;
  EXPECT_EQ(*made_up.computed, 0);
  EXPECT_EQ(folder.read("made_up.csv"), "setting,seed\n1,0\n");
}

TEST(Runner, ReportsCellsDoneAndTimeLeft) {
  const ScratchFolder folder;
  RunOptions options = threads(2);
  std::vector<RunProgress> seen;
  options.progress = [&](const RunProgress& progress) { seen.push_back(progress); };
  run_study(MadeUpStudy(2).study, folder.path(), options);
  ASSERT_EQ(seen.size(), 7U);
  EXPECT_EQ(seen.front().done, 0U);
  EXPECT_TRUE(std::isnan(seen.front().seconds_left));
  EXPECT_EQ(seen.back().done, 6U);
  EXPECT_EQ(seen.back().total, 6U);
  EXPECT_NEAR(seen.back().seconds_left, 0, 1e-9);
}

}  // namespace
}  // namespace kore::experiments

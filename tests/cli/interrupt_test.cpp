// A command that is stopped leaves the file it was about to replace as it was.
#include <thread>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using test::Process;

class InterruptTest : public test::CommandTest, public testing::WithParamInterface<int> {
 protected:
  /// Enough rows that there is time to interrupt.
  void make_table(std::size_t rows) const {
    test::write_rows(folder.path("rows.parquet"), test::made_up_rows(rows, 6, 3));
  }

  /// Runs the command and stops it after shares of the time it takes undisturbed. Whatever the moment, the
  /// file is the old one or a whole new one. Returns how often it was the old one.
  int stop_at_moments(const Arguments& arguments, const std::string& output) const {
    const auto start = Process::Clock::now();
    kore(arguments);
    const std::chrono::duration<double> whole = Process::Clock::now() - start;
    const auto finished = facts(output);
    const std::string old = "KORE, the old file\n" + std::string(5000, 'x');
    const auto names = folder.names();
    int kept = 0;
    for (const double share : {0.02, 0.4, 0.7, 0.85, 0.95, 1.0}) {
      SCOPED_TRACE("stopped after " + std::to_string(share) + " of the time");
      folder.write(output, old);
      Process process(KORE_COMMAND, arguments, folder.path());
      std::this_thread::sleep_for(share * whole);
      process.send(GetParam());
      const auto outcome = process.wait(std::chrono::seconds(60));
      EXPECT_TRUE(outcome.signal == GetParam() || outcome.status == 0);
      const bool is_old = folder.read(output) == old;
      kept += is_old ? 1 : 0;
      EXPECT_TRUE(is_old || facts(output) == finished);
      EXPECT_TRUE(GetParam() == SIGKILL || folder.names() == names) << "something was left behind";
      for (const std::string& name : folder.names())
        if (!names.contains(name)) std::filesystem::remove(folder.path(name));
    }
    return kept;
  }

  /// What tells a whole file: its bytes, or a model's selection, because the time it took is in its bytes.
  std::string facts(const std::string& output) const {
    if (!output.ends_with(".kore")) return folder.read(output);
    auto fit = kore({"info", output, "--json"}).json();
    fit.erase("seconds");
    fit.erase("phases");
    return fit.dump();
  }
};

TEST_P(InterruptTest, AFitLeavesTheOldModelWhole) {
  make_table(3000);
  EXPECT_GE(stop_at_moments({"fit", "rows.parquet", "--target", "y", "-q", "-o", "rows.kore"}, "rows.kore"),
            1);
}

TEST_P(InterruptTest, APredictionLeavesTheOldFileWhole) {
  make_table(80'000);
  kore({"fit", "FROM 'rows.parquet' LIMIT 500", "--target", "y", "-q", "-o", "rows.kore"});
  for (const std::string output : {"predicted.csv", "predicted.parquet"})
    EXPECT_GE(stop_at_moments({"predict", "rows.kore", "rows.parquet", "--interval", "0.9", "--keep",
                               "x1,x2,x3", "-q", "-o", output},
                              output),
              2);
}

/// Nobody can clean up after a kill.
class CleanUpTest : public InterruptTest {};

TEST_P(CleanUpTest, TablesSpilledToDiskAreRemoved) {
  std::filesystem::create_directory(folder.path("temporary"));
  ::setenv("TMPDIR", folder.path("temporary").c_str(), 1);
  Process process(KORE_COMMAND,
                  {"fit", "SELECT range / 1e6 AS x, sin(range / 1e5) AS y FROM range(4000000)", "--target",
                   "y", "--memory-limit", "60MB", "-q"},
                  folder.path());
  ::unsetenv("TMPDIR");
  const auto patience = Process::Clock::now() + std::chrono::seconds(60);
  while (folder.names().size() < 3 && Process::Clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(folder.names().size(), 3U) << "a folder with a file in it";
  process.send(GetParam());
  EXPECT_EQ(process.wait(std::chrono::seconds(60)).signal, GetParam());
  EXPECT_EQ(folder.names(), std::set<std::string>{"temporary"});
}

class SpoolTest : public InterruptTest {};

TEST_P(SpoolTest, TheStandardInputKeptOnDiskHasNoNameThatCouldStay) {
  const std::string name = GetParam() == SIGINT ? "INT" : GetParam() == SIGTERM ? "TERM" : "KILL";
  std::filesystem::create_directory(folder.path("temporary"));
  // A background process of a script ignores interrupts unless they are handed back to it.
  const auto outcome = shell(
      "export TMPDIR=$PWD/temporary; mkfifo pipe; (echo x,y; sleep 20) > pipe & "
      "(trap - INT; exec " +
      std::string(KORE_COMMAND) +
      " fit - -t y < pipe) & kore=$!; "
      "for i in $(seq 200); do ls -l /proc/$kore/fd | grep -q temporary/ && break; sleep 0.05; done; "
      "ls -l /proc/$kore/fd | grep -c temporary/; kill -" +
      name + " $kore; wait $kore; ls temporary | wc -l; kill %1");
  EXPECT_SAYS(outcome.out, "1\n0\n");
}

std::string signal_name(const testing::TestParamInfo<int>& signal) {
  return signal.param == SIGINT ? "Interrupt" : signal.param == SIGTERM ? "Terminate" : "Kill";
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptTest, testing::Values(SIGINT, SIGTERM, SIGKILL), signal_name);
INSTANTIATE_TEST_SUITE_P(Signals, CleanUpTest, testing::Values(SIGINT, SIGTERM), signal_name);
INSTANTIATE_TEST_SUITE_P(Signals, SpoolTest, testing::Values(SIGINT, SIGTERM, SIGKILL), signal_name);

class IgnoredSignalTest : public test::CommandTest {};

TEST_F(IgnoredSignalTest, AHangUpDoesNotEndWhatNohupStarted) {
  test::write_rows(folder.path("rows.parquet"), test::made_up_rows(3000, 6, 3));
  const auto outcome =
      shell("trap '' HUP; " + std::string(KORE_COMMAND) +
            " fit rows.parquet --target y -q -o rows.kore & sleep 0.1; kill -HUP $!; wait $!");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(folder.has("rows.kore"));
}

}  // namespace
}  // namespace kore

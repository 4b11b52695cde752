// What may go wrong around the command: it is killed, the disk is full, memory, threads or descriptors run
// out, two of it write the same file. Nothing is lost, nothing stays, and there is a sentence.
//
// KORE_FAULT_KILLS says at how many moments processes are killed (default 6; `make test-faults` takes 100).
#include <random>
#include <thread>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using test::Outcome;
using test::Process;

int kills() {
  const char* wanted = std::getenv("KORE_FAULT_KILLS");
  return wanted == nullptr ? 6 : std::stoi(wanted);
}

class Faults : public test::CommandTest {
 protected:
  void SetUp() override {
    test::write_rows(folder.path("rows.csv"), test::made_up_rows(2000, 4, 3));
    kore({"fit", "rows.csv", "-t", "y", "-q", "-o", "rows.kore"});
    std::filesystem::create_directory(folder.path("temporary"));
  }

  /// Ends with one sentence and a status that a script can rely on; never by a signal of its own making.
  void expect_sentence(const Outcome& outcome, int status) const {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.err.rfind("kore: ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find("terminate called"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("Resource temporarily unavailable\n"), std::string::npos) << outcome.err;
  }
  /// With limits of the shell in front.
  Outcome limited(const std::string& limits, const std::string& command) const {
    return shell(limits + "; exec " + std::string(KORE_COMMAND) + " " + command);
  }
};

TEST_F(Faults, AKillLosesNothingAndTheNextRunRemovesWhatWasLeft) {
  ::setenv("TMPDIR", folder.path("temporary").c_str(), 1);
  const std::string command = KORE_COMMAND;
  const std::vector<std::pair<std::string, std::string>> lines{
      {command + " fit rows.csv -t y -q -o new.kore", "new.kore"},
      {command + " predict rows.kore rows.csv -q -o new.csv", "new.csv"},
      {command + " report rows.kore rows.csv -q -o new.html", "new.html"},
      {command + " fit - -t y -q -o new.kore < rows.csv", "new.kore"}};
  std::mt19937 random(7);
  const int moments = kills();
  int left = 0;
  for (const auto& [line, output] : lines) {
    SCOPED_TRACE(line);
    const auto start = Process::Clock::now();
    ASSERT_EQ(shell(line).status, 0);
    const std::chrono::duration<double> whole = Process::Clock::now() - start;
    const std::string finished = folder.read(output);
    const auto names = folder.names();
    for (int k = 0; k < moments; ++k) {
      Process process("/bin/bash", {"-c", "exec " + line}, folder.path());
      std::this_thread::sleep_for(whole * (static_cast<double>(random() % 1000) / 1000));
      process.send(SIGKILL);
      process.wait(std::chrono::seconds(60));
      left += folder.names() == names ? 0 : 1;
      ASSERT_EQ(folder.read(output).size(), finished.size()) << "an old file or a whole new one";
    }
    ASSERT_EQ(shell(line).status, 0);
    EXPECT_EQ(folder.names(), names) << "the next run removes what is left";
  }
  ::unsetenv("TMPDIR");
  RecordProperty("kills", moments * static_cast<int>(lines.size()));
  RecordProperty("left_until_the_next_run", left);
}

TEST_F(Faults, TwoWritersLeaveOneWholeFile) {
  const std::string fit = std::string(KORE_COMMAND) + " fit rows.csv -t y -q -o both.kore & ";
  for (int k = 0; k < 3; ++k) {
    ASSERT_EQ(shell(fit + fit + fit + "wait").status, 0);
    EXPECT_EQ(kore({"info", "both.kore", "--json"}).json()["n"], 2000);
    for (const std::string& name : folder.names()) EXPECT_EQ(name.find("partial"), std::string::npos) << name;
  }
}

TEST_F(Faults, AFullDiskIsStatusOneInEveryCommand) {
  for (const std::string arguments :
       {"info rows.kore", "info rows.kore --json", "effects rows.kore --format csv",
        "predict rows.kore rows.csv", "fit rows.csv -t y", "fit rows.csv -t y --json", "example franke",
        "completion bash", "--help"}) {
    SCOPED_TRACE(arguments);
    expect_sentence(shell(std::string(KORE_COMMAND) + " " + arguments + " > /dev/full"), 1);
  }
}

TEST_F(Faults, AFileThatMayNotGrowIsStatusOneAndTheOldOneStays) {
  const std::string old = folder.read("rows.kore");
  // Blocks of 1024 bytes; the signal would end the process before it could say why.
  const auto outcome = limited("trap '' XFSZ; ulimit -f 1", "fit rows.csv -t y -q -o rows.kore");
  expect_sentence(outcome, 1);
  EXPECT_EQ(folder.read("rows.kore"), old);
  for (const std::string& name : folder.names()) EXPECT_EQ(name.find("partial"), std::string::npos) << name;
}

TEST_F(Faults, TooLittleMemoryEndsInASentence) {
  int ended = 0;
  for (int megabytes = 180; megabytes <= 460; megabytes += 20) {
    SCOPED_TRACE(megabytes);
    const auto outcome = limited("ulimit -v " + std::to_string(megabytes * 1024), "fit rows.csv -t y -q");
    // Below what the libraries take, the loader or OpenBLAS, which starts a thread as it is loaded, end the
    // process with words of their own.
    const bool ended_while_loading =
        outcome.status == 127 || test::contains(outcome.err, "OpenBLAS blas_thread_init");
    if (outcome.status == 0 || ended_while_loading) continue;
    ++ended;
    EXPECT_EQ(outcome.signal, 0) << outcome.err;
    EXPECT_TRUE(outcome.status == 1 || outcome.status == 2) << outcome.status << outcome.err;
    EXPECT_SAYS(outcome.err, "kore: ");
  }
  RecordProperty("runs_without_enough_memory", ended);
}

TEST_F(Faults, TooFewDescriptorsEndInASentence) {
  for (const int descriptors : {4, 5, 6, 8, 10, 12}) {
    SCOPED_TRACE(descriptors);
    const auto outcome =
        limited("ulimit -n " + std::to_string(descriptors), "fit rows.csv -t y -q -o few.kore");
    if (outcome.status == 0 || outcome.status == 127) continue;
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_SAYS(outcome.err, "kore: ");
  }
}

TEST_F(Faults, ClosedDescriptorsAreNoProblemWhereNothingIsSaid) {
  EXPECT_EQ(shell(std::string(KORE_COMMAND) + " fit rows.csv -t y -q -o closed.kore <&- >&- 2>&-").status, 0);
  EXPECT_EQ(kore({"info", "closed.kore", "--json"}).json()["n"], 2000);
}

TEST_F(Faults, HomeLocaleAndZoneChangeNothing) {
  const std::string plain = kore({"predict", "rows.kore", "rows.csv"}).out;
  for (const std::string environment : {"env -u HOME", "env LC_ALL=de_DE.UTF-8", "env LC_ALL=C",
                                        "env TZ=Asia/Kathmandu", "env TZ=nonsense", "env -i"}) {
    SCOPED_TRACE(environment);
    const auto outcome = shell(environment + " " + KORE_COMMAND + " predict rows.kore rows.csv");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, plain);
  }
}

TEST_F(Faults, TheSmallestMemoryLimitIsEnoughForSmallFiles) {
  test::write_rows(folder.path("wide.csv"), test::made_up_rows(20'000, 3, 4));  // a megabyte
  for (const std::string limit : {"32MB", "48MB", "64MB"})
    for (const std::string file : {"rows.csv", "wide.csv"}) {
      SCOPED_TRACE(limit + " " + file);
      const auto outcome = run({"fit", file, "-t", "y", "-q", "--memory-limit", limit});
      EXPECT_EQ(outcome.status, 0) << outcome.err;
    }
}

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
      // The last setting lets a sanitized command load it, too.
      const auto outcome = limited("export LD_PRELOAD=" KORE_FAILING_READS
                                   " ASAN_OPTIONS=verify_asan_link_order=0 "
                                   "KORE_FAILING_FILE=/" +
                                       file + " KORE_FAILING_AFTER=" + std::to_string(after),
                                   command);
      expect_sentence(outcome, 2);
      EXPECT_SAYS(outcome.err, file);
      EXPECT_EQ(folder.names(), names) << "nothing is written";
    }
}

TEST_F(Faults, AFileThatShrinksWhileItIsReadIsNoticed) {
  // Larger than the limit, so that each pass reads it again.
  test::write_rows(folder.path("long.csv"), test::made_up_rows(150'000, 4, 5));
  Process process(KORE_COMMAND, {"fit", "long.csv", "-t", "y", "--memory-limit", "40MB"}, folder.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  std::filesystem::resize_file(folder.path("long.csv"),
                               std::filesystem::file_size(folder.path("long.csv")) / 2);
  const auto outcome = process.wait(std::chrono::seconds(120));
  EXPECT_EQ(outcome.signal, 0);
  if (outcome.status != 0) {
    EXPECT_SAYS(outcome.err, "kore: ");
  }
}

}  // namespace
}  // namespace kore

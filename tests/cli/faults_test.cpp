// What may go wrong around the command: it is killed, the disk is full, memory, threads or descriptors run
// out, two of it write the same file. Nothing is lost, nothing stays, and there is a sentence.
//
// KORE_FAULT_KILLS says at how many moments processes are killed (default 6; `make test-faults` takes 100).
#include <random>
#include <thread>

#include "cli/faults.hpp"

namespace kore {
namespace {

using test::Faults;
using test::Process;

int kills() {
  const char* wanted = std::getenv("KORE_FAULT_KILLS");
  return wanted == nullptr ? 6 : std::stoi(wanted);
}

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
    expect_sentence(outcome, 1);
    EXPECT_SAYS(outcome.err, "memory");
  }
  RecordProperty("runs_without_enough_memory", ended);
}

TEST_F(Faults, TooFewDescriptorsEndInASentence) {
  int ended = 0;
  for (const std::string command : {"fit rows.csv -t y -q -o few.kore", "predict rows.kore rows.csv -q",
                                    "report rows.kore -q -o few.html"})
    for (const int descriptors : {4, 5, 6, 8, 10, 12}) {
      SCOPED_TRACE(command + " with " + std::to_string(descriptors));
      const auto outcome = limited("ulimit -n " + std::to_string(descriptors), command);
      // With fewer than it takes, the loader finds no libraries.
      if (outcome.status == 0 || outcome.status == 127) continue;
      ++ended;
      expect_sentence(outcome, 1);
      EXPECT_TRUE(test::contains(outcome.err, "ulimit -n") ||
                  test::contains(outcome.err, "Too many open files"))
          << outcome.err;
    }
  EXPECT_GE(ended, 2) << "four descriptors are too few for fit and for predict";
  RecordProperty("runs_without_enough_descriptors", ended);
}

/// As a user of its own, because the superuser may start as many as it likes. What it may read and write
/// stays as it is, so that it can work where the tests are.
std::string as_another_user() {
  if (::geteuid() != 0) return "";
  return "setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all,+dac_override,+dac_read_search "
         "--ambient-caps=-all,+dac_override,+dac_read_search ";
}

TEST_F(Faults, WhereAUserMayStartNoThreadTheResultIsTheSame) {
  const std::string user = as_another_user();
  // Sees to it that the limit holds here at all: no other process may start.
  if (shell(user + "/bin/bash -c true").status != 0)
    GTEST_SKIP() << "there is no setpriv, or it may not change the user";
  if (shell(user + "/bin/bash -c 'ulimit -u 0; /bin/true; true'").status == 0)
    GTEST_SKIP() << "this system does not limit the threads of a user";
  const nlohmann::json whole = kore({"fit", "rows.csv", "-t", "y", "--json", "--threads", "4"}).json();
  for (const std::string environment : {"OPENBLAS_NUM_THREADS=1", "KORE_NOTHING=1"})
    for (const int threads : {0, 1, 2, 3, 4, 6, 9}) {
      SCOPED_TRACE(environment + " with " + std::to_string(threads));
      const auto outcome =
          shell(user + "env " + environment + " /bin/bash -c 'ulimit -u " + std::to_string(threads) +
                "; exec " + KORE_COMMAND + " fit rows.csv -t y --json --threads 4'");
      // Where OpenBLAS may not start its thread as it is loaded, it ends the process with words of its own.
      if (test::contains(outcome.err, "OpenBLAS blas_thread_init")) {
        EXPECT_EQ(environment, "KORE_NOTHING=1");
        continue;
      }
      if (outcome.status != 0) {
        expect_sentence(outcome, 1);
        EXPECT_SAYS(outcome.err, "thread");
        continue;
      }
      const nlohmann::json told = outcome.json();
      for (const char* fact : {"loo", "accuracy", "stages"}) EXPECT_EQ(told.at(fact), whole.at(fact)) << fact;
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

TEST_F(Faults, AFolderThatMayNotBeWrittenIsTheRequestsFault) {
  namespace fs = std::filesystem;
  fs::create_directory(folder.path("closed"));
  fs::copy(folder.path("rows.kore"), folder.path("closed/old.kore"));
  fs::permissions(folder.path("closed"), fs::perms::owner_read | fs::perms::owner_exec);
  // The superuser may write everywhere, unless that is taken away.
  const std::string plain_user =
      ::geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : "";
  for (const std::string arguments :
       {"fit rows.csv -t y -q -o closed/new.kore", "fit rows.csv -t y -q -o closed/old.kore",
        "fit rows.csv -t y -q --report closed/new.html", "predict rows.kore rows.csv -q -o closed/new.csv",
        "explain rows.kore rows.csv -q -o closed/new.csv", "report rows.kore -q -o closed/new.html",
        "export rows.kore --to json -o closed/new.json", "effects rows.kore -o closed/curves"}) {
    SCOPED_TRACE(arguments);
    const auto outcome = shell(plain_user + KORE_COMMAND + " " + arguments);
    expect_sentence(outcome, 2);
    EXPECT_SAYS(outcome.err, "closed/");
  }
  EXPECT_TRUE(folder.read("closed/old.kore") == folder.read("rows.kore"));
  // Reading from there is allowed.
  EXPECT_EQ(shell(plain_user + KORE_COMMAND + " info closed/old.kore").status, 0);
  fs::permissions(folder.path("closed"), fs::perms::owner_all);
}

TEST_F(Faults, WithoutAFolderForTemporaryFilesThereIsASentence) {
  const auto outcome = shell("TMPDIR=/nowhere " + std::string(KORE_COMMAND) + " fit - -t y -q < rows.csv");
  expect_sentence(outcome, 1);
  EXPECT_SAYS(outcome.err, "temporary files");
}

/// A control group with so much memory, where this user may make one (superusers, mostly).
class MemoryGroup {
 public:
  explicit MemoryGroup(const std::string& bytes) {
    const std::string name = "kore-test-" + std::to_string(::getpid());
    for (const auto& [root, limit] : {std::pair{"/sys/fs/cgroup/memory/", "memory.limit_in_bytes"},
                                      std::pair{"/sys/fs/cgroup/", "memory.max"}}) {
      std::error_code failure;
      if (!std::filesystem::exists(root + std::string("cgroup.procs"), failure)) continue;
      path_ = root + name;
      if (!std::filesystem::create_directory(path_, failure)) continue;
      std::ofstream(path_ + "/" + limit) << bytes << std::flush;
      std::string kept;
      std::ifstream(path_ + "/" + limit) >> kept;
      made_ = kept == bytes && std::filesystem::exists(path_ + "/cgroup.procs", failure);
      if (made_) return;
      std::filesystem::remove(path_, failure);
    }
  }
  ~MemoryGroup() {
    std::error_code ignored;
    if (made_) std::filesystem::remove(path_, ignored);
  }
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;

  bool made() const { return made_; }
  std::string enter() const { return "echo $$ > " + path_ + "/cgroup.procs"; }

 private:
  std::string path_;
  bool made_ = false;
};

TEST_F(Faults, AContainerWithLittleMemoryIsEnoughForATableThatIsLarger) {
  const MemoryGroup group("167772160");  // 160 MiB
  if (!group.made()) GTEST_SKIP() << "this user may not make a control group";
  // 9 features of 400,000 rows take 29 MB as numbers, and 70 MB as text.
  test::write_rows(folder.path("large.csv"), test::made_up_rows(400'000, 9, 5));
  const auto outcome = limited(group.enter(), "fit large.csv -t y -q --structure additive -o large.kore");
  EXPECT_EQ(outcome.signal, 0) << "killed for want of memory";
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(kore({"info", "large.kore", "--json"}).json()["n"], 400'000);
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

TEST_F(Faults, AFileThatShrinksWhileItIsReadIsNoticed) {
  // Larger than the limit, so that each pass reads it again.
  test::write_rows(folder.path("long.csv"), test::made_up_rows(150'000, 4, 5));
  Process process(KORE_COMMAND, {"fit", "long.csv", "-t", "y", "--memory-limit", "40MB"}, folder.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  std::filesystem::resize_file(folder.path("long.csv"),
                               std::filesystem::file_size(folder.path("long.csv")) / 2);
  const auto outcome = process.wait(std::chrono::seconds(120));
  if (outcome.status != 0) expect_sentence(outcome, 2);
  EXPECT_EQ(outcome.signal, 0);
}

}  // namespace
}  // namespace kore

#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/csv_text.hpp"

/// Runs the real binary as a shell would, and keeps what it said.
namespace kore::test {

/// A folder for the files of one test, gone with it.
class Folder {
 public:
  Folder() {
    static std::atomic<int> number{0};
    path_ = std::filesystem::temp_directory_path() /
            ("kore-cli-test-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::string read(const std::string& name) const { return file_content(path(name)); }
  bool has(const std::string& name) const { return std::filesystem::exists(path(name)); }
  /// Names of everything in it, hidden files too.
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
      all.insert(std::filesystem::relative(entry.path(), path_).string());
    return all;
  }

 private:
  std::filesystem::path path_;
};

/// How a process ended and what it said.
struct Outcome {
  int status = -1;  ///< Exit status; -1 if a signal ended it.
  int signal = 0;   ///< The signal that ended it, or 0.
  bool timed_out = false;
  std::string out;
  std::string err;
  long peak_kilobytes = 0;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// A running program whose standard output and error go through pipes, so that it sees no terminal.
class Process {
 public:
  using Clock = std::chrono::steady_clock;

  Process(const std::string& program, const std::vector<std::string>& arguments,
          const std::filesystem::path& folder) {
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0)
      throw std::runtime_error("no pipes");
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("no process");
    if (pid_ == 0) {
      // Between fork and exec only calls that are safe beside other threads.
      const int nothing = ::open("/dev/null", O_RDONLY);
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(err[1], STDERR_FILENO);
      if (::chdir(folder.c_str()) == 0) ::execv(program.c_str(), argv.data());
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    pipes_ = {out[0], err[0]};
  }
  ~Process() {
    if (pid_ > 0) wait(Clock::duration::zero());
    for (const int pipe : pipes_)
      if (pipe >= 0) ::close(pipe);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Does nothing once it has ended: a signal to process -1 would go to all there are.
  void send(int signal) const {
    if (pid_ > 0) ::kill(pid_, signal);
  }

  /// Reads until the end; a process that takes longer than `patience` is killed.
  Outcome wait(Clock::duration patience) {
    Outcome outcome;
    const auto deadline = Clock::now() + patience;
    while (pipes_[0] >= 0 || pipes_[1] >= 0) {
      std::array<pollfd, 2> ready{pollfd{pipes_[0], POLLIN, 0}, pollfd{pipes_[1], POLLIN, 0}};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      const int events =
          ::poll(ready.data(), ready.size(), static_cast<int>(std::max<long>(left.count(), 0)));
      if (events <= 0 && Clock::now() >= deadline) {
        outcome.timed_out = true;
        send(SIGKILL);
        break;
      }
      if (ready[0].revents != 0) read_some(pipes_[0], outcome.out);
      if (ready[1].revents != 0) read_some(pipes_[1], outcome.err);
    }
    int state = 0;
    rusage usage{};
    ::wait4(pid_, &state, 0, &usage);
    pid_ = -1;
    outcome.peak_kilobytes = usage.ru_maxrss;
    if (WIFEXITED(state)) outcome.status = WEXITSTATUS(state);
    if (WIFSIGNALED(state)) outcome.signal = WTERMSIG(state);
    return outcome;
  }

 private:
  static void read_some(int& pipe, std::string& to) {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
    if (count > 0) {
      to.append(buffer.data(), static_cast<std::size_t>(count));
      return;
    }
    ::close(pipe);
    pipe = -1;
  }

  pid_t pid_ = -1;
  std::array<int, 2> pipes_{-1, -1};
};

/// A test of the command: its own folder, which is also where the command runs.
class CommandTest : public testing::Test {
 protected:
  using Arguments = std::vector<std::string>;

  /// Whatever comes of it.
  Outcome run(const Arguments& arguments, int seconds = 120) const {
    const Outcome outcome =
        Process(KORE_COMMAND, arguments, folder.path()).wait(std::chrono::seconds(seconds));
    EXPECT_FALSE(outcome.timed_out) << shown(arguments);
    return outcome;
  }
  /// Expected to go well, and to say so: nothing on stderr.
  Outcome kore(const Arguments& arguments, int seconds = 120) const {
    Outcome outcome = run(arguments, seconds);
    EXPECT_EQ(outcome.status, 0) << shown(arguments) << outcome.err;
    EXPECT_EQ(outcome.err, "") << shown(arguments);
    return outcome;
  }
  Outcome shell(const std::string& line) const {
    return Process("/bin/bash", {"-c", line}, folder.path()).wait(std::chrono::seconds(60));
  }
  static std::string shown(const Arguments& arguments) {
    std::string line = "kore";
    for (const std::string& argument : arguments) line += " " + argument;
    return line + "\n";
  }

  Folder folder;
};

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace kore::test

/// The text, shown if it does not contain the part.
#define EXPECT_SAYS(text, part) EXPECT_TRUE(kore::test::contains(text, part)) << (text)

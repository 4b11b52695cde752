#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "base/system.hpp"

// What only a program of its own may do. A library in another program, such as R, is built without this file.
namespace kore::system {
namespace {

// A handler gets no arguments but its signal.
std::atomic<void (*)() noexcept> clean_up_before_end{nullptr};

void clean_up_and_go(int signal) {
  const auto clean_up = clean_up_before_end.load();
  clean_up();
  const timespec moment{0, 20'000'000};
  ::nanosleep(&moment, nullptr);
  clean_up();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void before_ending_by_signal(void (*clean_up)() noexcept) {
  clean_up_before_end = clean_up;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Who started us may have asked for a signal to be ignored, as nohup does.
    if (std::signal(signal, clean_up_and_go) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

void fork_and_end() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
}

}  // namespace kore::system

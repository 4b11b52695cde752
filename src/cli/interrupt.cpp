#include "cli/interrupt.hpp"

#include <time.h>

#include <csignal>

#include "base/unfinished_files.hpp"

namespace kore::cli {
namespace {

// Another thread may be about to open a file that it has announced: it gets a moment to do so, and what it
// has opened is removed too. If it finishes meanwhile, the file is whole.
void clean_up_and_go(int signal) {
  remove_unfinished_files();
  const timespec moment{0, 20'000'000};
  ::nanosleep(&moment, nullptr);
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void leave_no_debris() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Who started us may have asked for a signal to be ignored, as nohup does.
    if (std::signal(signal, clean_up_and_go) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace kore::cli

#include "cli/interrupt.hpp"

#include <time.h>

#include <csignal>

#include "base/unfinished_files.hpp"

namespace kore::cli {
namespace {

// Another thread may have registered a file and be about to open it. It gets a moment to do so, and then the
// file is removed too. If the thread finishes the file in this time, the file is complete.
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
    // The parent process may have set a signal to be ignored, as nohup does.
    if (std::signal(signal, clean_up_and_go) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace kore::cli

#include "cli/interrupt.hpp"

#include <csignal>

#include "base/unfinished_files.hpp"

namespace kore::cli {
namespace {

void clean_up_and_go(int signal) {
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

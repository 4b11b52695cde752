#include "cli/progress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "base/system.hpp"

namespace kore::cli {

ProgressLine::ProgressLine(bool quiet) : on_(!quiet && system::error_output_is_terminal()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text) {
  if (!on_) return;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

std::function<void(const Progress&)> ProgressLine::fits() {
  return [this](const Progress& fit) {
    using Clock = std::chrono::steady_clock;
    ++fits_;
    const double now = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
    const std::string judging =
        fit.referee ? story::judging_words(fit, judging_.since_begin(fit, now)) + ": " : "";
    show(fmt::format("fit {}, {}{}", fits_, judging, story::progress_words(fit)));
  };
}

}  // namespace kore::cli

#include "cli/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/system.hpp"
#include "story/progress.hpp"

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
    if (fit.referee && !judging_since_) judging_since_ = Clock::now();
    const std::string judging =
        fit.referee ? story::judging_words(
                          fit, std::chrono::duration<double>(Clock::now() - *judging_since_).count()) +
                          ": "
                    : "";
    show(fmt::format("fit {}, {}{}", fits_, judging, story::progress_words(fit)));
  };
}

}  // namespace kore::cli

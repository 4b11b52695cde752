#include "cli/progress.hpp"

#include <fmt/format.h>

#include <cmath>
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
    ++fits_;
    show(fmt::format("{}fit {}: {} at resolution {}, {} columns, leave-one-out RMSE {:.4g}",
                     fit.referee ? "referee, " : "", fits_, to_string(fit.structure), fit.resolution,
                     fit.score.p, std::sqrt(fit.score.loo)));
  };
}

}  // namespace kore::cli

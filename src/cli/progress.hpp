#pragma once

#include <functional>
#include <string>

#include "kore/options.hpp"
#include "story/progress.hpp"

namespace kore::cli {

/// A line on the terminal that shows what is being done and is removed afterwards. Nothing is shown in a
/// pipe, or if `quiet`.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);
  void clear();
  /// For `Options::progress`.
  std::function<void(const Progress&)> fits();

 private:
  bool on_;
  bool shown_ = false;
  int fits_ = 0;
  story::JudgingTime judging_;
};

}  // namespace kore::cli

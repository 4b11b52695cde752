#pragma once

#include <optional>
#include <string>

#include "kore/selector.hpp"

namespace kore::story {

/// What a fit was, in the words and units of the summary: "with pairs: 153 columns, LOO RMSE 2.487".
std::string progress_words(const Progress& fit);

/// "judging by rows left out, 3 of 10 parts done, about 12 s left", or nothing where the fit does not judge.
/// The estimate is there from the second part on: the others should take as long as those before, which took
/// `seconds`.
std::string judging_words(const Progress& fit, double seconds);

/// How long the judging of one model takes. Where another one is judged (of the next class), fewer parts are
/// done than before, and the time begins anew.
class JudgingTime {
 public:
  /// Seconds since the judging began, at the time `now` in seconds.
  double since_begin(const Progress& fit, double now);

 private:
  std::optional<double> began_;
  std::size_t parts_done_ = 0;
};

/// Seconds that the parts which are left should take, by those before.
std::optional<double> seconds_left(const Progress& fit, double seconds);

}  // namespace kore::story

#include "story/progress.hpp"

#include <fmt/format.h>

#include <cmath>

#include "story/text.hpp"

namespace kore::story {
namespace {

const char* words_of(Structure structure) {
  return structure == Structure::threeway   ? "with triples"
         : structure == Structure::pairwise ? "with pairs"
                                            : "main effects";
}

std::string error_words(const Progress& fit) {
  if (fit.score_of == ScoreOf::deviance) return fmt::format("LOO deviance {}", short_number(fit.score.loo));
  const std::string error = fmt::format("LOO RMSE {}", short_number(std::sqrt(fit.score.loo)));
  if (fit.score_of == ScoreOf::target) return error;
  return error + (fit.score_of == ScoreOf::logarithm ? " of the logarithm" : " of the square root");
}

}  // namespace

std::string progress_words(const Progress& fit) {
  return fmt::format("{} at resolution {}: {} columns, {}", words_of(fit.structure), fit.resolution,
                     grouped(fit.score.p), error_words(fit));
}

std::optional<double> seconds_left(const Progress& fit, double seconds) {
  if (!fit.referee || fit.parts_done == 0 || fit.parts_done >= fit.parts) return std::nullopt;
  const auto done = static_cast<double>(fit.parts_done);
  return seconds * (static_cast<double>(fit.parts) - done) / done;
}

double JudgingTime::since_begin(const Progress& fit, double now) {
  if (!began_ || fit.parts_done < parts_done_) began_ = now;
  parts_done_ = fit.parts_done;
  return now - *began_;
}

std::string judging_words(const Progress& fit, double seconds) {
  if (!fit.referee) return "";
  std::string words = "judging by rows left out";
  if (fit.parts > 0) words += fmt::format(", {} of {} parts done", fit.parts_done, fit.parts);
  if (const auto left = seconds_left(fit, seconds))
    words += fmt::format(", about {} left", duration(std::ceil(*left)));
  return words;
}

}  // namespace kore::story

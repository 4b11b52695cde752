#include "story/reliability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "story/accuracy.hpp"
#include "story/text.hpp"

namespace kore::story {
namespace {

constexpr double least_covered = 0.85;
constexpr double standard_errors = 3;

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string ordinal(std::size_t number) {
  return fmt::format("{}{}", number, number == 1 ? "st" : number == 2 ? "nd" : number == 3 ? "rd" : "th");
}

}  // namespace

std::string part_name(std::size_t parts) {
  constexpr std::array names{"whole", "half",    "third",  "quarter", "fifth",
                             "sixth", "seventh", "eighth", "ninth",   "tenth"};
  return parts >= 1 && parts <= names.size() ? names[parts - 1] : fmt::format("1/{}", parts);
}

std::string part_words(std::size_t part, std::size_t parts) {
  if (part == 0) return fmt::format("the {} with the smallest predictions", part_name(parts));
  if (part + 1 == parts) return fmt::format("the {} with the largest predictions", part_name(parts));
  return fmt::format("the {} {}", ordinal(part + 1), part_name(parts));
}

bool too_narrow(const PredictionGroup& group) {
  const double error = std::sqrt(checked_level * (1 - checked_level) / group.weight);
  return group.covered < least_covered && group.covered < checked_level - standard_errors * error;
}

IntervalCheck interval_check(const FitSummary& summary) {
  if (!summary.accuracy) return {};
  const std::vector<PredictionGroup>& groups = summary.accuracy->by_prediction;
  if (groups.empty() || std::isnan(groups.front().covered)) return {};
  std::vector<std::string> narrow;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (too_narrow(groups[g]))
      narrow.push_back(
          fmt::format("{} in {}", whole_percent(groups[g].covered), part_words(g, groups.size())));
  if (!narrow.empty())
    return {false, fmt::format("90 % intervals are too narrow for some left-out rows: they hold only {}",
                               fmt::join(narrow, ", "))};
  const auto [least, most] = std::ranges::minmax(groups, {}, &PredictionGroup::covered);
  return {true,
          fmt::format("90 % intervals hold {} to {} of the left-out rows in each {} of the predictions",
                      whole_percent(least.covered), whole_percent(most.covered), part_name(groups.size()))};
}

std::string gain_over_mean(const FitSummary& summary) {
  if (!summary.accuracy || summary.accuracy->family || is_constant(summary)) return {};
  const Accuracy& accuracy = *summary.accuracy;
  if (!(accuracy.r2 < 1) || !(accuracy.rmse > 0)) return {};
  const double left = std::sqrt(1 - accuracy.r2);  // of the error of the mean
  return fmt::format("predicting their mean for all of these rows has RMSE {}; that of the model is {} {}",
                     short_number(accuracy.rmse / left), percent(std::abs(1 - left)),
                     left <= 1 ? "smaller" : "larger");
}

}  // namespace kore::story

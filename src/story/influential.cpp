#include "story/influential.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "story/column_text.hpp"
#include "story/growth.hpp"
#include "story/text.hpp"

namespace kore::story {
namespace {

constexpr std::size_t most_in_verdict = 3;

std::string value_of(const table::TableModel& fitted, std::size_t feature, double value) {
  if (feature >= fitted.encoding.features.size()) return short_number(value);
  const table::EncodedColumn& column = fitted.encoding.columns[fitted.encoding.features[feature].column];
  const bool level = fitted.model.design.features()[feature].kind == FeatureKind::category;
  if (!level) return column_text(fitted, column, value);
  const std::vector<std::string> names = table::level_names(column);
  const auto place = static_cast<std::size_t>(std::max(value, 0.0));
  return place < names.size() ? names[place] : short_number(value);
}

/// "; rows counted from 1 among those with a target".
std::string counting(const table::TableModel& fitted) {
  return fitted.facts.missing_target > 0 ? "rows counted from 1, among those with a target"
                                         : "rows counted from 1";
}

std::string influential_note(const table::TableModel& fitted) {
  const FitSummary& summary = fitted.model.summary;
  std::vector<std::string> rows;
  for (const InfluentialRow& row : summary.influential_rows) {
    std::vector<std::string> places;
    for (std::size_t i = 0; i < row.features.size(); ++i)
      places.push_back(fmt::format("'{}' {}", fitted.model.design.features()[row.features[i]].name,
                                   value_of(fitted, row.features[i], row.values[i])));
    places.push_back(fmt::format("leverage {:.3f}", row.leverage));
    rows.push_back(fmt::format("row {} ({})", grouped(row.row + 1), fmt::join(places, ", ")));
  }
  if (summary.influential_count > rows.size()) rows.emplace_back("and others");
  return fmt::format(
      "{} a leverage above {}, so that the model there rests on {} alone ({}): {}.",
      summary.influential_count == 1 ? "1 row has" : grouped(summary.influential_count) + " rows have",
      near_one_leverage, summary.influential_count == 1 ? "it" : "each of them", counting(fitted),
      fmt::join(rows, ", "));
}

/// What became of the structure that a sample chose, where a simpler one is better on all rows.
std::string simpler_note(const FitSummary& summary) {
  const auto fitted = [](const StageSummary& stage) { return std::isfinite(stage.all_rows_loo); };
  const auto first =
      std::ranges::find_if(summary.stages.rbegin(), summary.stages.rend(), fitted);  // the richest
  const auto chosen = std::ranges::find_if(summary.stages, &StageSummary::chosen);
  if (first == summary.stages.rend() || chosen == summary.stages.end() || first->chosen) return {};
  return fmt::format(
      "The sample chose the model '{}', whose leave-one-out RMSE on all rows is {}, far above the error "
      "estimated on the sample; '{}' has {} there and was taken.",
      stage_words(*first), short_number(std::sqrt(first->all_rows_loo)), stage_words(*chosen),
      short_number(std::sqrt(chosen->all_rows_loo)));
}

}  // namespace

std::string influential_clause(const Model& model) {
  const FitSummary& summary = model.summary;
  if (summary.influential_count == 0 || summary.interpolates()) return {};
  std::vector<std::string> rows;
  for (const InfluentialRow& row : summary.influential_rows) {
    if (rows.size() == most_in_verdict) break;
    std::vector<std::string> names;
    for (const std::size_t feature : row.features)
      names.push_back(fmt::format("'{}'", model.design.features()[feature].name));
    rows.push_back(fmt::format("row {}", grouped(row.row + 1)) +
                   (names.empty() ? "" : fmt::format(" (far out in {})", fmt::join(names, ", "))));
  }
  if (summary.influential_count > rows.size()) rows.emplace_back("and others");
  return fmt::format("{} nearly {} {} own prediction: {}", counted(summary.influential_count, "row"),
                     summary.influential_count == 1 ? "decides" : "decide",
                     summary.influential_count == 1 ? "its" : "their", fmt::join(rows, ", "));
}

std::vector<std::string> row_notes(const table::TableModel& fitted) {
  const FitSummary& summary = fitted.model.summary;
  std::vector<std::string> notes;
  if (summary.influential_count > 0 && !summary.interpolates()) notes.push_back(influential_note(fitted));
  if (std::string simpler = simpler_note(summary); !simpler.empty()) notes.push_back(std::move(simpler));
  return notes;
}

}  // namespace kore::story

#include <fmt/format.h>

#include <cmath>

#include "report/error_charts.hpp"
#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/accuracy.hpp"
#include "story/reliability.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

std::string introduction(const FitSummary& summary) {
  const Accuracy& accuracy = *summary.accuracy;
  std::string text = fmt::format("Measured on new {} ({}).", accuracy.groups > 0 ? "groups" : "rows",
                                 story::how_measured(accuracy));
  const std::string gain = story::gain_over_mean(summary);
  if (!gain.empty()) text += " For comparison, " + gain + ".";
  return text;
}

DataTable groups_table(const table::TableModel& fitted) {
  const Accuracy& accuracy = *fitted.model.summary.accuracy;
  const bool shares = fitted.model.family == "binomial";
  const auto number = [&](double value) {
    return shares ? story::percent(value) : precise(value, accuracy.rmse);
  };
  DataTable table{
      "Left-out rows by their prediction",
      {"rows", "number", "mean prediction", "observed mean", "middle 80 % of observed", "typical error"},
      {}};
  if (shares) table.head = {"rows", "number", "mean prediction", "observed share"};
  for (std::size_t g = 0; g < accuracy.by_prediction.size(); ++g) {
    const PredictionGroup& group = accuracy.by_prediction[g];
    table.rows.push_back({story::part_words(g, accuracy.by_prediction.size()), readable(group.weight),
                          number(group.predicted), number(group.observed)});
    if (shares) continue;
    table.rows.back().emplace_back(fmt::format("{} to {}", number(group.low), number(group.high)));
    table.rows.back().emplace_back(number(group.rmse));
  }
  return table;
}

}  // namespace

Section accuracy_section(const Subject& subject) {
  const Model& model = subject.fitted.model;
  const FitSummary& summary = model.summary;
  Section section{"accuracy", "How far off are predictions?", {}, "Accuracy"};
  if (!summary.accuracy || summary.accuracy->by_prediction.empty()) return section;
  const std::vector<PredictionGroup>& groups = summary.accuracy->by_prediction;
  section.blocks.push_back(Paragraph{introduction(summary)});
  const bool shares = model.family == "binomial";
  section.blocks.push_back(Figure{
      {},
      {},
      {{"Observed against predicted",
        fmt::format(
            "From the smallest predictions, near {}, to the largest, near {}, observed means go from {} "
            "to {}.",
            readable(groups.front().predicted), readable(groups.back().predicted),
            readable(groups.front().observed), readable(groups.back().observed)),
        groups_chart(groups, shares, mean_words(subject.fitted)),
        shares
            ? "One point for each part of the left-out rows, by their prediction. On the dashed line "
              "predictions are right on average."
            : "One point for each part of the left-out rows, by their prediction; the line holds the middle "
              "80 % of the observed values. On the dashed line predictions are right on average."}}});
  section.blocks.push_back(groups_table(subject.fitted));
  return section;
}

}  // namespace kore::report

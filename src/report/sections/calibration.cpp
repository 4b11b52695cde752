#include <fmt/format.h>

#include <cmath>

#include "report/family_charts.hpp"
#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

/// What the targets add up to.
std::string sum_of(const table::TableModel& fitted) {
  if (fitted.model.family == "binomial") return "all " + yes_of(fitted);
  return fitted.model.family == "gamma" ? "the whole amount" : "all events";
}

std::string rows_words(const Observed& seen) {
  const std::string rows = story::counted(seen.rows, "row");
  return seen.training ? fmt::format(
                             "Predictions of the {} of the fit, each predicted without its own target "
                             "(approximately), beside what was observed. The terms and penalties are those "
                             "that these rows chose, so "
                             "that this looks a little better than the figures at the top of the page.",
                             rows)
                       : fmt::format(
                             "Predictions of {} that the model was not fitted to, beside what was "
                             "observed.",
                             rows);
}

Panel calibration_panel(const Subject& subject) {
  const bool shares = subject.fitted.model.family == "binomial";
  const std::vector<Tenth>& tenths = subject.observed->graded->tenths;
  const std::string what = mean_words(subject.fitted);
  return {"Predicted and observed",
          fmt::format("By tenths of the predictions, the {} that was predicted and the one observed: from {} "
                      "and {} to {} and {}.",
                      what, readable(tenths.front().predicted), readable(tenths.front().observed),
                      readable(tenths.back().predicted), readable(tenths.back().observed)),
          calibration_chart(tenths, shares, what),
          "One point for each tenth of the rows, by their prediction, with a 95 % band. On the dashed line "
          "predictions are right on average."};
}

Panel gains_panel(const Subject& subject) {
  const std::string what = sum_of(subject.fitted);
  return {"Gains", fmt::format("The share of {} in the rows with the highest predictions.", what),
          gains_chart(subject.observed->graded->tenths, what),
          "The further above the dashed line, the better predictions tell high rows from low ones."};
}

void add_yes_and_no(Figure& figure, const Graded& graded) {
  const double area = area_under_roc(graded.ranks);
  if (!std::isfinite(area)) return;  // all rows are yes, or all no
  figure.panels.push_back(
      {"ROC", fmt::format("The ROC curve; the area under it is {:.3f}.", area), roc_chart(graded.ranks),
       fmt::format("As the threshold falls. The area is {:.3f}: how often a yes has a higher prediction than "
                   "a no.",
                   area)});
  figure.panels.push_back({"Precision and recall",
                           "The share of yes among the rows above a threshold, as it falls.",
                           precision_chart(graded.ranks), "Dashed: the share of yes among all rows."});
}

DataTable tenths_table(const Subject& subject) {
  const table::TableModel& fitted = subject.fitted;
  const bool shares = fitted.model.family == "binomial";
  const Graded& graded = *subject.observed->graded;
  const auto number = [&](double value) { return shares ? story::percent(value) : readable(value); };
  DataTable table{"By tenths of the predictions, the highest first",
                  {"tenth", fitted.facts.exposure.empty() ? "rows" : "exposure, in average rows",
                   "predicted " + mean_words(fitted), "observed", "95 % interval",
                   "share of " + sum_of(fitted) + " so far"},
                  {}};
  double sum = 0;
  for (const Tenth& tenth : graded.tenths) sum += tenth.weight * tenth.observed;
  double gained = 0;
  for (std::size_t i = graded.tenths.size(); i-- > 0;) {
    const Tenth& tenth = graded.tenths[i];
    const MeanInterval interval = mean_interval(tenth, shares);
    gained += tenth.weight * tenth.observed;
    table.rows.push_back({std::to_string(graded.tenths.size() - i), readable(tenth.weight),
                          number(tenth.predicted), number(tenth.observed),
                          fmt::format("{} to {}", number(interval.lower), number(interval.upper)),
                          story::percent(sum > 0 ? gained / sum : 0)});
  }
  return table;
}

}  // namespace

Section calibration_section(const Subject& subject) {
  const Model& model = subject.fitted.model;
  const bool yes_or_no = model.family == "binomial";
  Section section{
      "calibration", yes_or_no ? "Do probabilities hold?" : "Predicted and observed", {}, "Calibration"};
  if (subject.observed == nullptr || !subject.observed->graded || subject.observed->graded->tenths.empty())
    return section;
  const Graded& graded = *subject.observed->graded;
  section.blocks.push_back(Paragraph{rows_words(*subject.observed)});
  Figure figure{{}, {}, {calibration_panel(subject)}};
  if (yes_or_no) add_yes_and_no(figure, graded);
  if (!graded.counts.empty())
    figure.panels.push_back(
        {"Rootogram", "How many rows have which count, and how many the model expects.",
         rootogram(graded.counts, subject.fitted.model.target),
         "Bars: rows with that count. Points: what the predicted means let expect. More zeros and large "
         "counts than expected: counts vary by more than the family says."});
  figure.panels.push_back(gains_panel(subject));
  section.blocks.push_back(std::move(figure));
  section.blocks.push_back(tenths_table(subject));
  return section;
}

}  // namespace kore::report

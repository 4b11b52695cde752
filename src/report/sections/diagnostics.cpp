#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/drawing.hpp"
#include "report/error_charts.hpp"
#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/accuracy.hpp"
#include "story/effect_grid.hpp"
#include "story/family.hpp"
#include "story/reliability.hpp"
#include "story/text.hpp"
#include "story/verdict.hpp"

namespace kore::report {
namespace {

using story::counted;

constexpr std::size_t columns_beside_errors = 4;
constexpr std::size_t most_panels = 40;

/// Why errors of the rows of the fit differ from those that the page begins with.
std::string why_better(const FitSummary& summary) {
  if (!summary.accuracy || summary.accuracy->how == AccuracySource::leave_one_out) return "";
  return " These rows chose the terms and penalties, so that their errors are a little smaller than those at "
         "the "
         "top of the page, which are to be expected of new rows.";
}

/// Of families other than the normal one.
std::string about_graded_rows(const Subject& subject) {
  const Observed& seen = *subject.observed;
  const std::string whose =
      seen.training ? fmt::format("the {} of the fit, each predicted without its own target (approximately)",
                                  counted(seen.rows, "row"))
                    : fmt::format("{} that the model was not fitted to", counted(seen.rows, "row"));
  const std::string better = seen.training ? why_better(subject.fitted.model.summary) : "";
  const std::string shares =
      fmt::format("{} of the deviance explained", story::percent(seen.graded->explained()));
  if (subject.fitted.model.family == "binomial")
    return fmt::format(
        "The errors below are those of {}: log loss {}, Brier score {}, {}.{} An error is 1 or 0 less the "
        "probability.",
        whose, readable(seen.graded->deviance / 2), readable(seen.mean_square), shares, better);
  return fmt::format("The errors below are those of {}: typically {}, {}.{}", whose,
                     readable(std::sqrt(seen.mean_square)), shares, better);
}

std::string about_rows(const Subject& subject) {
  const Observed& seen = *subject.observed;
  const FitSummary& summary = subject.fitted.model.summary;
  if (story::is_constant(summary))
    return fmt::format(
        "The model predicts the same for every row. The errors below are those of {}: typically {}.",
        counted(seen.rows, "row"), readable(std::sqrt(seen.mean_square)));
  if (seen.graded) return about_graded_rows(subject);
  const double r2 = seen.target_variance > 0 ? 1 - seen.mean_square / seen.target_variance : 0;
  if (seen.training)
    return fmt::format(
        "The errors below are those of the {} of the fit, each predicted by the model fitted to the others "
        "(exact "
        "leave-one-out): typically {}.{}",
        counted(seen.rows, "row"), readable(std::sqrt(seen.mean_square)), why_better(summary));
  return fmt::format(
      "The errors below are those of {} that the model was not fitted to: typically {}, R² {:.3f}.",
      counted(seen.rows, "row"), readable(std::sqrt(seen.mean_square)), r2);
}

Figure shape_of_errors(const Subject& subject) {
  const Observed& seen = *subject.observed;
  const std::string& target = subject.fitted.model.target;
  // Errors of yes and no lie on two lines; calibration says what they mean. No family but the normal one has
  // normal errors.
  const bool yes_or_no = subject.fitted.model.family == "binomial";
  const bool constant = story::is_constant(subject.fitted.model.summary);  // its predictions are one point
  Figure figure{"Errors", {}, {}};
  if (!yes_or_no && !constant)
    figure.panels.push_back(
        {"Against the prediction",
         "Rows counted by prediction and error, with the mean error as a line; level and near zero is good.",
         errors_by_fitted_chart(seen, target),
         seen.by_fitted.outside > 0
             ? fmt::format("{} beyond the edges.",
                           counted(static_cast<std::uint64_t>(std::llround(seen.by_fitted.outside)), "row"))
             : ""});
  if (seen.error_quantiles.size() > 3 && !subject.fitted.model.linked())
    figure.panels.push_back(
        {"Against a normal distribution",
         "Quantiles of the errors against normal ones; on the line, errors are normal.",
         quantile_chart(seen.error_quantiles),
         "Off the line at the ends: rare large errors. Intervals do not assume normal errors."});
  if (!seen.coverage.empty() && has_intervals(subject.fitted) && !constant)
    figure.panels.push_back({"Do intervals hold everywhere?",
                             "Share of the rows within their 90 % interval, from small to large predictions.",
                             coverage_chart(seen.fitted_bins, target),
                             "Below the line, intervals are too narrow there; above it, too wide."});
  if (!seen.leverages.counts.empty())
    figure.panels.push_back({"Leverages",
                             fmt::format("How many rows have which leverage; the largest is {}.",
                                         readable(subject.fitted.model.summary.max_leverage)),
                             leverage_chart(seen.leverages),
                             fmt::format("How far a row decides its own prediction; {} is the mean.",
                                         readable(subject.fitted.model.summary.parameters /
                                                  subject.fitted.model.summary.weight_sum))});
  return figure;
}

DataTable coverage_table(const Observed& seen, bool by_family) {
  DataTable table{!seen.training ? "Intervals on these rows"
                  : by_family    ? "Intervals of the family, on the rows of the fit"
                                 : "Intervals, on the rows they are made from: on the whole they hold by "
                                   "construction",
                  {"interval", "rows within", "width"},
                  {},
                  1,
                  true};
  for (const Coverage& at : seen.coverage)
    table.rows.push_back(
        {fmt::format("{:.0f} %", 100 * at.level), story::percent(at.covered), readable(at.width)});
  return table;
}

Figure errors_by_feature(const Subject& subject) {
  const Model& model = subject.fitted.model;
  Figure figure{"Mean errors along each feature",
                "With 95 % intervals. A pattern here is an effect that the model has missed.",
                {},
                true};
  for (const std::size_t t : story::ranked_terms(subject.shown)) {
    if (subject.shown.terms[t].order() != 1 || figure.panels.size() == most_panels) continue;
    const std::size_t j = subject.shown.terms[t].features[0];
    const std::vector<std::string> levels =
        has_levels(subject.fitted, j) ? level_names(subject.fitted, j) : std::vector<std::string>{};
    const std::string& name = model.design.features()[j].name;
    figure.panels.push_back(
        {shortened(name, 80), "Mean errors along " + name + ".",
         errors_by_feature_chart(
             subject.observed->feature_bins[j],
             {name, units_of(subject.fitted, j), levels,
              are_years(model.design.features()[j], units_of(subject.fitted, j)), single_values(subject, j)}),
         levels.size() > most_error_levels ? fmt::format("The {} of {} levels with the largest mean errors.",
                                                         most_error_levels, levels.size())
                                           : ""});
  }
  return figure;
}

/// A value of a row as in the table: missing, where the encoding has filled in the median.
std::string table_value(const table::TableModel& fitted, std::size_t feature,
                        const std::vector<double>& row) {
  const std::vector<table::EncodedFeature>& features = fitted.encoding.features;
  for (std::size_t j = 0; j < features.size(); ++j)
    if (features[j].column == features[feature].column &&
        features[j].kind == table::EncodedKind::missing_flag && row[j] == 1)
      return "missing";
  return value_text(fitted, feature, row[feature]);
}

/// A target as the table writes it, where it is one of two values.
std::string target_text(const table::TableModel& fitted, double target, double error) {
  const std::vector<std::string> levels = story::target_words(fitted);
  if (levels.size() != 2 || (target != 0 && target != 1)) return precise(target, error);
  return shortened(levels[target == 1 ? 1 : 0], 24);
}

DataTable largest_errors(const Subject& subject) {
  const Model& model = subject.fitted.model;
  std::vector<std::size_t> beside;
  for (const std::size_t t : story::ranked_terms(subject.shown))
    if (subject.shown.terms[t].order() == 1 && beside.size() < columns_beside_errors)
      beside.push_back(subject.shown.terms[t].features[0]);
  DataTable table{subject.fitted.facts.missing_target > 0 && subject.observed->training
                      ? "The largest errors (rows counted from 1, among those with a target)"
                      : "The largest errors (rows counted from 1)",
                  {"row", "observed", "predicted", "error"},
                  {}};
  if (subject.observed->training) table.head.emplace_back("leverage");
  for (const std::size_t j : beside) table.head.push_back(shortened(model.design.features()[j].name, 24));
  const double error = std::sqrt(subject.observed->mean_square);
  for (const LargeError& large : subject.observed->largest) {
    std::vector<Cell> row{story::grouped(large.row), target_text(subject.fitted, large.observed, error),
                          precise(large.predicted, error), precise(large.observed - large.predicted, error)};
    if (subject.observed->training) row.emplace_back(readable(large.leverage));
    for (const std::size_t j : beside)
      row.emplace_back(shortened(table_value(subject.fitted, j, large.features), 24));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

namespace {

/// Whether intervals hold for small and large predictions alike: a check that may fail.
void add_interval_check(Section& section, const FitSummary& summary) {
  const story::IntervalCheck check = story::interval_check(summary);
  if (check.sentence.empty()) return;
  section.blocks.push_back(Callout{check.sentence + ".", check.holds ? Tone::good : Tone::bad});
  const Accuracy& accuracy = *summary.accuracy;
  DataTable table{
      "90 % intervals by predictions: left-out rows within them, where other left-out rows made them",
      {"rows", "mean prediction", "typical error", "within", ""},
      {}};
  for (std::size_t g = 0; g < accuracy.by_prediction.size(); ++g) {
    const PredictionGroup& group = accuracy.by_prediction[g];
    table.rows.push_back(
        {story::part_words(g, accuracy.by_prediction.size()), precise(group.predicted, accuracy.rmse),
         precise(group.rmse, accuracy.rmse), fmt::format("{:.0f} %", 100 * group.covered),
         story::too_narrow(group) ? Cell("too narrow", Tone::bad) : Cell("holds", Tone::good)});
  }
  section.blocks.push_back(std::move(table));
}

/// Rows that nearly decide their own prediction, by name.
void add_influential(Section& section, const table::TableModel& fitted) {
  const FitSummary& summary = fitted.model.summary;
  if (summary.influential_count == 0) {
    section.blocks.push_back(Paragraph{fmt::format(
        "No row decides its own prediction: the largest leverage, the share of a row's own target "
        "in its prediction, is {}.",
        readable(summary.max_leverage))});
    return;
  }
  DataTable table{
      "Rows that nearly decide their own prediction (counted from 1)", {"row", "leverage", "far out in"}, {}};
  for (const InfluentialRow& row : summary.influential_rows) {
    std::string where;
    for (std::size_t i = 0; i < row.features.size(); ++i)
      where += (where.empty() ? "" : ", ") + fmt::format("{} = {}",
                                                         fitted.model.design.features()[row.features[i]].name,
                                                         value_text(fitted, row.features[i], row.values[i]));
    table.rows.push_back(
        {story::grouped(row.row + 1), fmt::format("{:.3f}", row.leverage), where.empty() ? "-" : where});
  }
  section.blocks.push_back(std::move(table));
  if (summary.influential_count > summary.influential_rows.size())
    section.blocks.push_back(
        Paragraph{fmt::format("They are {} in all.", counted(summary.influential_count, "row"))});
}

}  // namespace

Section diagnostics_section(const Subject& subject) {
  const FitSummary& summary = subject.fitted.model.summary;
  Section section{"diagnostics", "Can I rely on it?", {}, "Reliability"};
  if (!summary.additive && !summary.pairwise) return section;
  add_interval_check(section, summary);
  add_influential(section, subject.fitted);
  if (subject.observed == nullptr || subject.observed->rows == 0) {
    section.blocks.push_back(
        Paragraph{"Errors row by row are shown when the report is given the table that the model was fitted "
                  "to, or a new one."});
    return section;
  }
  section.blocks.push_back(Paragraph{about_rows(subject)});
  if (Figure shapes = shape_of_errors(subject); !shapes.panels.empty())
    section.blocks.push_back(std::move(shapes));
  if (!subject.observed->coverage.empty() && has_intervals(subject.fitted))
    section.blocks.push_back(coverage_table(*subject.observed, intervals_by_family(subject.fitted.model)));
  section.blocks.push_back(largest_errors(subject));
  section.blocks.push_back(errors_by_feature(subject));
  return section;
}

}  // namespace kore::report

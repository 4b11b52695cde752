#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/growth.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

/// An error on unseen rows with its standard error, as it is shown: the root of a squared error.
struct ShownError {
  double value = 0;
  double either_way = 0;
};

ShownError shown_error(const FitSummary& summary, const StageSummary& stage) {
  if (summary.null_deviance) return {stage.unseen_loss, stage.unseen_error};
  const double root = std::sqrt(stage.unseen_loss);
  return {root, root > 0 ? stage.unseen_error / (2 * root) : 0};
}

std::vector<StageSummary> judged_stages(const FitSummary& summary) {
  std::vector<StageSummary> judged;
  for (const StageSummary& stage : summary.stages)
    if (std::isfinite(stage.unseen_loss) && std::isfinite(stage.unseen_error)) judged.push_back(stage);
  std::ranges::stable_sort(judged, {}, &StageSummary::terms);
  return judged;
}

Json chart(const FitSummary& summary, const std::vector<StageSummary>& stages) {
  Json rows = Json::array();
  for (const StageSummary& stage : stages) {
    // The mean would flatten all others, unless it is as good.
    if (stage.terms == 0 && stages.size() > 2 && !stage.chosen) continue;
    const ShownError error = shown_error(summary, stage);
    rows.push_back({{"terms", stage.terms},
                    {"model", story::stage_words(stage)},
                    {"error", rounded(error.value)},
                    {"low", rounded(error.value - error.either_way)},
                    {"high", rounded(error.value + error.either_way)},
                    {"taken", stage.chosen ? "chosen" : "other"}});
  }
  Json x = linear("terms", "terms");
  x["axis"]["tickMinStep"] = 1;
  x["axis"]["format"] = "d";
  Json y = linear("error", summary.null_deviance ? "deviance on unseen rows" : "error on unseen rows");
  Json low = y;
  low["field"] = "low";
  const Json tooltip = hints({{"model", "model", ""},
                              {"terms", "terms", ",d"},
                              {"error", "error", ",.4~r"},
                              {"low", "one standard error less", ",.4~r"},
                              {"high", "one more", ",.4~r"}});
  return layered(std::move(rows),
                 {layer({{"type", "rule"}, {"color", colour(1)}, {"opacity", 0.5}, {"strokeWidth", 3}},
                        {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"tooltip", tooltip}}),
                  layer({{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}},
                        {{"x", x},
                         {"y", y},
                         {"color", colours("taken", "", {"other", "chosen"})},
                         {"shape", shapes("taken", "", {"other", "chosen"})},
                         {"tooltip", tooltip}})},
                 240);
}

}  // namespace

Section simplicity_section(const Subject& subject) {
  const FitSummary& summary = subject.fitted.model.summary;
  const std::vector<StageSummary> stages = judged_stages(summary);
  Section section{"simplicity", "How simple can it be?", {}, "Simplicity"};
  if (stages.size() < 2) return section;
  const bool few = std::ranges::any_of(stages, &StageSummary::few_terms);
  std::string text =
      "What each further step buys: the error of each model that competed, on rows that took part in none of "
      "its "
      "choices, with one standard error to both sides.";
  if (summary.simplest)
    text += " The simplest model within one standard error of the best one was asked for.";
  else
    text += fmt::format(
        " To take the simplest model within one standard error of the best{}, fit with --simple "
        "(simple=True in Python); to keep a given number of terms, with --terms (max_terms).",
        few ? "" : ", and to try models of a few terms");
  section.blocks.push_back(Paragraph{text});
  section.blocks.push_back(
      Figure{{}, {}, {{{}, "Errors on unseen rows by the number of terms.", chart(summary, stages)}}});
  DataTable table{"Error against number of terms",
                  {"model", "terms", "effective parameters", summary.null_deviance ? "deviance" : "error",
                   "± one standard error", ""},
                  {}};
  for (const StageSummary& stage : stages) {
    const ShownError error = shown_error(summary, stage);
    table.rows.push_back({story::stage_words(stage), story::grouped(stage.terms), readable(stage.parameters),
                          precise(error.value, error.either_way), readable(error.either_way),
                          stage.chosen ? Cell("chosen", Tone::good) : Cell("")});
  }
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace kore::report

#include "report/sections/growth_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/numbers.hpp"
#include "story/growth.hpp"
#include "story/summary.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

constexpr std::size_t most_listed = 60;

/// Squared errors are shown by their root, deviances as they are.
std::string shown_loss(const FitSummary& summary, double loss) {
  return std::isfinite(loss) ? readable(summary.null_deviance ? loss : std::sqrt(loss)) : "";
}

std::string cost_words(const table::TableModel& fitted) {
  const FitSummary& summary = fitted.model.summary;
  const Options paper = Options::paper();
  return fmt::format(
      "{}, {}; a grid search with 3 folds takes {} fits", story::duration(fitted.facts.seconds),
      story::counted(static_cast<std::uint64_t>(summary.fits), "fit"),
      story::grid_search_fits(summary, paper.max_resolution_additive, paper.max_resolution_pairwise));
}

}  // namespace

DataTable size_table(const table::TableModel& fitted) {
  const Model& model = fitted.model;
  const FitSummary& summary = model.summary;
  DataTable table{"The fit", {"what", ""}, {}, 2};
  table.rows.push_back({"profile", fitted.facts.profile});
  table.rows.push_back(
      {"structure", summary.stages.empty() ? to_string(summary.structure) : story::structure_words(model)});
  table.rows.push_back(
      {"size", fmt::format("{}, {} columns, {} effective parameters",
                           story::counted(model.design.terms().size(), "term"),
                           story::grouped(model.design.columns()), readable(summary.parameters))});
  table.rows.push_back({"time", cost_words(fitted)});
  return table;
}

DataTable stages_table(const FitSummary& summary) {
  const bool judged = story::judged_by_unseen_rows(summary);
  DataTable table{"The models that were compared",
                  {"model", "terms", "columns", "effective parameters",
                   summary.null_deviance ? "leave-one-out deviance" : "leave-one-out error",
                   !judged                 ? "with price"
                   : summary.null_deviance ? "deviance on unseen rows"
                                           : "error on unseen rows",
                   ""},
                  {}};
  for (const StageSummary& stage : summary.stages)
    table.rows.push_back({story::stage_words(stage), story::grouped(stage.terms),
                          story::grouped(stage.columns), readable(stage.parameters),
                          shown_loss(summary, stage.loo),
                          shown_loss(summary, judged ? stage.unseen_loss : stage.loo + stage.price),
                          stage.chosen ? Cell("chosen", Tone::good) : Cell("")});
  return table;
}

DataTable screened_table(const Model& model) {
  DataTable table{
      "Interactions that were screened, pairs before triples, in the order in which they were tried",
      {"features", "gain", "in the model"},
      {},
      1,
      true};
  for (const ScreenedTerm& term : model.summary.screened) {
    if (table.rows.size() == most_listed) break;
    std::string name;
    for (const std::size_t j : term.features)
      name += (name.empty() ? "" : " × ") + model.design.features()[j].name;
    table.rows.push_back({name, readable(term.gain), term.kept ? "yes" : "no"});
  }
  return table;
}

// In the order in which they decide. The paper's check of the pilots concerns fits without penalties.
DataTable checks_table(const Model& model) {
  const FitSummary& summary = model.summary;
  const auto judged = [](bool fine, const char* wanted) {
    return fine ? Cell(wanted, Tone::good) : Cell(wanted, Tone::bad);
  };
  DataTable table{"Checks", {"check", "value", "wanted"}, {}};
  table.rows.push_back(
      {model.linked() ? "share of the deviance explained, of left-out rows" : "R² of left-out rows",
       fmt::format("{:.3f}", summary.loo_r2()), judged(summary.loo_r2() > 0, "above 0")});
  table.rows.push_back({"signal score (gain over the mean, in units of 1.96 standard errors)",
                        readable(summary.signal_score), judged(summary.signal_score > 1, "above 1")});
  table.rows.push_back({"effective parameters per row", readable(summary.parameters / summary.weight_sum),
                        judged(!summary.interpolates(), "below 0.9")});
  table.rows.push_back({"largest leverage of a row", readable(summary.max_leverage), ""});
  if (summary.pilot_check) {
    const PilotCheck& pilots = *summary.pilot_check;
    const bool binding = summary.stages.empty();
    const auto wanted = [&](bool fine, const char* text) { return binding ? judged(fine, text) : Cell(""); };
    table.rows.push_back({"features after encoding", std::to_string(pilots.features),
                          judged(pilots.features <= PilotCheck::most_features, "30 or fewer")});
    table.rows.push_back({"rows per smooth curve", readable(pilots.effective_density), ""});
    table.rows.push_back({"condition number of the pilots", readable(pilots.condition_number),
                          wanted(pilots.condition_number <= 1e6, "1e6 or less")});
    table.rows.push_back({"stability margin of the pilots", readable(pilots.stability_margin),
                          wanted(pilots.stability_margin >= 0.05, "0.05 or more")});
  }
  return table;
}

DataTable ladder_table(const std::vector<ComparedMethod>& compared) {
  DataTable table{"Beside the classical ways to choose a model, on the same rows",
                  {"method", "structure", "score", "G", "fits", "seconds", "value"},
                  {},
                  3};
  for (const ComparedMethod& row : compared)
    table.rows.push_back({row.method, to_string(row.structure), row.meaning, std::to_string(row.resolution),
                          std::to_string(row.fits), readable(row.seconds), readable(row.score)});
  return table;
}

}  // namespace kore::report

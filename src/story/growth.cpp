#include "story/growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "story/accuracy.hpp"
#include "story/text.hpp"

namespace kore::story {
namespace {

std::uint64_t terms_of_order(const Model& model, std::size_t order) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      model.design.terms(), [order](const Term& term) { return term.order() == order; }));
}

/// A standard error of the error on unseen rows: that of a root is half as large in proportion.
std::string plus_or_minus(const FitSummary& summary, const StageSummary& stage) {
  if (!std::isfinite(stage.unseen_error) || !(stage.unseen_loss > 0)) return "";
  return short_number(summary.null_deviance ? stage.unseen_error
                                            : stage.unseen_error / (2 * std::sqrt(stage.unseen_loss)));
}

/// Of a row of the table: the error on unseen rows where these chose, and otherwise the price.
std::string deciding_error(const FitSummary& summary, const StageSummary& stage, bool judged) {
  if (!judged) return loss_text(summary, stage.loo + stage.price);
  return std::isfinite(stage.unseen_loss) ? loss_text(summary, stage.unseen_loss) : "";
}

}  // namespace

std::string stage_words(const StageSummary& stage) {
  if (stage.terms == 0) return "the mean";
  if (stage.few_terms)
    return stage.terms == 1 ? "the term that matters most"
                            : fmt::format("the {} terms that matter most", stage.terms);
  const char* name = stage.structure == Structure::pairwise   ? "with pairs"
                     : stage.structure == Structure::threeway ? "with triples"
                     : stage.lines                            ? "straight lines"
                     : stage.by_value                         ? "with single values"
                                                              : "main effects";
  return std::string(name) + (stage.penalised ? "" : ", no penalty") +
         (stage.shrinkage == 1 ? "" : fmt::format(", shrunk {} times more", short_number(stage.shrinkage)));
}

bool judged_by_unseen_rows(const FitSummary& summary) {
  return std::ranges::any_of(summary.stages,
                             [](const StageSummary& stage) { return std::isfinite(stage.unseen_loss); });
}

std::string structure_words(const Model& model) {
  if (is_constant(model.summary)) return "the mean of the target, whatever the features";
  const std::uint64_t pairs = terms_of_order(model, 2);
  const std::uint64_t triples = terms_of_order(model, 3);
  if (pairs + triples == 0) return "additive";
  std::string words = "main effects with ";
  if (pairs > 0) words += counted(pairs, "pair");
  if (pairs > 0 && triples > 0) words += " and ";
  if (triples > 0) words += counted(triples, "triple");
  return words;
}

std::string stages_text(const FitSummary& summary) {
  if (summary.stages.size() < 2) return {};
  const bool judged = judged_by_unseen_rows(summary);
  const std::string word = loss_word(summary);
  std::vector<std::vector<std::string>> rows{
      {"  structure", "terms", "columns", "parameters",
       "LOO " + word + (summary.scaled_variance ? " on its scale" : ""),
       judged ? "unseen " + word : "with price", judged ? "±" : "", ""}};
  for (const StageSummary& stage : summary.stages)
    rows.push_back({"  " + stage_words(stage), grouped(stage.terms), grouped(stage.columns),
                    short_number(stage.parameters), loss_text(summary, stage.loo),
                    deciding_error(summary, stage, judged), judged ? plus_or_minus(summary, stage) : "",
                    stage.chosen ? "chosen" : ""});
  return aligned(rows);
}

std::vector<DataForecast> forecasts(const Model& model) {
  const FitSummary& summary = model.summary;
  std::vector<Feature> varying = model.design.features();
  std::erase_if(varying,
                [](const Feature& feature) { return feature.range.lowest == feature.range.highest; });
  const BasisCount size = basis_count(varying, {}, model.design.degree());
  if (!summary.additive || !summary.additive->law.usable() || size.order() == 0) return {};
  std::vector<DataForecast> found;
  for (const double factor : {1.0, 2.0, 4.0})
    found.push_back(forecast(summary.additive->law, size, summary.weight_sum, size.degree + 1.0, factor));
  return found;
}

std::string forecast_text(const Model& model) {
  const std::vector<DataForecast> found = forecasts(model);
  if (found.empty()) return {};
  return fmt::format(
      "twice the rows would leave {} of the main effects' squared error above the noise, four times the rows "
      "{} (as the law expects)",
      percent(found[1].excess / found[0].excess), percent(found[2].excess / found[0].excess));
}

}  // namespace kore::story

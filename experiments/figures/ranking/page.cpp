#include <array>
#include <charconv>

#include "experiments/claims.hpp"
#include "experiments/figures/ranking/charts.hpp"
#include "experiments/figures/rows.hpp"

namespace kore::experiments {
namespace {

using report::Figure;
using report::Paragraph;
using report::Section;

std::vector<std::string> present(const Ranking& ranking, std::initializer_list<const char*> names) {
  std::vector<std::string> found;
  for (const char* name : names)
    if (ranking.lift_panel.has(name)) found.emplace_back(name);
  return found;
}

/// The paper's choice where all of it was run, otherwise those that come nearest.
std::vector<std::string> strongest_rivals(const Ranking& ranking) {
  std::vector<std::string> paper = present(ranking, {"knn", "kernel_ridge_rbf", "bic_spline", "gcv_spline"});
  return paper.size() == 4 ? paper : nearest_rivals(ranking, 4);
}

std::string two_digits(double value) {
  std::array<char, 32> buffer{};
  return {
      buffer.data(),
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 2).ptr};
}

std::string alpha_text(const Ranking& ranking) { return fixed(ranking.options.alpha, 2); }

Section ranks_section(const Ranking& ranking, const nlohmann::json& friedman) {
  const double difference = friedman.at("cd_textbook").get<double>();
  const std::string numbers =
      "Friedman\u2019s test: chi-square " + fixed(friedman.at("friedman_stat").get<double>(), 3) +
      ", p = " + two_digits(friedman.at("friedman_p").get<double>()) + ". Mean ranks that are closer than " +
      fixed(difference, 2) +
      " are not told apart at 5 % by Nemenyi\u2019s test. (The published difference is larger by the root of "
      "two: " +
      fixed(friedman.at("cd").get<double>(), 2) + ".)";
  const Figure figure{
      "Mean ranks",
      "A method left of the dashed line is not told apart from the best. Beside it: groups within which "
      "nobody is told apart.",
      {{"Ranks", "Mean rank of every method with its bootstrap interval.", rank_chart(ranking, difference)},
       {"Groups", "Groups of methods whose mean ranks are closer than the critical difference.",
        group_chart(ranking, difference)}}};
  return {"ranks", "Who is ahead", {Paragraph{numbers}, figure}};
}

Section tests_section(const Ranking& ranking) {
  const std::string& reference = ranking.options.reference;
  return {
      "tests",
      reference + " against each method",
      {Paragraph{
           "Wilcoxon\u2019s signed-rank test over all splits, adjusted by Holm. Splits of one data set "
           "share most of their rows, so that these p-values are smaller than independent ones would be."},
       Figure{"One against one",
              "Right of the dashed line: told apart at 5 %. The smallest p-values are cut at 1e-30.",
              {{"At alpha = " + alpha_text(ranking),
                "Adjusted p-values of every method against the reference.", significance_chart(ranking)},
               {"Over the weight of the time",
                "How many methods are better and worse than the reference as time counts more.",
                alpha_chart(ranking)}}}}};
}

Section cost_section(const Ranking& ranking, const std::vector<NamedTable>& tables) {
  const Table& all = summary_named(tables, "real_data_pareto.csv");
  const Table& subset = summary_named(tables, "real_data_subset.csv");
  const std::vector<ShownColumn> columns{{"method", "method"},
                                         {"gm_rmse_ratio", "RMSE ratio", 3},
                                         {"total_fit_time_s", "seconds", 1},
                                         {"total_n_fits", "fits"},
                                         {"n_datasets_won", "data sets with a smaller error"},
                                         {"n_datasets_total", "of"}};
  const std::string limit = fixed(ranking.options.most_features, 0);
  report::DataTable shown =
      shown_table("Errors over those of " + ranking.options.reference + ", at most " + limit + " features",
                  subset, columns);
  report::DataTable whole = shown_table("The same on all data sets", all, columns);
  whole.folded = true;
  return {"cost",
          "What accuracy costs",
          {Figure{"Error against time",
                  "Geometric means over data sets. Below and left of the lines: better and quicker than " +
                      ranking.options.reference + ".",
                  {{"At most " + limit + " features", "Error ratio against time ratio, small data sets.",
                    pareto_chart(ranking, subset)},
                   {"All data sets", "Error ratio against time ratio, all data sets.",
                    pareto_chart(ranking, all)}}},
           std::move(shown), std::move(whole)}};
}

Section size_section(const Ranking& ranking, const RankingPageOptions& options) {
  const bool given = !options.sizes.empty();
  const Sizes sizes = given ? options.sizes : training_rows(ranking);
  const std::string label = given ? options.size_label : "training rows";
  return {"size",
          "Rows and features",
          {Figure{"Where " + ranking.options.reference + " stands",
                  "Data sets in four classes by the quartiles of the " + label +
                      "; the thin lines are the other methods. Right: one point per data set.",
                  {{"Mean rank by size", "Mean rank of every method in classes of size.",
                    size_chart(ranking, ranks_by_size(ranking, sizes))},
                   {"Rank by features", "Rank of the reference against the number of features.",
                    feature_chart(ranking)}}}}};
}

Section datasets_section(const Ranking& ranking) {
  const std::string rival = ranking.lift_panel.has("knn") && ranking.options.reference != "knn"
                                ? "knn"
                                : nearest_rivals(ranking, 1).front();
  const LiftWins wins = count_wins(lift_pairs(ranking, rival));
  const std::string& reference = ranking.options.reference;
  const std::string text = reference + " has the larger lift on " + std::to_string(wins.reference) +
                           " data sets, " + rival + " on " + std::to_string(wins.other) + "; " +
                           std::to_string(wins.tied) + " are tied.";
  return {"datasets",
          "Data set by data set",
          {Paragraph{text},
           Figure{reference + " and " + rival,
                  "Above the dashed line " + reference + " has the larger lift.",
                  {{"", "Lift of the reference against lift of a rival.", duel_chart(ranking, rival)}}},
           Figure{"Lift ratios",
                  "Right of the dashed line " + reference +
                      " has the larger lift. Lift below 0.001 counts as 0.001.",
                  {{"", "Lift ratios to four methods on every data set.",
                    ratio_chart(ranking, strongest_rivals(ranking))}}}}};
}

void add_selectors(std::vector<Section>& sections, const Ranking& ranking) {
  const std::vector<std::string> selectors =
      present(ranking, {"aic_spline", "gcv_spline", "cp_spline", "bic_spline", "cv_spline"});
  if (selectors.empty()) return;
  sections.push_back(
      {"selectors",
       "Other ways to select within the same class",
       {Figure{
           "Lift ratios to the classical selectors",
           "One point per data set; lift below 0.001 counts as 0.001, and diamonds are medians. In brackets: "
           "data sets on which " +
               ranking.options.reference + " has the larger lift.",
           {{"", "Lift ratios to the classical selectors.", selector_chart(ranking, selectors)}}}}});
}

Section failures_section(const Ranking& ranking, const std::vector<NamedTable>& tables) {
  return {"failures",
          "Failures and memory",
          {shown_table("Where " + ranking.options.reference + " loses most",
                       summary_named(tables, "real_data_failure_modes.csv"),
                       {{"dataset", "data set"},
                        {"d", "features", 0},
                        {"log_ratio_vs_classical", "log ratio, best criterion", 3},
                        {"log_ratio_vs_booster", "log ratio, best booster", 3},
                        {"structural_explanation", "remark"}}),
           shown_table("How often a method fell back", summary_named(tables, "method_failure_fractions.csv"),
                       {{"method", "method"},
                        {"used_defaults_frac", "share of cells with default parameters", 3},
                        {"used_constant_predictor_frac", "share of cells where the mean predicted", 3},
                        {"n_cells", "cells"}}),
           Figure{"Memory",
                  "Open: the median cell, filled: the largest.",
                  {{"", "Peak memory of every method.", memory_chart(ranking)}}}}};
}

}  // namespace

report::Page ranking_page(const Ranking& ranking, const RankingPageOptions& options) {
  const std::vector<NamedTable> tables = ranking_tables(ranking);
  const nlohmann::json friedman = friedman_summary(ranking);
  const Panel& panel = ranking.lift_panel;
  report::Page page{
      "Many methods on real data",
      {Paragraph{
          std::to_string(panel.methods.size()) + " methods on " + std::to_string(panel.datasets.size()) +
          " data sets. Methods are ranked by their lift: the share of variance "
          "explained beyond " +
          ranking.options.baseline + ", over (1 + seconds) to the power " + alpha_text(ranking) + "."}},
      {}};
  for (const std::string& method : ranking.dropped)
    page.lead.emplace_back(Paragraph{"Not ranked, because cells are missing: " + method + "."});
  page.sections = {ranks_section(ranking, friedman), tests_section(ranking), cost_section(ranking, tables),
                   size_section(ranking, options), datasets_section(ranking)};
  add_selectors(page.sections, ranking);
  page.sections.push_back(failures_section(ranking, tables));
  return page;
}

}  // namespace kore::experiments

#pragma once

#include <string>
#include <vector>

#include "experiments/study.hpp"
#include "report/page.hpp"
#include "report/resolution_chart.hpp"

/// The paper's figures of synthetic results: tables of results in, charts out. Each file holds the figures of
/// one study.
namespace kore::experiments {

/// A figure and the claims it bears on, named by how their text begins.
struct StudyFigure {
  report::Figure figure;
  std::vector<std::string> claims;
};

/// What a page shows of a study.
struct Showing {
  std::string setting;  ///< What was run, in a few sentences.
  std::vector<StudyFigure> figures;
  std::vector<report::DataTable> tables;
};

/// From a study's rows and its summaries.
using Show = Showing (*)(const Table& table, const std::vector<NamedTable>& summaries);

Showing show_law(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_frontier(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_benchmark(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_discovery(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_robustness(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_scaling(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_noise(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_degree(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_consistency(const Table& table, const std::vector<NamedTable>& summaries);
Showing show_concentration(const Table& table, const std::vector<NamedTable>& summaries);

// The charts themselves. Those of a summary take the table of that name.

report::Json collapse_chart(const Table& law, const std::string& family, double slope);
report::Json cost_chart(const Table& frontier_summary);
report::Json task_ratio_chart(const Table& frontier_summary);
report::Json method_ratio_chart(const Table& method_summary);
report::Json equation_ratio_chart(const Table& benchmark_summary);
report::Json equation_speedup_chart(const Table& benchmark_summary);
report::Json forest_chart(const Table& benchmark_summary);
report::Json discovery_chart(const Table& discovery, const std::string& column, double threshold);
report::Json robustness_error_chart(const Table& robustness);
report::Json robustness_ratio_chart(const Table& robustness);
report::Json speedup_chart(const Table& scaling);
report::Json scaling_ratio_chart(const Table& scaling);
report::Json noise_chart(const Table& noise_summary, const std::string& column, double reference);
report::Json degree_chart(const Table& degree);
report::Json recovery_chart(const Table& consistency_summary, const std::string& constant);
report::Json plug_in_chart(const Table& consistency_summary);
report::Json concentration_chart(const Table& concentration, const std::string& constant);

/// A small fit whose resolution is solved for, with the errors at all other resolutions beside it.
report::SolvedResolution solved_example(int threads);
/// The conceptual figure of that fit.
report::Figure solving_figure(const report::SolvedResolution& solved);

}  // namespace kore::experiments

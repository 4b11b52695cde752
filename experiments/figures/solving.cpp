#include <algorithm>

#include "experiments/benchmarks.hpp"
#include "experiments/claims.hpp"
#include "experiments/figures/figures.hpp"
#include "experiments/selectors.hpp"
#include "select/family.hpp"

// The paper's conceptual figure, with the numbers of a real fit instead of drawn curves.
namespace kore::experiments {
namespace {

constexpr const char* equation_name = "Nguyen-5";
constexpr std::size_t rows = 200;
constexpr double noise_fraction = 0.05;
constexpr std::uint64_t seed = 2026;
constexpr int grid_end = 20;

/// One coordinate and noise enough for an optimum inside the grid.
Problem problem() {
  const std::vector<Benchmark> suite = benchmark_suite();
  const auto equation =
      std::ranges::find_if(suite, [](const Benchmark& known) { return known.target.name == equation_name; });
  return {make_dataset(equation->target, rows, 1, noise_fraction, seed, equation->ranges), {}};
}

}  // namespace

report::SolvedResolution solved_example(int threads) {
  const Problem task = problem();
  report::SolvedResolution solved;
  const MemorySource source(task.train(), task.data.y_train);
  FamilySettings settings;
  settings.features = features_of(task);
  settings.threads = threads;
  FamilyFits fits(source, settings);
  ResolutionCurve curve = fits.curve(static_cast<double>(rows));
  solved.selection = select_resolution(curve, SelectorOptions{});
  solved.size = fits.size();
  solved.n = static_cast<double>(rows);
  solved.beta = settings.degree + 1;
  for (int resolution = 1; resolution <= grid_end; ++resolution)
    solved.others[resolution] = curve.loo(resolution);
  return solved;
}

report::Figure solving_figure(const report::SolvedResolution& solved) {
  const Selection& found = solved.selection;
  report::Figure figure;
  figure.title = "Two fits, two constants, one solution";
  figure.caption =
      "One equation (" + std::string(equation_name) + "), " + std::to_string(rows) +
      " rows, 5 % noise, fitted for this page. First: exact leave-one-out errors. The two pilots determine "
      "the dashed curve, the star is its "
      "solution at G = " +
      fixed(found.plug_in, 2) +
      ", the certificate around it ends at G = " + std::to_string(found.resolution) + " after " +
      std::to_string(found.fits) +
      " fits; a search would have measured every point. Second: what the law makes of the pilots.";
  figure.panels.push_back(
      {"What is measured",
       "Leave-one-out errors by resolution with the two pilots, the certificate and the solved resolution.",
       report::measured_chart(solved)});
  if (found.law.usable())
    figure.panels.push_back({"What is solved",
                             "Squared bias falls and variance rises with the resolution; their sum is least "
                             "at the solved resolution.",
                             report::law_chart(solved)});
  return figure;
}

}  // namespace kore::experiments

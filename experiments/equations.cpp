#include "experiments/equations.hpp"

#include <chrono>
#include <cmath>

#include "experiments/benchmarks.hpp"
#include "experiments/seeds.hpp"
#include "experiments/selectors.hpp"
#include "kore/kore.hpp"

namespace kore::experiments {
namespace {

/// Rows that count how often they are read.
class CountedRows final : public RowSource {
 public:
  explicit CountedRows(const MemorySource& rows) : rows_(rows) {}
  std::size_t columns() const override { return rows_.columns(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override {
    ++passes_;
    rows_.for_each_block(visit);
  }
  int passes() const { return passes_; }

 private:
  const MemorySource& rows_;
  mutable int passes_ = 0;
};

Problem problem_of(const Benchmark& equation, std::uint64_t seed) {
  const std::uint64_t cell = cell_seed({3, benchmark_id(equation.target.name), seed});
  return {make_dataset(equation.target, equation.train_rows, 3000, 0.01, cell, equation.ranges),
          equation.target.pairs};
}

EquationResult run(const Benchmark& equation, std::uint64_t seeds, int threads) {
  EquationResult result{equation.target.name};
  double cross_validated = 0;
  double own = 0;
  double published = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Problem problem = problem_of(equation, seed);
    cross_validated += select_by_cross_validation(problem, seed, threads).rmse;
    const Outcome paper = select_by_kore(problem, threads);
    published += paper.rmse;
    result.fits += paper.fits;
    Options options;
    options.threads = threads;
    options.pair_choice = problem.pairs.empty() ? PairChoice::none : PairChoice::given;
    options.pairs.assign(problem.pairs.begin(), problem.pairs.end());
    const MemorySource rows(problem.train(), problem.data.y_train);
    const CountedRows counted(rows);
    const auto start = std::chrono::steady_clock::now();
    const Model model = fit(counted, options);
    result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.passes += counted.passes();
    own += test_rmse(problem, predict(model, problem.test()));
  }
  result.default_ratio = own / cross_validated;
  result.paper_ratio = published / cross_validated;
  for (double* mean : {&result.fits, &result.passes, &result.seconds}) *mean /= static_cast<double>(seeds);
  return result;
}

}  // namespace

std::vector<EquationResult> run_equations(std::uint64_t seeds, int threads) {
  std::vector<EquationResult> results;
  for (const Benchmark& equation : benchmark_suite()) results.push_back(run(equation, seeds, threads));
  return results;
}

double geometric_mean(const std::vector<EquationResult>& results) {
  double logs = 0;
  for (const EquationResult& result : results) logs += std::log(result.default_ratio);
  return std::exp(logs / static_cast<double>(results.size()));
}

}  // namespace kore::experiments

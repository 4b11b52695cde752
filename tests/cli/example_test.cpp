// `kore example`: the equations of the paper as tables.
#include "cli/run_command.hpp"
#include "experiments/benchmarks.hpp"
#include "experiments/datasets.hpp"
#include "experiments/seeds.hpp"

namespace kore {
namespace {

using test::csv_numbers;

class ExampleTest : public test::CommandTest {};

TEST_F(ExampleTest, GivesTheRowsOfThePaperForEveryEquation) {
  for (const experiments::Benchmark& benchmark : experiments::benchmark_suite()) {
    const std::string& name = benchmark.target.name;
    SCOPED_TRACE(name);
    const std::string out = kore({"example", name, "--seed", "3"}).out;
    const experiments::Dataset expected = experiments::make_dataset(
        benchmark.target, benchmark.train_rows, 0, 0.01,
        experiments::cell_seed({3, experiments::benchmark_id(name), 3}), benchmark.ranges);
    EXPECT_EQ(csv_numbers(out, "y"), expected.y_train);
    const std::size_t d = benchmark.target.dimension;
    std::vector<double> last;
    for (std::size_t r = 0; r < benchmark.train_rows; ++r) last.push_back(expected.x_train[r * d + d - 1]);
    EXPECT_EQ(csv_numbers(out, "x" + std::to_string(d)), last);
  }
}

TEST_F(ExampleTest, TakesShortNamesRowsSeedsAndNoise) {
  const auto lines = test::csv_lines(kore({"example", "friedman-1", "--n", "17"}).out);
  EXPECT_EQ(lines.size(), 17U);
  EXPECT_EQ(lines[0].size(), 6U) << "five features and y";
  EXPECT_EQ(kore({"example", "FRIEDMAN-1", "--n", "17"}).out,
            kore({"example", "friedman-1", "--n", "17"}).out);
  EXPECT_NE(kore({"example", "franke", "--n", "5", "--seed", "1"}).out,
            kore({"example", "franke", "--n", "5", "--seed", "2"}).out);
  EXPECT_NE(kore({"example", "franke", "--n", "5", "--noise", "0.5"}).out,
            kore({"example", "franke", "--n", "5"}).out);
}

TEST_F(ExampleTest, WritesFilesThatCanBeFitted) {
  kore({"example", "franke", "--n", "200", "-o", "franke.parquet"});
  const auto fit = kore({"fit", "franke.parquet", "--target", "y", "--json"}).json();
  EXPECT_EQ(fit.at("n"), 200);
  EXPECT_EQ(fit.at("structure"), "pairwise") << "Franke's function is no sum of curves";
}

TEST_F(ExampleTest, SuggestsTheNearestName) {
  const auto outcome = run({"example", "fridman-1"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_SAYS(outcome.err, "Did you mean 'friedman-1'?");
  EXPECT_SAYS(outcome.err, "sparsepair-10d");
}

TEST_F(ExampleTest, RefusesRowsAndNoiseThatCannotBe) {
  for (const char* bad : {"--n=0", "--n=-5", "--n=many", "--noise=-1", "--seed=x"}) {
    const auto outcome = run({"example", "franke", bad});
    EXPECT_EQ(outcome.status, 2) << bad;
    EXPECT_EQ(outcome.out, "") << bad;
    EXPECT_LT(outcome.err.size(), 200U) << outcome.err;
  }
}

}  // namespace
}  // namespace kore

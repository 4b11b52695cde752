#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>

#include "cli/commands.hpp"
#include "cli/whole_number.hpp"
#include "duckdb/writer.hpp"
#include "experiments/benchmarks.hpp"
#include "experiments/datasets.hpp"
#include "experiments/seeds.hpp"
#include "kore/column_choice.hpp"
#include "kore/error.hpp"

namespace kore::cli {
namespace {

using experiments::Benchmark;

struct ExampleArguments {
  std::string name;
  std::size_t rows = 0;
  std::uint64_t seed = 0;
  double noise = 0.01;
  std::string output = "-";
};

// "Friedman-1 (5D)" as a person types it: "friedman-1".
std::string short_name(const std::string& name) {
  std::string result = name.substr(0, name.find(" ("));
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return result;
}

Benchmark find(const std::string& name) {
  for (Benchmark& benchmark : experiments::benchmark_suite())
    if (short_name(benchmark.target.name) == short_name(name)) return std::move(benchmark);
  const std::vector<std::string> names = example_names();
  const std::string nearest = table::nearest_name(short_name(name), names);
  const std::string listed = fmt::format("{}", fmt::join(names, ", "));
  if (nearest.empty())
    throw Error(ErrorCode::invalid_argument, "unknown_example",
                "There is no example '{example}'. The examples are {examples}.",
                {{"example", name}, {"examples", listed}});
  throw Error(ErrorCode::invalid_argument, "unknown_example",
              "There is no example '{example}'. Did you mean '{nearest}'? The examples are {examples}.",
              {{"example", name}, {"nearest", nearest}, {"examples", listed}});
}

void run(const ExampleArguments& arguments) {
  const Benchmark benchmark = find(arguments.name);
  const std::size_t rows = arguments.rows > 0 ? arguments.rows : benchmark.train_rows;
  const std::size_t d = benchmark.target.dimension;
  const experiments::Dataset data = experiments::make_dataset(
      benchmark.target, rows, 0, arguments.noise,
      experiments::cell_seed({3, experiments::benchmark_id(benchmark.target.name), arguments.seed}),
      benchmark.ranges);
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns(d);
  for (std::size_t j = 0; j < d; ++j) {
    names.push_back("x" + std::to_string(j + 1));
    for (std::size_t r = 0; r < rows; ++r) columns[j].push_back(data.x_train[r * d + j]);
  }
  names.emplace_back("y");
  columns.push_back(data.y_train);
  duckdb::Writer writer(arguments.output, std::move(names));
  const std::vector<std::span<const double>> views(columns.begin(), columns.end());
  writer.append(views);
  writer.finish();
}

}  // namespace

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : experiments::benchmark_suite())
    names.push_back(short_name(benchmark.target.name));
  return names;
}

void add_example(CLI::App& app) {
  auto arguments = std::make_shared<ExampleArguments>();
  CLI::App* command = app.add_subcommand("example", "A benchmark equation of the paper as a table");
  command
      ->add_option("NAME", arguments->name, "nguyen-1, friedman-1, franke, oscillator, sparsepair-10d, ...")
      ->required();
  command->add_option("--n", arguments->rows, "Rows (default: the paper's)")
      ->check(whole_number(1, 100'000'000));
  command->add_option("--seed", arguments->seed, "Seed (default 0; the paper used 0 to 4)")
      ->check(whole_number(0, 4294967295));
  command
      ->add_option("--noise", arguments->noise, "Noise as a share of the target's deviation (default 0.01)")
      ->check(CLI::Range(0.0, 1000.0));
  command->add_option("-o,--output", arguments->output,
                      "A .csv or .parquet file (default: CSV on the standard output)");
  command->footer("Example:  kore example friedman-1 -o friedman.csv && kore fit friedman.csv --target y");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

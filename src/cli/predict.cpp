#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "data/input_files.hpp"
#include "data/scoring.hpp"
#include "data/table.hpp"
#include "data/writer.hpp"
#include "kore/table_model.hpp"

namespace kore::cli {
namespace {

struct PredictArguments {
  std::string model;
  std::string data;
  std::string output = "-";
  std::optional<double> interval;
  std::vector<std::string> keep;
  int threads = 0;
  bool quiet = false;
};

std::vector<std::string> inputs_of(const PredictArguments& arguments, const data::Table& table) {
  std::vector<std::string> files = data::input_files(table);
  files.push_back(arguments.model);
  return files;
}

void run(const PredictArguments& arguments) {
  const data::TableModel fitted = data::load_table_model(arguments.model);
  std::optional<IntervalOffsets> offsets;
  std::vector<std::string> columns{"prediction"};
  if (arguments.interval) {
    offsets = interval_offsets(fitted.model, *arguments.interval);
    columns.insert(columns.end(), {"lower", "upper"});
  }
  const int threads = resolve_threads(arguments.threads);
  data::ReadOptions reading;
  reading.threads = static_cast<unsigned>(threads);
  reading.text_columns = data::category_names(fitted.encoding);
  reading.keep_rows = false;
  const data::Table table = data::open_table(arguments.data, reading);
  refuse_input_as_output(arguments.output, inputs_of(arguments, table));
  data::Writer writer(arguments.output, columns, table, arguments.keep);
  const data::Encoder encoder(fitted.encoding);

  ProgressLine progress(arguments.quiet || arguments.output == "-");
  std::uint64_t done = 0;
  std::array<std::vector<double>, 3> values;
  const data::EncodeCounts counts =
      data::for_each_scoring_block(table, encoder, arguments.keep, [&](const data::ScoringBlock& block) {
        for (auto& column : values) column.resize(block.x.rows());
        predict(fitted.model, block.x, values[0], threads, done);
        std::vector<std::span<const double>> views{values[0]};
        if (offsets) {
          for (std::size_t r = 0; r < values[0].size(); ++r) {
            values[1][r] = values[0][r] + offsets->lower;
            values[2][r] = values[0][r] + offsets->upper;
          }
          views.insert(views.end(), {values[1], values[2]});
        }
        writer.append(views, block.kept);
        done += block.x.rows();
        progress.show(counted(done, "row"));
      });
  writer.finish();
  progress.clear();
  if (arguments.quiet) return;
  for (const std::string& warning : data::encode_warnings(fitted.encoding, counts))
    fmt::print(stderr, "kore: {}\n", warning);
  if (arguments.output != "-")
    fmt::print("{} of '{}' predicted in {}\n", counted(done, "row"), fitted.model.target, arguments.output);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "Predict the rows of a table with a saved model");
  command->add_option("MODEL", arguments->model, "A model saved by 'kore fit -o'")->required();
  command->add_option("DATA", arguments->data, "A table, as in 'kore fit'; columns are matched by name")
      ->required();
  command->add_option("-o,--output", arguments->output,
                      "A .csv or .parquet file (default: CSV on the standard output)");
  command->add_option(
      "--interval", arguments->interval,
      "Also columns lower and upper that cover the target with this probability, such as 0.9");
  command->add_option("--keep", arguments->keep, "Columns of DATA to repeat in the output (a,b)")
      ->delimiter(',');
  command->add_option("--threads", arguments->threads, "Threads; 0: all cores");
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors and predictions");
  command->footer("Example:  kore predict cars.kore new.csv --interval 0.9 --keep id -o predicted.parquet");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

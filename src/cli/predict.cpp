#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/scoring.hpp"
#include "story/accuracy.hpp"

namespace kore::cli {
namespace {

struct PredictArguments {
  ScoringArguments table;
  std::optional<double> interval;
  bool outside = false;
};

/// Predictions, and interval ends and counts of columns outside the training range if asked for.
class Predictions final : public RowScores {
 public:
  Predictions(const Model& model, const PredictArguments& arguments)
      : model_(model), threads_(resolve_threads(arguments.table.threads)), outside_(arguments.outside) {
    if (arguments.interval) offsets_ = interval_offsets(model_, *arguments.interval);
  }

  std::vector<std::string> columns() const override {
    std::vector<std::string> names{"prediction"};
    if (offsets_) names.insert(names.end(), {"lower", "upper"});
    if (outside_) names.emplace_back("outside");
    return names;
  }

  std::vector<std::span<const double>> of(const MatrixView& x, const std::optional<ColumnView>& exposure,
                                          std::size_t first_row) override {
    for (auto& column : values_) column.resize(x.rows());
    predict(model_, x, values_[0], threads_, first_row);
    if (exposure)
      for (std::size_t r = 0; r < x.rows(); ++r) values_[0][r] *= (*exposure)[r];
    std::vector<std::span<const double>> columns{values_[0]};
    if (offsets_) {
      add_intervals(widening(model_, x));
      columns.insert(columns.end(), {values_[1], values_[2]});
    }
    if (outside_) {
      std::ranges::copy(outside_count(model_, x), values_[3].begin());
      columns.emplace_back(values_[3]);
    }
    return columns;
  }

 private:
  void add_intervals(const std::vector<double>& widening) {
    for (std::size_t r = 0; r < widening.size(); ++r) {
      const TargetInterval interval = interval_around(model_, *offsets_, values_[0][r], widening[r]);
      values_[1][r] = interval.lower;
      values_[2][r] = interval.upper;
    }
  }

  const Model& model_;
  int threads_;
  bool outside_;
  std::optional<IntervalOffsets> offsets_;
  std::array<std::vector<double>, 4> values_;
};

void run(const PredictArguments& arguments) {
  const table::TableModel fitted = table::load_table_model(arguments.table.model);
  Predictions predictions(fitted.model, arguments);
  std::vector<std::string> warnings;
  if (arguments.interval) {
    const std::string warning = story::interval_warning(fitted.model, *arguments.interval);
    if (!warning.empty()) warnings.push_back(warning);
  }
  score_table(arguments.table, fitted, predictions, "predicted", warnings);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "Predict the rows of a table with a saved model");
  add_scoring_options(*command, arguments->table);
  command->add_option(
      "--interval", arguments->interval,
      "Also columns lower and upper: an interval that covers the target with this probability, such as 0.9");
  command->add_flag("--outside", arguments->outside,
                    "Also a column outside: in how many columns the row lies outside the training range");
  command->footer("Example:  kore predict cars.kore new.csv --interval 0.9 --keep id -o predicted.parquet");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

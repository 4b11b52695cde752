#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
#include "cli/scoring.hpp"
#include "kore/class_model.hpp"
#include "kore/error.hpp"
#include "story/accuracy.hpp"
#include "table/predict_rows.hpp"

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
  Predictions(const table::TableModel& fitted, const PredictArguments& arguments)
      : model_(fitted.model),
        predict_(fitted, arguments.interval, resolve_threads(arguments.table.threads)),
        outside_(arguments.outside) {}

  std::vector<std::string> columns() const override {
    std::vector<std::string> names{"prediction"};
    if (predict_.has_intervals()) names.insert(names.end(), {"lower", "upper"});
    if (outside_) names.emplace_back("outside");
    return names;
  }

  std::vector<std::span<const double>> of(const MatrixView& x, const std::optional<ColumnView>& known,
                                          std::size_t first_row) override {
    rows_ = predict_(x, known, first_row);
    std::vector<std::span<const double>> columns{rows_.prediction};
    if (predict_.has_intervals()) columns.insert(columns.end(), {rows_.lower, rows_.upper});
    if (outside_) {
      const std::vector<std::size_t> counts = outside_count(model_, x);
      outside_counts_.assign(counts.begin(), counts.end());
      columns.emplace_back(outside_counts_);
    }
    return columns;
  }

 private:
  const Model& model_;
  table::RowPredictor predict_;
  bool outside_;
  table::RowPredictions rows_;
  std::vector<double> outside_counts_;
};

/// The most probable class of each row and the probability of every class.
class ClassPredictions final : public RowScores {
 public:
  ClassPredictions(const table::ClassModel& model, const PredictArguments& arguments)
      : model_(model), threads_(resolve_threads(arguments.table.threads)), outside_(arguments.outside) {}

  std::vector<std::string> columns() const override {
    std::vector<std::string> names{"class"};
    for (const std::string& name : model_.classes) names.push_back("probability:" + name);
    if (outside_) names.emplace_back("outside");
    return names;
  }
  std::map<std::string, std::vector<std::string>> labels() const override {
    return {{"class", model_.classes}};
  }

  std::vector<std::span<const double>> of(const MatrixView& x, const std::optional<ColumnView>& /*known*/,
                                          std::size_t first_row) override {
    probabilities_ = predict_classes(model_, x, threads_, first_row);
    class_.resize(x.rows());
    for (std::size_t r = 0; r < x.rows(); ++r) class_[r] = static_cast<double>(most_probable(r));
    std::vector<std::span<const double>> columns{class_};
    columns.insert(columns.end(), probabilities_.begin(), probabilities_.end());
    if (outside_) {
      const std::vector<std::size_t> counts = outside_count(model_.models.front().model, x);
      outside_counts_.assign(counts.begin(), counts.end());
      columns.emplace_back(outside_counts_);
    }
    return columns;
  }

 private:
  std::size_t most_probable(std::size_t row) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < probabilities_.size(); ++k)
      if (probabilities_[k][row] > probabilities_[best][row]) best = k;
    return best;
  }

  const table::ClassModel& model_;
  int threads_;
  bool outside_;
  std::vector<std::vector<double>> probabilities_;
  std::vector<double> class_;
  std::vector<double> outside_counts_;
};

void predict_class_table(const PredictArguments& arguments, const table::ClassModel& model) {
  if (arguments.interval)
    throw Error(
        ErrorCode::invalid_argument, "interval_of_classes",
        "--interval is about numbers. This model tells classes apart, and predicts the probability of "
        "each.");
  ClassPredictions predictions(model, arguments);
  score_table(arguments.table, model.models.front(), predictions, "predicted");
}

void run(const PredictArguments& arguments) {
  if (const auto classes = load_classes(arguments.table.model))
    return predict_class_table(arguments, *classes);
  const table::TableModel fitted = table::load_table_model(arguments.table.model);
  Predictions predictions(fitted, arguments);
  std::vector<std::string> warnings;
  if (arguments.interval && fitted.model.family != "binomial") {
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
      "Also columns lower and upper: an interval that covers the target with this probability, such as 0.9; "
      "of yes or no, a band that covers the true probability");
  command->add_flag("--outside", arguments->outside,
                    "Also a column outside: in how many columns the row lies outside the training range");
  command->footer("Example:  kore predict cars.kore new.csv --interval 0.9 --keep id -o predicted.parquet");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

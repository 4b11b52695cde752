#include <memory>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
#include "cli/scoring.hpp"
#include "story/explanation.hpp"
#include "table/predict_rows.hpp"

namespace kore::cli {
namespace {

struct ExplainArguments {
  ScoringArguments table;
  std::string class_name;
  bool raw = false;
};

/// The prediction of each row, the sum of its terms, and what the constant and each term add to it.
class Contributions final : public RowScores {
 public:
  Contributions(const table::TableModel& fitted, bool raw, int threads)
      : fitted_(fitted),
        model_(fitted.model),
        shown_(raw ? as_fitted(model_) : decomposition(model_)),
        threads_(resolve_threads(threads)) {}

  std::vector<std::string> columns() const override { return story::explanation_columns(shown_); }

  std::vector<std::span<const double>> of(const MatrixView& x, const std::optional<ColumnView>& known,
                                          std::size_t first_row) override {
    explained_ = explain(model_, shown_, x, threads_, first_row);
    if (known)
      for (std::size_t r = 0; r < x.rows(); ++r)
        explained_.predictions[r] =
            table::with_known_part(fitted_.facts, explained_.predictions[r], (*known)[r]);
    constants_.assign(x.rows(), explained_.constant);
    std::vector<std::span<const double>> columns{explained_.predictions, explained_.sums, constants_};
    columns.insert(columns.end(), explained_.contributions.begin(), explained_.contributions.end());
    return columns;
  }

 private:
  const table::TableModel& fitted_;
  const Model& model_;
  Decomposition shown_;
  int threads_;
  Explanation explained_;
  std::vector<double> constants_;
};

void run(const ExplainArguments& arguments) {
  const table::TableModel fitted = load({arguments.table.model, arguments.class_name});
  Contributions contributions(fitted, arguments.raw, arguments.table.threads);
  score_table(arguments.table, fitted, contributions, "explained");
}

}  // namespace

void add_explain(CLI::App& app) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand(
      "explain", "What each effect adds to the predictions of a table, with a saved model");
  add_scoring_options(*command, arguments->table);
  add_class(*command, arguments->class_name);
  command->add_flag("--raw", arguments->raw,
                    "Terms as they were fitted. Otherwise what a simpler effect can say, over the training "
                    "rows, is moved there from interactions");
  command->footer("Example:  kore explain cars.kore new.csv --keep id -o explained.csv");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli

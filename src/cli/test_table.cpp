#include "cli/test_table.hpp"

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "fit/held_out.hpp"
#include "story/accuracy.hpp"
#include "story/text.hpp"

namespace kore::cli {

TestErrors errors_on(const RowsOfTable& table, const table::TableModel& fitted,
                     const OutputAndModel& others) {
  const std::unique_ptr<RowSource> rows = read_rows(table, fitted, others);
  const int threads = resolve_threads(table.threads);
  HeldOut seen;
  rows->for_each_block([&](const RowBlock& block) {
    std::vector<double> predictions(block.rows());
    predict(fitted.model, block.x, predictions, threads, seen.size());
    for (std::size_t r = 0; r < block.rows(); ++r) seen.add(block.y[r], predictions[r], block.weight(r));
  });
  return {table.data, accuracy_of(seen, *response_of(fitted.model))};
}

std::string test_line(const TestErrors& test, const FitSummary& summary) {
  const std::string line = fmt::format("{} on {} of '{}'", story::error_words(test.accuracy),
                                       story::counted(test.accuracy.rows, "row"), test.data);
  if (!summary.accuracy || test.accuracy.family || !(summary.accuracy->rmse > 0)) return line;
  return line +
         fmt::format(", an RMSE of {:.2f} times the stated one", test.accuracy.rmse / summary.accuracy->rmse);
}

story::Json test_json(const TestErrors& test) {
  const Accuracy& errors = test.accuracy;
  story::Json json{{"data", test.data},
                   {"rows", errors.rows},
                   {"rmse", story::number(errors.rmse)},
                   {"mae", story::number(errors.mae)},
                   {"r2", story::number(errors.r2)}};
  if (const auto& family = errors.family) {
    json["deviance_explained"] = story::number(family->explained());
    json["log_loss"] = story::number(family->log_loss);
    json["auc"] = story::number(family->auc);
  }
  return json;
}

}  // namespace kore::cli

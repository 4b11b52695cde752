#include <optional>

#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "pass/shared_passes.hpp"
#include "table/one_class.hpp"
#include "table/training.hpp"

namespace kore::table {
namespace {

/// Left-out rows given the models, where those of the referee are not the same rows for all classes.
LeftOutClasses left_out_given_models(const ClassModel& model, const RowSource& rows, int threads) {
  LeftOutClasses all;
  for (std::size_t k = 0; k < model.models.size(); ++k) {
    const OneClass one(rows, k);
    const std::vector<double> residuals = loo_residuals(one, model.models[k].model, threads);
    HeldOutRows left_out;
    one.for_each_block([&](const RowBlock& block) {
      for (std::size_t r = 0; r < block.rows(); ++r) {
        left_out.prediction.push_back(block.y[r] - residuals[left_out.target.size()]);
        left_out.target.push_back(block.y[r]);
        left_out.weight.push_back(block.weight(r));
      }
    });
    all.classes.push_back(std::move(left_out));
  }
  return all;
}

/// Solves for the coupling and states the errors, both from left-out rows.
void judge(LeftOutClasses rows, const RowSource& source, int threads, ClassModel& model) {
  const std::optional<Accuracy>& stated = model.models.front().model.summary.accuracy;
  AccuracySource how = stated ? stated->how : AccuracySource::leave_one_out;
  if (!rows.agree()) {
    rows = left_out_given_models(model, source, threads);
    how = AccuracySource::leave_one_out;
  }
  model.coupling = solve_coupling(rows);
  model.accuracy = class_accuracy(rows, model.coupling);
  model.accuracy.how = how;
}

}  // namespace

std::vector<std::string> levels_of_class(const std::string& name) { return {"not " + name, name}; }

ClassModel train_classes(const Preparation& prepared, const RowSource& rows, const Options& options,
                         const FrontFacts& front) {
  ClassModel model;
  model.classes = prepared.summary.target_levels;
  std::vector<std::optional<TableModel>> models(model.classes.size());
  LeftOutClasses left_out;
  left_out.classes.resize(model.classes.size());
  std::vector<FitOfSource> fits;
  for (std::size_t k = 0; k < model.classes.size(); ++k)
    fits.emplace_back([&, k](const RowSource& source) {
      Preparation of_class = prepared;
      of_class.summary.target_levels = levels_of_class(model.classes[k]);
      Options settings = options;
      settings.held_out_rows = [&](const HeldOutRows& found) { left_out.classes[k] = found; };
      models[k] = train(of_class, OneClass(source, k), settings, front);
    });
  if (rows.in_memory())
    for (const FitOfSource& fit : fits) fit(rows);
  else
    share_passes(rows, fits);
  for (std::optional<TableModel>& one : models) model.models.push_back(std::move(one).value());
  judge(std::move(left_out), rows, options.threads, model);
  return model;
}

}  // namespace kore::table

#include "kore/fit.hpp"

#include "base/parallel.hpp"
#include "fit/method.hpp"
#include "fit/refit.hpp"
#include "pass/shifted_source.hpp"

namespace kore {

Model fit(const RowSource& source, const Options& options, const Names& names) {
  return std::visit([&](const auto& method) { return fit_by(method, source, options, names); },
                    options.method);
}

Model fit(const MatrixView& x, std::span<const double> y, const Options& options, const Names& names) {
  return fit(MemorySource(x, y), options, names);
}

Diagnosis diagnose(const RowSource& source, const Options& options, const Names& names) {
  Options competing = options;
  competing.structure = StructureChoice::automatic;
  return std::visit([&](const auto& method) { return diagnose_by(method, source, competing, names); },
                    competing.method);
}

std::vector<double> loo_residuals(const RowSource& source, const Model& model, int threads) {
  const int members = resolve_threads(threads);
  const Smoother smoother = refit(source, model, members);
  const std::optional<RowWeighing> weighing = weighing_of(model);
  const double shift = model.summary.target_shift;
  const TargetScale scale = model.target_scale;
  std::vector<double> residuals;
  ShiftedSource(source, TargetShift{shift, 1, scale}).for_each_block([&](const RowBlock& block) {
    const std::size_t first = residuals.size();
    residuals.resize(first + block.rows());
    WorkingMemory memory;
    if (weighing) weighing->working_rows(block, members, memory);
    const RowCounts counts = weighing && !model.linked() ? RowCounts(memory.weights) : block.weights;
    smoother.press({block.x, block.y, counts, block.groups}, members,
                   {std::span(residuals).subspan(first), {}});
    if (model.linked())
      for (std::size_t r = 0; r < block.rows(); ++r) {
        double& residual = residuals[first + r];
        residual = block.y[r] - carried_prediction(model, memory.target[r] - residual);
      }
    if (scale == TargetScale::identity) return;
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const double value = block.y[r] + shift;
      double& residual = residuals[first + r];
      residual = from_scale(scale, value) - carried_prediction(model, value - residual);
    }
  });
  return residuals;
}

}  // namespace kore

// The classical selectors as methods that predict: they choose among the same splines as KORE.
#include "kore/ladder.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/bindings.hpp"
#include "kore/statistics.hpp"
#include "select/family.hpp"
#include "stats/linear_form.hpp"

namespace kore::python {
namespace {

using DenseMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

MatrixView view_of(const DenseMatrix& matrix) {
  return MatrixView::row_major({matrix.data(), matrix.size()}, matrix.shape(0), matrix.shape(1));
}

std::vector<Feature> features_of(const RowBlock& rows) {
  RangeAccumulator ranges(rows.x.columns());
  ranges.add(rows);
  std::vector<Feature> features;
  for (const auto& range : ranges.ranges()) features.push_back({"", range, FeatureKind::spline});
  return features;
}

LadderChoice choose(const MemorySource& source, const std::string& method,
                    const std::vector<Feature>& features, const LadderOptions& options) {
  const std::vector<FeaturePair> pairs = all_pairs(features.size());
  if (method == "cv") return cross_validate(source.block(), pairs, options);
  for (LadderChoice& choice : criteria_ladder(source, features, pairs, options))
    if (choice.method == method) return std::move(choice);
  throw std::invalid_argument("method must be 'cv', 'gcv', 'cp', 'aic' or 'bic', got '" + method + "'");
}

std::vector<double> predictions_of(const LadderChoice& choice, const MemorySource& source,
                                   std::vector<Feature> features, const MatrixView& x, int threads) {
  FamilySettings settings;
  settings.structure = choice.structure;
  if (choice.structure == Structure::pairwise) settings.pairs = all_pairs(features.size());
  settings.features = std::move(features);
  settings.threads = threads;
  const Fitted fit = FamilyFits(source, std::move(settings)).take_without_leverages(choice.resolution);
  std::vector<double> predictions(x.rows());
  evaluate_rows(fit.smoother.design(), fit.smoother.intercept(), fit.smoother.coefficients(),
                Extrapolation::continue_polynomial, x, predictions, threads);
  return predictions;
}

/// Predictions at `x_new`, structure, resolution and fits.
std::tuple<Result, std::string, int, int> spline_ladder(const DenseMatrix& x, const DenseNumbers& y,
                                                        const DenseMatrix& x_new, const std::string& method,
                                                        std::uint32_t seed, int threads) {
  if (x.shape(0) != y.size() || x.shape(1) != x_new.shape(1))
    throw std::invalid_argument("x, y and x_new do not belong together");
  LadderOptions options;  // the grids of the study on real data
  options.lowest = 2;
  options.max_resolution_additive = 20;
  options.max_resolution_pairwise = 8;
  options.seed = seed;
  options.threads = threads;
  const MemorySource source(view_of(x), span_of(y));
  LadderChoice choice;
  std::vector<double> predictions;
  {
    const nb::gil_scoped_release unlocked;
    const std::vector<Feature> features = features_of(source.block());
    choice = choose(source, method, features, options);
    predictions = predictions_of(choice, source, features, view_of(x_new), threads);
  }
  return {to_numpy(std::move(predictions)), choice.structure == Structure::pairwise ? "pairwise" : "additive",
          choice.resolution, choice.fits};
}

}  // namespace

void bind_ladder(nb::module_& module) {
  module.def("spline_ladder", &spline_ladder, nb::arg("x"), nb::arg("y"), nb::arg("x_new"), nb::arg("method"),
             nb::arg("seed"), nb::arg("threads"),
             "A classical selector over the full grid: predictions at x_new, structure, resolution, fits.");
}

}  // namespace kore::python

// A model file in memory: whatever is accepted is used for everything that a model is used for.
#include <algorithm>
#include <cstdlib>

#include "fuzz/mutation.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"
#include "kore/table_model.hpp"
#include "report/model_json.hpp"
#include "report/model_report.hpp"
#include "story/effect_grid.hpp"
#include "story/json.hpp"
#include "story/summary.hpp"

namespace kore::fuzz {
namespace {

/// Rows inside and outside the ranges of the features, and some that are levels.
std::vector<double> points_for(const Model& model, std::size_t rows) {
  std::vector<double> points;
  for (const Feature& feature : model.design.features())
    for (std::size_t r = 0; r < rows; ++r) {
      const double share = -0.5 + 2.0 * static_cast<double>(r) / static_cast<double>(rows - 1);
      const double length = feature.range.highest - feature.range.lowest;
      const double point = feature.range.lowest + share * length;
      points.push_back(r % 5 == 4 ? static_cast<double>(r) : std::clamp(point, -1e300, 1e300));
    }
  return points;
}

/// Runs work that may refuse what it is asked, but nothing else.
template <class Work>
void allow_refusal(const Work& work) {
  try {
    work();
  } catch (const Error&) {
  }
}

void use(const Model& model) {
  constexpr std::size_t rows = 8;
  const std::vector<double> points = points_for(model, rows);
  const auto x = MatrixView::column_major(points, rows, model.design.features().size());
  allow_refusal([&] {
    const std::vector<double> predicted = predict(model, x);
    const std::vector<double> wide = widening(model, x);
    outside_count(model, x);
    const IntervalOffsets offsets = interval_offsets(model, 0.9);
    for (std::size_t r = 0; r < rows; ++r) interval_around(model, offsets, predicted[r], wide[r]);
  });
  anova_constant(model);
  largest_level(model);
  for (std::size_t t = 0; t < model.design.terms().size(); ++t)
    allow_refusal([&] {
      std::vector<double> point;
      for (const std::size_t j : model.design.terms()[t].features) point.push_back(points[j * rows + 2]);
      term_value(model, t, point);
      effect_error(model, t, point);
    });
  // What was read can be written, and read again as the same.
  const std::vector<std::byte> written = to_bytes(model);
  if (to_bytes(model_from_bytes(written)) != written) std::abort();
}

void use(const table::TableModel& fitted) {
  story::describe(fitted);
  story::fit_json(fitted).dump();
  report::model_json({fitted}).dump();
  const Decomposition shown = decomposition(fitted.model);
  for (std::size_t t = 0; t < shown.terms.size(); ++t)
    allow_refusal([&] {
      const story::EffectGrid grid = story::effect_grid(fitted, shown, t, {7, 4, 2});
      for (std::size_t row = 0; row < grid.values.size(); ++row) {
        for (std::size_t f = 0; f < grid.coordinates.size(); ++f) grid.text(f, row);
        if (!grid.errors.empty()) grid.upper(row);
      }
    });
  allow_refusal([&] { report::to_html(report::model_page({fitted})); });
  if (to_bytes(table::table_model_from_bytes(to_bytes(fitted))) != to_bytes(fitted)) std::abort();
}

}  // namespace
}  // namespace kore::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kore;
  fuzz::count_execution();
  try {
    const Model model = model_from_bytes(fuzz::bytes_of(data, size));
    fuzz::count_use();
    fuzz::use(model);
    const table::TableModel fitted = table::table_model_from_bytes(fuzz::bytes_of(data, size));
    fuzz::use(fitted);
  } catch (const Error&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  return kore::fuzz::mutate_envelope(data, size, most, seed);
}

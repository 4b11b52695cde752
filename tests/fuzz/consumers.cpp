#include "fuzz/consumers.hpp"

#include <algorithm>
#include <cmath>

#include "export/export.hpp"
#include "fuzz/uses.hpp"
#include "kore/encoder.hpp"
#include "report/model_report.hpp"
#include "story/effects_json.hpp"
#include "story/explanation.hpp"
#include "story/summary.hpp"
#include "story/terms_table.hpp"

namespace kore::fuzz {
namespace {

constexpr std::size_t rows = 8;

/// Rows inside and outside the ranges of the features, and some that are levels.
std::vector<double> points_for(const Model& model) {
  std::vector<double> points;
  for (const Feature& feature : model.design.features())
    for (std::size_t r = 0; r < rows; ++r) {
      const double share = -0.5 + 2.0 * static_cast<double>(r) / static_cast<double>(rows - 1);
      const double length = feature.range.highest - feature.range.lowest;
      const double point = feature.range.lowest + share * length;
      const bool level = r % 5 == 4 || feature.kind == FeatureKind::category;
      points.push_back(level ? static_cast<double>(r % 5) : std::clamp(point, -1e300, 1e300));
    }
  return points;
}

void predict_rows(const Model& model, const MatrixView& x, Share& share) {
  consume("predictions and intervals", [&] {
    const std::vector<double> predicted = predict(model, x);
    const std::vector<double> wide = widening(model, x);
    outside_count(model, x);
    const IntervalOffsets offsets = interval_offsets(model, 0.9);
    for (std::size_t r = 0; r < rows; ++r) interval_around(model, offsets, predicted[r], wide[r]);
  });
  if (share.one_in(4)) consume("bands of probabilities", [&] { probability_bands(model, x, 0.9); });
  if (!share.one_in(4)) return;
  for (const Decomposition& shown : {as_fitted(model), decomposition(model)})
    consume("contributions of rows", [&] { explain(model, shown, x); });
}

void ask_terms(const Model& model, std::span<const double> points) {
  for (std::size_t t = 0; t < model.design.terms().size(); ++t)
    consume("terms and their errors", [&] {
      std::vector<double> point;
      for (const std::size_t j : model.design.terms()[t].features) point.push_back(points[j * rows + 2]);
      term_value(model, t, point);
      effect_error(model, t, point);
    });
}

void write_exports(const table::TableModel& fitted, Share& share) {
  using namespace portable;
  allow_refusal([&] {
    const Portable model = portable_of(fitted);
    if (share.one_in(4)) consume("export to JSON", [&] { to_json(model); });
    if (share.one_in(4)) consume("export to C", [&] { to_c(model); });
    if (share.one_in(4)) consume("export to ONNX", [&] { to_onnx(model); });
    for (const SqlDialect dialect :
         {SqlDialect::duckdb, SqlDialect::postgres, SqlDialect::sqlite, SqlDialect::spark})
      if (share.one_in(16)) consume("export to SQL", [&] { to_sql(model, {dialect}); });
  });
}

void write_effects(const table::TableModel& fitted) {
  for (const Decomposition& shown : {as_fitted(fitted.model), decomposition(fitted.model)}) {
    consume("effects as JSON", [&] { story::effects_json(fitted, shown, {5, 3, 2}, false).dump(); });
    consume("table of effects", [&] {
      story::terms_table(shown, 3);
      story::column_shares(fitted, shown);
    });
    for (std::size_t t = 0; t < shown.terms.size(); ++t)
      consume("grids of effects", [&] {
        const story::EffectGrid grid = story::effect_grid(fitted, shown, t, {5, 3, 2});
        for (std::size_t row = 0; row < grid.values.size(); ++row)
          for (std::size_t f = 0; f < grid.coordinates.size(); ++f) grid.text(f, row);
      });
  }
}

/// The page, alone and with rows. Its scripts are always the same, so that they are left out here.
void write_report(const table::TableModel& fitted, const MatrixView& x) {
  consume("report", [&] { report::model_page({fitted}).model.dump(); });
  consume("report with rows", [&] {
    const std::vector<double> y(x.rows(), 1.0);
    const MemorySource source{x, y};
    const report::Observed observed = report::observe(source, fitted.model, 1);
    report::model_page({fitted, &observed});
  });
}

}  // namespace

void use(const Model& model, Share share) {
  const std::vector<double> points = points_for(model);
  predict_rows(model, MatrixView::column_major(points, rows, model.design.features().size()), share);
  ask_terms(model, points);
  consume("facts of a model", [&] {
    anova_constant(model);
    largest_level(model);
    rows_behind_intervals(model);
  });
  if (!share.one_in(4)) return;
  expect_same_again(to_bytes(model), model_from_bytes);
  count_use("written and read again", true);
}

void use(const table::TableModel& fitted, Share share) {
  if (share.one_in(8)) consume("summary", [&] { story::describe(fitted); });
  if (share.one_in(8)) consume("summary as JSON", [&] { story::fit_json(fitted).dump(); });
  if (share.one_in(16)) write_effects(fitted);
  if (share.one_in(16)) write_exports(fitted, share);
  if (share.one_in(4)) {
    expect_same_again(to_bytes(fitted), table::table_model_from_bytes);
    count_use("written and read again, of a table", true);
  }
  if (!share.one_in(128)) return;
  const std::vector<double> points = points_for(fitted.model);
  write_report(fitted, MatrixView::column_major(points, rows, fitted.model.design.features().size()));
}

}  // namespace kore::fuzz

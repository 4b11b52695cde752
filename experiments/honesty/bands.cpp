#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "experiments/averages.hpp"
#include "experiments/honesty/cells.hpp"
#include "experiments/honesty/parts.hpp"
#include "experiments/honesty/stated.hpp"
#include "experiments/random/generator.hpp"
#include "kore/fit.hpp"

namespace kore::experiments::honesty {
namespace {

constexpr std::size_t rows = 200;
constexpr std::size_t features = 5;
constexpr std::size_t points = 200;
constexpr std::size_t repeats_per_strength = 200;
constexpr std::array<std::size_t, 4> strengths{0, 1, 2, 3};
constexpr double noise = 0.5;
constexpr double fewest_covered = 0.9;

/// Of the least-squares slope of a feature that is uniform on [0, 1], whose variance is 1/12.
double slope_error() { return noise / std::sqrt(static_cast<double>(rows) / 12.0); }

double curve(double x) { return std::sin(2 * std::numbers::pi * x); }

/// What a band says of one effect: the share of the points at which it covers the truth, and its width.
struct BandTruth {
  double covered = 0;
  double width = 0;  ///< Mean over the points.
};

/// `effect` is centred over the training values `x`, as main effects of a model are.
template <class Effect>
BandTruth band_truth(const Model& model, std::size_t feature, std::span<const double> x, Effect effect) {
  std::vector<double> values;
  for (const double value : x) values.push_back(effect(value));
  const double centre = mean(values);
  const double lowest = quantile(x, 0.025);
  const double step = (quantile(x, 0.975) - lowest) / (points - 1);
  BandTruth truth;
  for (std::size_t i = 0; i < points; ++i) {
    const double point = lowest + step * static_cast<double>(i);
    const Interval band = main_effect_band(model, feature, point);
    truth.covered += band.covers(effect(point) - centre) ? 1.0 / points : 0.0;
    truth.width += (band.upper - band.lower) / points;
  }
  return truth;
}

struct BandCell {
  std::size_t strength = 0;  ///< The slope in standard errors of least squares.
  std::size_t repeat = 0;
  BandTruth line = {};
  BandTruth curved = {};
  bool has_line = false;

  void run() {
    Generator generator(10'000 * (strength + 1) + repeat);
    const std::vector<double> x = generator.uniform(0, 1, rows * features);
    std::vector<double> y = generator.normal(0, noise, rows);
    const double slope = static_cast<double>(strength) * slope_error();
    for (std::size_t r = 0; r < rows; ++r) y[r] += slope * x[r] + curve(x[rows + r]);
    Options options;
    options.threads = 1;
    const Model model = fit(MatrixView::column_major(x, rows, features), y, options);
    has_line = has_main_effect(model, 0);
    line = band_truth(model, 0, std::span(x).first(rows), [&](double value) { return slope * value; });
    curved = band_truth(model, 1, std::span(x).subspan(rows, rows), curve);
  }
};

/// The mean width of the band of a least-squares line with known noise over the same points: it grows with
/// the distance from the middle, which is 0.95 / 4 on average.
double line_width() { return 2 * 1.96 * slope_error() * 0.95 / 4; }

struct BandSummary {
  std::vector<double> covered, width, has_line, curve_covered;

  void add(const BandCell& cell) {
    covered.push_back(cell.line.covered);
    width.push_back(cell.line.width / line_width());
    has_line.push_back(cell.has_line ? 1 : 0);
    curve_covered.push_back(cell.curved.covered);
  }
};

void keep(const std::vector<BandCell>& cells, const Settings& settings) {
  Table table{{"t", "repeat", "covered", "width", "has_term", "curve_covered", "curve_width"}, {}};
  for (const BandCell& cell : cells)
    table.rows.push_back(row_of({cell.strength, cell.repeat, cell.line.covered, cell.line.width,
                                 cell.has_line, cell.curved.covered, cell.curved.width}));
  keep_cells("bands", table, settings);
}

constexpr const char* explanation =
    R"(A weak linear effect: 200 rows, five features uniform on [0, 1], `y = slope x1 + sin(2 pi x2) + 0.5 noise`.
The slope is `t` standard errors of least squares with known noise. At 200 evenly spaced points between the
2.5 % and 97.5 % quantiles of `x1` the 95 % band of its main effect either covers the true effect or not;
both are centred over the training rows. A model without the term says that the effect is exactly zero: its
band covers nothing but zero. *Width* is that of the band over the width of the band of a least-squares
line. *In the model* is the share of fits with the term. The last column is the same coverage for the effect
of `x2`. {} repeats; repeat `r` is `default_rng(10000 (t + 1) + r)`: features column by column, then the
noise.

)";

}  // namespace

Section bands_part(const Settings& settings) {
  std::vector<BandCell> cells;
  for (const std::size_t strength : strengths)
    for (std::size_t repeat = 0; repeat < settings.repeats(repeats_per_strength); ++repeat)
      cells.push_back({strength, repeat});
  run_cells("bands", cells.size(), settings, [&](std::size_t i) { cells[i].run(); });
  keep(cells, settings);
  MarkdownTable table({"t", "covered", "width", "in the model", "curve covered"});
  Section section{"Bands of effects", ""};
  for (const std::size_t strength : strengths) {
    BandSummary summary;
    for (const BandCell& cell : cells)
      if (cell.strength == strength) summary.add(cell);
    const double covered = mean(summary.covered);
    table.add({std::to_string(strength), fmt::format("{:.3f}", covered),
               fmt::format("{:.2f}", mean(summary.width)), fmt::format("{:.2f}", mean(summary.has_line)),
               fmt::format("{:.3f}", mean(summary.curve_covered))});
    if (strength > 0)
      section.promises.push_back({fmt::format("95 % bands of a weak line cover, t = {}", strength),
                                  "at least 0.90", fmt::format("{:.3f}", covered),
                                  covered >= fewest_covered});
  }
  section.text =
      fmt::format(fmt::runtime(explanation), settings.repeats(repeats_per_strength)) + table.text();
  return section;
}

}  // namespace kore::experiments::honesty

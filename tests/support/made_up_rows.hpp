#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore::test {

/// Numbers in [0, 1) that are the same on every platform.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : engine_(seed) {}
  double operator()() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * (*this)(); }

 private:
  std::mt19937_64 engine_;
};

/// A table that owns its numbers, column by column. Weights and groups may be empty.
struct Rows {
  std::size_t count = 0;
  std::size_t columns = 0;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> weights;
  std::vector<double> groups = {};

  double& at(std::size_t row, std::size_t column) { return x[column * count + row]; }
  double at(std::size_t row, std::size_t column) const { return x[column * count + row]; }

  MatrixView view() const { return MatrixView::column_major(x, count, columns); }
  RowBlock block() const { return {view(), y, weights, groups}; }
  MemorySource source() const { return {view(), y, weights, groups}; }

  /// The given rows, in the given order; a row may be taken more than once.
  Rows pick(std::span<const std::size_t> rows) const {
    Rows picked{rows.size(), columns, {}, {}, {}};
    for (std::size_t j = 0; j < columns; ++j)
      for (const std::size_t r : rows) picked.x.push_back(at(r, j));
    for (const std::size_t r : rows) picked.y.push_back(y[r]);
    if (!weights.empty())
      for (const std::size_t r : rows) picked.weights.push_back(weights[r]);
    if (!groups.empty())
      for (const std::size_t r : rows) picked.groups.push_back(groups[r]);
    return picked;
  }
  Rows slice(std::size_t first, std::size_t length) const {
    std::vector<std::size_t> rows;
    for (std::size_t r = first; r < first + length; ++r) rows.push_back(r);
    return pick(rows);
  }
  Rows with_column(std::size_t position, const std::vector<double>& values) const {
    Rows wider = *this;
    wider.x.insert(wider.x.begin() + static_cast<std::ptrdiff_t>(position * count), values.begin(),
                   values.end());
    ++wider.columns;
    return wider;
  }
  std::vector<double> column(std::size_t j) const {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(j * count);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  /// Spline features over the ranges of the columns.
  std::vector<Feature> features() const {
    std::vector<Feature> all;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::vector<double> values = column(j);
      const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
      all.push_back({"", {*lowest, *highest}, FeatureKind::spline});
    }
    return all;
  }
};

/// Uniform features; a target with a smooth main effect of every feature, an interaction of the first two,
/// and some noise.
inline Rows made_up_rows(std::size_t count, std::size_t columns, std::uint64_t seed, double noise = 0.1) {
  Uniform uniform(seed);
  Rows rows{count, columns, std::vector<double>(count * columns), std::vector<double>(count), {}};
  for (double& value : rows.x) value = uniform();
  for (std::size_t r = 0; r < count; ++r) {
    rows.y[r] = 2 + noise * uniform.between(-std::numbers::sqrt3, std::numbers::sqrt3);
    for (std::size_t j = 0; j < columns; ++j)
      rows.y[r] += std::sin((3.0 + static_cast<double>(j)) * rows.at(r, j)) / (1.0 + static_cast<double>(j));
    if (columns > 1) rows.y[r] += std::cos(4 * rows.at(r, 0)) * rows.at(r, 1);
  }
  return rows;
}

/// Weights that are neither equal nor whole: from 0.2 to 1.8.
inline std::vector<double> uneven_weights(std::size_t count, std::uint64_t seed) {
  Uniform uniform(seed);
  std::vector<double> weights(count);
  for (double& weight : weights) weight = uniform.between(0.2, 1.8);
  return weights;
}

}  // namespace kore::test

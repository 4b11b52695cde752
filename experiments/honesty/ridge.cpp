#include "experiments/honesty/ridge.hpp"

#include <cmath>
#include <limits>

#include "experiments/averages.hpp"
#include "kore/solve.hpp"
#include "solve/dense.hpp"

namespace kore::experiments::honesty {
namespace {

/// The standardised rows, row by row, and the sums that every penalty shares.
struct Standardised {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> means;
  std::vector<double> deviations;
  std::vector<double> values;
  std::vector<double> gram;
  std::vector<double> products;  ///< With the centred target.
  double target_mean = 0;

  std::span<const double> row(std::size_t r) const { return std::span(values).subspan(r * columns, columns); }
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void find_scales(Standardised& s, const MatrixView& x) {
  for (std::size_t j = 0; j < s.columns; ++j) {
    double sum = 0;
    for (std::size_t r = 0; r < s.rows; ++r) sum += x(r, j);
    s.means.push_back(sum / static_cast<double>(s.rows));
    double squares = 0;
    for (std::size_t r = 0; r < s.rows; ++r) squares += (x(r, j) - s.means[j]) * (x(r, j) - s.means[j]);
    const double deviation = std::sqrt(squares / static_cast<double>(s.rows));
    s.deviations.push_back(deviation > 0 ? deviation : 1.0);
  }
}

Standardised standardise(const MatrixView& x, std::span<const double> y) {
  Standardised s;
  s.rows = x.rows();
  s.columns = x.columns();
  s.target_mean = mean(y);
  find_scales(s, x);
  s.gram.assign(s.columns * s.columns, 0.0);
  s.products.assign(s.columns, 0.0);
  for (std::size_t r = 0; r < s.rows; ++r) {
    for (std::size_t j = 0; j < s.columns; ++j) s.values.push_back((x(r, j) - s.means[j]) / s.deviations[j]);
    const std::span<const double> row = s.row(r);
    for (std::size_t j = 0; j < s.columns; ++j) {
      s.products[j] += row[j] * (y[r] - s.target_mean);
      for (std::size_t k = 0; k < s.columns; ++k) s.gram[j * s.columns + k] += row[j] * row[k];
    }
  }
  return s;
}

/// One penalty: slopes of the standardised features, and residuals of left-out rows from leverages.
Ridge fit_with(const Standardised& s, std::span<const double> y, double penalty) {
  std::vector<double> matrix = s.gram;
  add_to_diagonal(matrix, s.columns, penalty);
  const Cholesky cholesky(std::move(matrix), s.columns);
  Ridge fit;
  fit.penalty = penalty;
  fit.slopes = cholesky.solve(s.products);
  std::vector<double> halves = s.values;
  cholesky.half_solve(halves, s.rows);
  for (std::size_t r = 0; r < s.rows; ++r) {
    const double leverage =  // the intercept has its own share
        1.0 / static_cast<double>(s.rows) + squared_norm(std::span(halves).subspan(r * s.columns, s.columns));
    const double residual = y[r] - s.target_mean - dot(s.row(r), fit.slopes);
    fit.left_out_residuals.push_back(residual / (1 - leverage));
  }
  return fit;
}

void to_original_units(Ridge& fit, const Standardised& s) {
  fit.intercept = s.target_mean;
  for (std::size_t j = 0; j < s.columns; ++j) {
    fit.slopes[j] /= s.deviations[j];
    fit.intercept -= fit.slopes[j] * s.means[j];
  }
}

}  // namespace

std::vector<double> Ridge::predict(const MatrixView& x) const {
  std::vector<double> predicted(x.rows(), intercept);
  for (std::size_t j = 0; j < slopes.size(); ++j)
    for (std::size_t r = 0; r < x.rows(); ++r) predicted[r] += slopes[j] * x(r, j);
  return predicted;
}

std::vector<double> usual_penalties() {
  constexpr int count = 30;
  std::vector<double> penalties;
  for (int i = 0; i < count; ++i) penalties.push_back(std::pow(10.0, -3.0 + 7.0 * i / (count - 1)));
  return penalties;
}

Ridge fit_ridge(const MatrixView& x, std::span<const double> y, std::span<const double> penalties) {
  const Standardised s = standardise(x, y);
  Ridge best;
  double least = std::numeric_limits<double>::infinity();
  for (const double penalty : penalties) {
    Ridge fit = fit_with(s, y, penalty);
    const double squares = squared_norm(fit.left_out_residuals);
    if (squares >= least) continue;
    least = squares;
    best = std::move(fit);
  }
  to_original_units(best, s);
  return best;
}

}  // namespace kore::experiments::honesty

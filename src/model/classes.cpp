#include "kore/classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace kore {
namespace {

double kept_inside(double probability) {
  return std::clamp(probability, least_probability, 1 - least_probability);
}

/// What the exponents multiply: the logarithms of `s` and of `1 / (1 - s)`.
std::array<double, 2> logarithms(double probability) {
  const double s = kept_inside(probability);
  return {std::log(s), -std::log1p(-s)};
}

double score(const ClassCoupling& coupling, double probability) {
  const auto [yes, no] = logarithms(probability);
  return coupling.yes * yes + coupling.no * no;
}

/// Scores to probabilities that add up to one.
void normalise(std::span<double> scores) {
  const double largest = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& value : scores) sum += value = std::exp(value - largest);
  for (double& value : scores) value /= sum;
}

std::vector<double> probabilities_of(const LeftOutClasses& rows, std::size_t row,
                                     const ClassCoupling& coupling) {
  std::vector<double> shares;
  for (const HeldOutRows& one : rows.classes) shares.push_back(one.prediction[row]);
  couple(coupling, shares);
  return shares;
}

/// The slope of the log-likelihood in both exponents, and minus its curvature (both over, then the mixed
/// one).
struct Slopes {
  std::array<double, 2> slope{};
  std::array<double, 3> curvature{};
};

void add_row(const LeftOutClasses& rows, std::size_t row, const ClassCoupling& coupling, Slopes& sums) {
  const std::vector<double> p = probabilities_of(rows, row, coupling);
  const double weight = rows.classes.front().weight[row];
  std::array<double, 2> mean{};
  std::array<double, 3> squares{};
  for (std::size_t k = 0; k < p.size(); ++k) {
    const auto z = logarithms(rows.classes[k].prediction[row]);
    for (std::size_t i = 0; i < 2; ++i) {
      mean[i] += p[k] * z[i];
      squares[i] += p[k] * z[i] * z[i];
      sums.slope[i] += weight * rows.classes[k].target[row] * z[i];
    }
    squares[2] += p[k] * z[0] * z[1];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    sums.slope[i] -= weight * mean[i];
    sums.curvature[i] += weight * (squares[i] - mean[i] * mean[i]);
  }
  sums.curvature[2] += weight * (squares[2] - mean[0] * mean[1]);
}

/// The log-likelihood of the exponents, with what speaks for the plain ones.
double likelihood(const LeftOutClasses& rows, const ClassCoupling& coupling) {
  double sum = -0.5 * ((coupling.yes - 1) * (coupling.yes - 1) + coupling.no * coupling.no);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const std::vector<double> p = probabilities_of(rows, r, coupling);
    for (std::size_t k = 0; k < p.size(); ++k)
      sum += rows.classes[k].weight[r] * rows.classes[k].target[r] * std::log(std::max(p[k], 1e-300));
  }
  return sum;
}

/// One step of Newton's method. Where it would make `no` negative, that stays at zero.
ClassCoupling newton_step(const LeftOutClasses& rows, const ClassCoupling& at) {
  Slopes sums;
  for (std::size_t r = 0; r < rows.rows(); ++r) add_row(rows, r, at, sums);
  const double slope_yes = sums.slope[0] - (at.yes - 1);
  const double slope_no = sums.slope[1] - at.no;
  const double yes = sums.curvature[0] + 1;
  const double no = sums.curvature[1] + 1;
  const double mixed = sums.curvature[2];
  const double determinant = yes * no - mixed * mixed;
  ClassCoupling next{at.yes + (no * slope_yes - mixed * slope_no) / determinant,
                     at.no + (yes * slope_no - mixed * slope_yes) / determinant};
  if (next.no < 0) next = {at.yes + (slope_yes + mixed * at.no) / yes, 0};
  if (next.yes < 0) next = {0, std::max(0.0, at.no + (slope_no + mixed * at.yes) / no)};
  return next;
}

}  // namespace

bool LeftOutClasses::agree() const {
  constexpr double rounding = 1e-9;
  if (classes.size() < 2) return false;
  const HeldOutRows& first = classes.front();
  for (const HeldOutRows& one : classes)
    if (one.target.size() != first.target.size() || !std::ranges::equal(one.weight, first.weight))
      return false;
  for (std::size_t r = 0; r < rows(); ++r) {
    double sum = 0;
    for (const HeldOutRows& one : classes) sum += one.target[r];
    if (!(std::abs(sum - 1) < rounding)) return false;
  }
  return true;
}

void couple(const ClassCoupling& coupling, std::span<double> probabilities) {
  for (double& value : probabilities) value = score(coupling, value);
  normalise(probabilities);
}

ClassCoupling solve_coupling(const LeftOutClasses& rows) {
  constexpr int most_steps = 50;
  constexpr int most_halvings = 20;
  constexpr double settled = 1e-10;
  ClassCoupling at;
  double reached = likelihood(rows, at);
  for (int step = 0; step < most_steps; ++step) {
    ClassCoupling next = newton_step(rows, at);
    double found = likelihood(rows, next);
    for (int halving = 0; found < reached && halving < most_halvings; ++halving) {
      next = {(at.yes + next.yes) / 2, (at.no + next.no) / 2};
      found = likelihood(rows, next);
    }
    if (found < reached) break;
    const double change = std::abs(next.yes - at.yes) + std::abs(next.no - at.no);
    at = next;
    reached = found;
    if (change < settled) break;
  }
  return at;
}

ClassAccuracy class_accuracy(const LeftOutClasses& rows, const ClassCoupling& coupling) {
  ClassAccuracy accuracy;
  accuracy.rows = rows.rows();
  const std::size_t classes = rows.classes.size();
  std::vector<double> shares(classes);
  double weights = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const std::vector<double> p = probabilities_of(rows, r, coupling);
    const double weight = rows.classes.front().weight[r];
    const auto likely = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
    weights += weight;
    accuracy.error_rate += weight * (1 - rows.classes[likely].target[r]);
    for (std::size_t k = 0; k < classes; ++k) {
      const double own = weight * rows.classes[k].target[r];
      shares[k] += own;
      if (own > 0) accuracy.log_loss -= own * std::log(std::max(p[k], least_probability));
    }
  }
  accuracy.log_loss /= weights;
  accuracy.error_rate /= weights;
  accuracy.null_error_rate = 1 - *std::ranges::max_element(shares) / weights;
  for (const double share : shares)
    if (share > 0) accuracy.null_log_loss -= share / weights * std::log(share / weights);
  return accuracy;
}

}  // namespace kore

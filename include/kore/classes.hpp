#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/accuracy.hpp"

namespace kore {

/// How probabilities of each class against all others become probabilities of all classes, which add up to
/// one. With the probability `s_k` of class `k` against all others,
///
///     p_k = s_k^yes (1 - s_k)^-no / sum_j s_j^yes (1 - s_j)^-no.
///
/// With `yes = 1` and `no = 0` each is divided by the sum of all; with `yes = no = 1` the log odds enter, as
/// in a multinomial model. Rows that were left out say which is right: see `solve_coupling`.
struct ClassCoupling {
  double yes = 1;
  double no = 0;
};
/// Probabilities are kept this far from 0 and 1, so that their logarithms are finite.
inline constexpr double least_probability = 1e-12;

/// The probabilities of one row, in place: `s_k` become `p_k`.
void couple(const ClassCoupling& coupling, std::span<double> probabilities);

/// Left-out rows of all classes: what each class's own model says of the same rows.
struct LeftOutClasses {
  std::vector<HeldOutRows> classes;

  std::size_t rows() const { return classes.empty() ? 0 : classes.front().target.size(); }
  /// Whether all classes tell of the same rows: as many, counting as much, of which each has one class. (Rows
  /// of equal features may have been merged; then their shares of classes add up to one.)
  bool agree() const;
};

/// The exponents under which left-out rows are most likely, among those that are not negative, by Newton's
/// method; the likelihood is concave. As much as one more row speaks for `ClassCoupling{}`, so that few rows
/// that are told apart without a mistake have a finite answer. Needs rows that `agree`.
ClassCoupling solve_coupling(const LeftOutClasses& rows);

/// How well left-out rows are told apart.
struct ClassAccuracy {
  AccuracySource how = AccuracySource::leave_one_out;
  std::size_t rows = 0;
  double log_loss = 0;         ///< Mean of minus the logarithm of the probability of the true class.
  double null_log_loss = 0;    ///< The same where every row is given the shares of the classes.
  double error_rate = 0;       ///< Share of rows whose most probable class is another one than their own.
  double null_error_rate = 0;  ///< The same for the most frequent class.

  double explained() const { return null_log_loss > 0 ? 1 - log_loss / null_log_loss : 0; }
};
/// Needs rows that `agree`. Where they come from is the caller's to fill in.
ClassAccuracy class_accuracy(const LeftOutClasses& rows, const ClassCoupling& coupling);

}  // namespace kore

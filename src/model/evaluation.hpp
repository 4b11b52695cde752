#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "kore/message.hpp"
#include "kore/model.hpp"

namespace kore {

// What predictions, effects and explanations share, so that they refuse the same values and continue the
// same way outside the training range.

/// Whether a value must be refused. This is decided in the units of the user, before any warp, so that the
/// evaluation need not check again.
bool forbidden(const Feature& feature, Extrapolation extrapolation, double value);
[[noreturn]] void refuse_outside(std::string_view pattern, const Range& range, double value,
                                 std::vector<Argument> where);
/// How a point that was not refused is extrapolated.
Extrapolation once_checked(Extrapolation outside);

/// Throws `out_of_range` for a point of some features that is refused or not finite.
void check_point(const std::vector<Feature>& features, const std::vector<std::size_t>& own,
                 Extrapolation extrapolation, std::span<const double> point);
/// Throws `out_of_range` unless the value is finite.
void require_finite_effect(double value);

/// A term of a design at one point: the sum of its raw functions times `coefficients`, which are the term's
/// own.
double local_sum(const Design& design, std::size_t term, std::span<const double> point, Extrapolation outside,
                 const double* coefficients);

/// The variance of a main effect at a point, from that of its raw coefficients (square).
double variance_at(const Design& design, std::size_t term, double point, Extrapolation outside,
                   std::span<const double> covariance);

/// Both halves of `predict`: the sum of all terms of each row, and what it becomes as a prediction.
void sum_terms(const Model& model, const MatrixView& x, std::span<double> sums, int threads,
               std::size_t first_row);
void carry_sums(const Model& model, std::span<double> sums, std::size_t first_row);

}  // namespace kore

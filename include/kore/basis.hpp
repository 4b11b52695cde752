#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace kore {

inline constexpr int max_degree = 7;
/// More than anybody needs, and few enough that the functions of a triple can be counted in 64 bits.
inline constexpr int max_intervals = 1'000'000;

/// What a basis does with a point outside the range of its knots.
enum class Extrapolation {
  continue_polynomial,  ///< Continues the polynomial of the boundary interval. The paper's way; grows like
                        ///< `x^k`.
  linear,               ///< Continues along the tangent at the boundary.
  constant,             ///< Keeps the boundary value of a curve; a straight line goes on.
  error,                ///< Throws `out_of_range`.
};

/// `intervals` equal intervals between `first` and `last`. Equal ends mean a constant coordinate, whose
/// functions are all zero.
struct Knots {
  double first = 0;
  double last = 1;
  int intervals = 1;

  /// From the smallest to the largest of `values`. Throws `invalid_data` if there are none or one is not
  /// finite.
  static Knots from_data(std::span<const double> values, int intervals);
  /// Knot `i`, also beyond the ends: the basis of degree `k` uses knots `-k .. intervals + k`.
  double operator[](int i) const;
};

/// The functions that are not zero at a point: `value[0..degree]` belong to functions `cell .. cell +
/// degree`.
struct LocalBasis {
  int cell = 0;
  std::array<double, max_degree + 1> value{};
};

/// Uniform B-splines of degree 1 to 7 on one coordinate (not clamped: the knots go on at the same spacing
/// beyond both ends), or the indicators of a category's levels, which are splines of degree 0. There are
/// `intervals + degree` of them; at any point they add up to one, and at most `degree + 1` are not zero.
class UniformBasis {
 public:
  /// Throws `invalid_argument` for a degree outside 1..7, no interval or more than `max_intervals`, or
  /// knots that are not finite and ordered.
  UniformBasis(const Knots& knots, int degree);
  /// One function for each of `levels` levels, which is one at the level's position `0 .. levels - 1` and
  /// zero elsewhere. Every value that is not a position counts as the last one. Throws
  /// `invalid_argument` for no level or more than `max_intervals`.
  static UniformBasis indicators(int levels);

  int degree() const { return degree_; }
  int resolution() const { return knots_.intervals; }
  int functions() const { return knots_.intervals + degree_; }
  const Knots& knots() const { return knots_; }
  /// All knots are equal: every function is zero everywhere.
  bool constant() const { return scale_ == 0; }

  /// The point in units of intervals from the first knot.
  double position(double x) const { return (x - knots_.first) * scale_; }
  bool inside(double x) const { return x >= knots_.first && x <= knots_.last; }
  LocalBasis evaluate(double x, Extrapolation outside) const;

 private:
  explicit UniformBasis(int levels) : knots_{0, static_cast<double>(levels), levels}, degree_(0), scale_(1) {}

  Knots knots_;
  int degree_;
  double scale_;
};

}  // namespace kore

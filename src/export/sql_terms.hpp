#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "export/sql_dialect.hpp"

namespace kore::portable {

/// Expressions for the numbers of a prediction. They use the columns of earlier steps: `x1` the value of
/// input 1 and `m1` whether it is missing, `c1` its code; of axis 2 `w2` the warped value, `p2` the position,
/// `q2` the position held within the knots, `d2` how far it lies beyond them, `g2` the cell, `v2_0 ...` the
/// local values and `b2_0 ...` all functions.
class SqlTerms {
 public:
  SqlTerms(const Portable& model, const Dialect& sql) : model_(model), sql_(sql) {}

  bool needs_flag(std::size_t input) const;
  bool needs_value(std::size_t input) const;
  bool has_tangent(std::size_t axis) const { return curve(axis).outside == Curve::Outside::tangent; }
  /// The axes of a term that are curves.
  std::vector<std::size_t> curves_of(const Part& term) const;

  /// Levels that are numbers are compared as numbers: databases write those as texts in different ways.
  std::string code_of(const Input& input, const std::string& column) const;
  /// A value behind its warp, or less whole periods.
  std::string warped(const Axis& axis) const;
  std::string position(std::size_t axis) const;
  std::string held_position(std::size_t axis) const;
  std::string beyond(std::size_t axis) const;
  std::string cell(std::size_t axis) const;
  std::string local_value(std::size_t axis, std::size_t s) const;
  std::string function(std::size_t axis, std::size_t f) const;

  std::string value(const Part& term) const;

  std::string shift(const MeanShift& shift, const std::string& eta) const;
  std::string inverse_link(const std::string& z) const;
  /// NULL where there is no prediction.
  std::string limited(const Range& limits, const std::string& mean) const;
  std::string with_known_part(const std::string& mean) const;
  /// The logarithm of what a class has to share; and what it has, over that of the most probable class.
  std::string class_score(const std::string& mean) const;
  std::string class_share(const std::string& score, const std::string& largest) const;

 private:
  const Curve& curve(std::size_t axis) const { return *model_.axes[axis].curve; }
  /// Coefficients of a term over the axes that are left.
  struct Tensor {
    std::vector<std::size_t> axes;
    std::vector<double> values;
  };
  std::string contracted(const Tensor& tensor) const;
  std::string by_code(const Tensor& tensor, std::size_t place) const;
  std::string polynomial(std::size_t axis, const std::vector<double>& coefficients) const;
  std::string surface(const Tensor& tensor, std::size_t place, std::size_t offset) const;
  std::string horner(const std::vector<double>& coefficients, const std::string& at) const;
  std::string less_periods(const Curve& curve, const std::string& x) const;
  std::string number_literal(const std::string& text) const;
  std::string bounded(const std::string& at, double least, double most) const;
  /// A choice between pieces by rising borders, as a tree.
  template <class Piece>
  std::string pieces(const std::string& at, const std::vector<double>& borders, std::size_t first,
                     std::size_t last, const Piece& piece) const;

  const Portable& model_;
  const Dialect& sql_;
};

}  // namespace kore::portable

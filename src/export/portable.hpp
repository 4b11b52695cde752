#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kore/class_model.hpp"
#include "kore/table_model.hpp"

/// What a prediction needs, without the engine: one plain form from which all exports are written.
///
/// A mean is `limited(inverse(eta + shift(eta)))` with `eta = intercept + sum of terms`. A term is the dot
/// product of its coefficients with the products of the functions of its axes. An axis makes a few numbers of
/// one input: the place of the first function that is not zero, and the values of it and its neighbours. The
/// prediction is the mean with the known part of the row; of classes, the means of all become probabilities.
namespace kore::portable {

enum class InputKind { number, boolean, date, timestamp, category };
/// "number", "boolean", "date", "timestamp" or "category".
const char* word_for(InputKind kind);

/// A column of the table.
///
/// As a number (dates and timestamps in days since 1970-01-01, booleans 0 and 1), a missing value counts as
/// `stand_in`. As a category, a value becomes a code: the position of its level, `missing_code()` where there
/// is none, `other_code()` for every other text.
struct Input {
  std::string name;
  InputKind kind = InputKind::number;
  table::ColumnType type = table::ColumnType::number;  ///< Of the values of a category.
  double stand_in = 0;
  std::vector<std::string> levels = {};
  /// Numbers: the training range, where rows outside of it are refused (`Portable::refuses_outside`).
  std::optional<Range> allowed = {};

  bool category() const { return kind == InputKind::category; }
  std::size_t missing_code() const { return levels.size(); }
  std::size_t other_code() const { return levels.size() + 1; }
  std::size_t codes() const { return levels.size() + 2; }
};

/// A curve's functions. The value of the input goes through the piecewise-linear `warp` (as it is if empty;
/// beyond the ends the outer pieces go on). Where there is a `period`, whole periods are taken off it:
/// `value - period * floor((value - first) / period)`; a value more than `most_periods_away` of them away
/// counts as `first`. Then `position = (value - first) * scale`. The cell is the whole
/// part of the position, held between 0 and `intervals - 1`; `u` is the position minus the cell. Function
/// `cell + s` has the value `sum_p local[s][p] u^p`, with `local = local_polynomials(degree)`.
struct Curve {
  /// What happens at positions below 0 and above `intervals`.
  enum class Outside {
    polynomial,  ///< The polynomials of the outer cells go on.
    tangent,     ///< The tangents at the ends go on.
    level,       ///< The values at the ends are kept.
  };
  Warp warp = {};
  double period = 0;  ///< 0: the input does not begin again. Never beside a warp.
  double first = 0;
  double scale = 1;
  int intervals = 1;
  int degree = 3;
  Outside outside = Outside::level;

  int functions() const { return intervals + degree; }
  /// The position is that of the value itself.
  bool plain() const { return warp.identity() && period == 0; }
  double farthest() const { return most_periods_away * period; }
};
/// "polynomial", "tangent" or "level".
const char* word_for(Curve::Outside outside);

/// One function for each of `values`, which is one where the input has this value; a last one for all others.
struct SingleValues {
  std::vector<double> values;  ///< Rising.
};

/// Functions by code: `first[code]` is the first function that is not zero, and `values[code]` has the values
/// of it and its neighbours, `width` of them. Of a category, or of a number with the codes 0 (there is a
/// value) and 1 (it is missing).
struct CodeTable {
  std::size_t functions = 0;
  std::size_t width = 1;
  std::vector<std::size_t> first;
  std::vector<std::vector<double>> values;
};

struct Axis {
  std::size_t input = 0;
  // One of these three.
  std::optional<Curve> curve = {};
  std::optional<SingleValues> single = {};
  std::optional<CodeTable> table = {};

  std::size_t functions() const;
  /// How many functions are not zero at a point, at most.
  std::size_t width() const;
};

struct Part {
  std::string name;
  std::vector<std::size_t> axes;
  std::vector<double> coefficients;  ///< One for every product of functions, the last axis fastest.
};

/// An effect of the decomposition that people read; its parts add up to it.
struct ReadableEffect {
  std::string name;
  double share = 0;  ///< Of the covariance with the sum; all add up to one.
  std::vector<Part> parts;
};

/// How `eta + shift(eta)` becomes a mean of the target.
enum class Link {
  identity,
  square_root,  ///< The square of it, and 0 where it is negative.
  logarithm,    ///< The exponential of it.
  logit,        ///< `1 / (1 + exp(-it))`: the probability of yes.
};
/// "identity", "sqrt", "log" or "logit".
const char* word_for(Link link);

/// A sum of terms, and what carries it to a mean.
struct Sum {
  std::string name;  ///< The class; empty where the model has one sum.
  double intercept = 0;
  std::vector<Part> terms;
  MeanShift shift = {};
  Range limits = {};  ///< Means are held within them; may be infinite.
  /// The same sum to be read: a constant and purified effects, on the same axes.
  double constant = 0;
  std::vector<ReadableEffect> effects;
};

/// The column of exposures or offsets. It is a number among the inputs that no axis uses; where it is
/// missing, its `stand_in` leaves the mean as it is.
struct KnownPart {
  enum class Use {
    factor,       ///< The mean times it.
    summand,      ///< The mean plus it.
    exponential,  ///< The mean times its exponential.
  };
  std::size_t input = 0;
  Use use = Use::factor;
};
/// "factor", "summand" or "exponential".
const char* word_for(KnownPart::Use use);

struct Portable {
  std::string target;
  std::vector<Input> inputs;
  std::vector<Axis> axes;
  std::vector<Sum> sums;  ///< One; of classes one for each.
  Link link = Link::identity;
  bool refuses_outside = false;  ///< Rows outside `Input::allowed` have no prediction.
  std::optional<KnownPart> known = {};
  /// Of classes: with the mean `s` of a class, its probability is in proportion to `s^yes (1 - s)^-no`, where
  /// `s` is held between `least_probability` and one minus that.
  std::optional<ClassCoupling> coupling = {};

  bool is_known(std::size_t input) const { return known && known->input == input; }
};

/// Terms whose functions are all zero are left out, and so are axes and inputs that no term needs (unless
/// rows outside their range are refused).
Portable portable_of(const table::TableModel& fitted);
/// All classes at once; equal axes of their models are one.
Portable portable_of(const table::ClassModel& fitted);

/// The first axis with the input and the warp or period of this one, so that these are evaluated once.
std::size_t warp_place(const Portable& model, std::size_t axis);

/// Of the `degree + 1` uniform B-splines that are not zero on an interval, as polynomials in the distance `u`
/// from its left end in units of intervals: `[s][p]` is the coefficient of `u^p` in function `s`.
std::vector<std::vector<double>> local_polynomials(int degree);

/// A term of one curve as a polynomial in `u` for every cell: `[cell][p]`.
std::vector<std::vector<double>> cell_polynomials(const Curve& curve,
                                                  const std::vector<double>& coefficients);

/// What can be said in a comment of any language: one line, no characters that end a comment.
std::string comment_text(const std::string& text);

}  // namespace kore::portable

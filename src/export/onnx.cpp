#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "export/export.hpp"
#include "export/onnx_graph.hpp"
#include "kore/version.hpp"

namespace kore::portable {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// An axis in the graph: the first function of each row, [rows, 1], and the values of it and its neighbours,
/// [rows, width]; no name where they are all one.
struct AxisValues {
  std::string first;
  std::string values;
};

/// A prefix that no input's name begins with.
std::string free_prefix(const Portable& model) {
  std::string prefix = "kore_";
  while (
      std::ranges::any_of(model.inputs, [&](const Input& input) { return input.name.starts_with(prefix); }))
    prefix += "_";
  return prefix;
}

class Writer {
 public:
  Writer(const Portable& model, OnnxNumbers numbers)
      : model_(model), single_(numbers == OnnxNumbers::single), graph_(free_prefix(model)) {}

  std::string write() {
    for (const Input& input : model_.inputs) read(input);
    for (std::size_t a = 0; a < model_.axes.size(); ++a) axes_.push_back(values_of(a));
    std::vector<std::string> etas;
    for (const Sum& sum : model_.sums) {
      std::vector<std::string> parts{graph_.constant({sum.intercept}, {1, 1})};
      for (const Part& term : sum.terms) parts.push_back(value_of(term));
      if (sum.terms.empty() && !model_.inputs.empty()) parts.push_back(zeros());
      etas.push_back(graph_.add("Sum", parts));
    }
    if (model_.coupling)
      add_classes(etas);
    else
      add_prediction(etas.front());
    return graph_.file("kore", version);
  }

 private:
  std::string constant(double value) { return graph_.constant(value); }
  std::string multiply_add(const std::string& a, const std::string& b, const std::string& c) {
    return graph_.add("Add", {graph_.add("Mul", {a, b}), c});
  }
  std::string cast(const std::string& value, TensorType type, const std::string& result = {}) {
    return graph_.add("Cast", {value}, {Attribute::integer("to", static_cast<std::int64_t>(type))}, result);
  }
  /// [rows, 1], for a class that no term tells from the others.
  std::string zeros() { return graph_.add("Mul", {cast(codes_.front(), TensorType::real), constant(0)}); }
  std::string as_integer(const std::string& value) { return cast(value, TensorType::int64); }
  /// A number of the model as an input can be: one that an input is compared with.
  double as_given(double value) const {
    return single_ ? static_cast<double>(static_cast<float>(value)) : value;
  }
  std::string sum_along(const std::string& value, const Shape& dimensions) {
    return graph_.add("ReduceSum",
                      {value, graph_.integers(dimensions, {static_cast<std::int64_t>(dimensions.size())})},
                      {Attribute::integer("keepdims", 0)});
  }
  std::string shaped(const std::string& value, const Shape& shape) {
    return graph_.add("Reshape", {value, graph_.integers(shape, {static_cast<std::int64_t>(shape.size())})});
  }
  std::string column(const std::string& value) { return shaped(value, {-1, 1}); }

  /// Numbers and codes of an input. Rows that must be refused are NaN in `refused_`, all others zero.
  void read(const Input& input) {
    const TensorType number = single_ ? TensorType::single : TensorType::real;
    graph_.input(input.name, input.category() ? TensorType::text : number);
    if (input.category()) {
      read_category(input);
      return;
    }
    const std::string given = single_ ? cast(input.name, TensorType::real) : input.name;
    const std::string missing = graph_.add("IsNaN", {given});
    const std::string filled = graph_.add("Where", {missing, constant(input.stand_in), given});
    numbers_.push_back(filled);
    codes_.push_back(as_integer(missing));
    std::string refused = graph_.add("Sub", {filled, filled});
    if (input.allowed) {
      const std::string outside =
          graph_.add("Or", {graph_.add("Less", {filled, constant(as_given(input.allowed->lowest))}),
                            graph_.add("Greater", {filled, constant(as_given(input.allowed->highest))})});
      refused = graph_.add("Where", {outside, constant(nothing), refused});
    }
    refused_.push_back(refused);
  }

  /// The empty text is a missing one, unless it is a level.
  void read_category(const Input& input) {
    Attribute keys{"keys_strings", {}, input.levels};
    Attribute codes{"values_int64s", Shape(input.levels.size())};
    std::iota(codes.integers.begin(), codes.integers.end(), 0);
    if (std::ranges::find(input.levels, "") == input.levels.end()) {
      keys.texts.emplace_back();
      codes.integers.push_back(static_cast<std::int64_t>(input.missing_code()));
    }
    const auto other = Attribute::integer("default_int64", static_cast<std::int64_t>(input.other_code()));
    codes_.push_back(graph_.add("LabelEncoder", {input.name}, {keys, codes, other}, {}, "ai.onnx.ml"));
    numbers_.emplace_back();
  }

  /// How many of rising numbers are at most `x`, [rows, 1].
  std::string count_up_to(const std::string& x, const std::vector<double>& numbers) {
    const std::string all = graph_.constant(numbers, {1, static_cast<std::int64_t>(numbers.size())});
    return column(sum_along(as_integer(graph_.add("GreaterOrEqual", {x, all})), {1}));
  }
  std::string looked_up(const std::vector<double>& table, const std::string& place) {
    return graph_.add("Gather", {graph_.constant(table, {static_cast<std::int64_t>(table.size())}), place});
  }

  std::string warped(const Curve& curve, const std::string& x) {
    return curve.period > 0 ? less_periods(curve, x) : warped(curve.warp, x);
  }
  std::string less_periods(const Curve& curve, const std::string& x) {
    Curve one = curve;
    one.scale = 1 / curve.period;
    const std::string periods = position_of(x, one);
    const std::string far =
        graph_.add("Greater", {graph_.add("Abs", {periods}), constant(most_periods_away)});
    const std::string within = graph_.add("Sub", {x, times(graph_.add("Floor", {periods}), curve.period)});
    return graph_.add("Where", {far, constant(curve.first), within});
  }
  std::string warped(const Warp& warp, const std::string& x) {
    std::vector<double> slopes;
    for (std::size_t n = 0; n + 1 < warp.nodes.size(); ++n)
      slopes.push_back((warp.values[n + 1] - warp.values[n]) / (warp.nodes[n + 1] - warp.nodes[n]));
    slopes.push_back(slopes.back());
    const std::string node = count_up_to(x, {warp.nodes.begin() + 1, warp.nodes.end()});
    return multiply_add(graph_.add("Sub", {x, looked_up(warp.nodes, node)}), looked_up(slopes, node),
                        looked_up(warp.values, node));
  }

  AxisValues values_of(std::size_t a) {
    const Axis& axis = model_.axes[a];
    if (axis.curve) return values_of(*axis.curve, axis.input, warp_place(model_, a));
    return axis.single ? values_of(*axis.single, axis.input) : values_of(*axis.table, axis.input);
  }

  /// ONNX Runtime takes a product with a constant for nothing where the constant is one in single precision,
  /// and a difference where it is zero there.
  std::string times(const std::string& x, double factor) {
    const bool nearly_one = factor != 1 && static_cast<float>(factor) == 1.0F;
    if (!nearly_one) return graph_.add("Mul", {x, constant(factor)});
    return graph_.add("Mul", {graph_.add("Mul", {x, constant(2 * factor)}), constant(0.5)});
  }
  std::string position_of(const std::string& x, const Curve& curve) {
    const bool nearly_zero = curve.first != 0 && static_cast<float>(curve.first) == 0.0F;
    if (!nearly_zero) return times(graph_.add("Sub", {x, constant(curve.first)}), curve.scale);
    return graph_.add("Sub", {times(x, curve.scale), constant(curve.first * curve.scale)});
  }

  AxisValues values_of(const Curve& curve, std::size_t input, std::size_t warp) {
    std::string x = numbers_[input];
    if (!curve.plain()) {
      const auto known = warps_.find(warp);
      x = known != warps_.end() ? known->second : warps_.emplace(warp, warped(curve, x)).first->second;
    }
    const std::string position = position_of(x, curve);
    const bool goes_on = curve.outside == Curve::Outside::polynomial;
    const std::string held =
        goes_on ? position : graph_.add("Clip", {position, constant(0), constant(curve.intervals)});
    const std::string cell =
        graph_.add("Clip", {graph_.add("Floor", {held}), constant(0), constant(curve.intervals - 1)});
    std::vector<std::string> powers{graph_.add("Sub", {held, cell})};
    while (powers.size() < static_cast<std::size_t>(curve.degree))
      powers.push_back(graph_.add("Mul", {powers.back(), powers.front()}));
    const auto local = local_polynomials(curve.degree);
    std::string values = polynomials(local, powers);
    if (curve.outside == Curve::Outside::tangent) {
      std::vector<std::vector<double>> slopes = local;
      for (auto& polynomial : slopes) {
        for (std::size_t p = 1; p < polynomial.size(); ++p)
          polynomial[p - 1] = static_cast<double>(p) * polynomial[p];
        polynomial.pop_back();
      }
      powers.pop_back();
      values = multiply_add(graph_.add("Sub", {position, held}), polynomials(slopes, powers), values);
    }
    return {as_integer(cell), values};
  }

  /// All polynomials at the powers of `u` from the first on, [rows, polynomials].
  std::string polynomials(const std::vector<std::vector<double>>& of,
                          const std::vector<std::string>& powers) {
    std::vector<double> constants;
    for (const auto& polynomial : of) constants.push_back(polynomial.front());
    const auto size = static_cast<std::int64_t>(of.size());
    const std::string lowest = graph_.constant(constants, {1, size});
    if (powers.empty()) return lowest;
    std::vector<double> matrix;
    for (std::size_t p = 1; p <= powers.size(); ++p)
      for (const auto& polynomial : of) matrix.push_back(polynomial[p]);
    const std::string side_by_side = graph_.add("Concat", powers, {Attribute::integer("axis", 1)});
    const std::string product = graph_.add(
        "MatMul", {side_by_side, graph_.constant(matrix, {static_cast<std::int64_t>(powers.size()), size})});
    return graph_.add("Add", {product, lowest});
  }

  AxisValues values_of(const SingleValues& single, std::size_t input) {
    const auto size = static_cast<std::int64_t>(single.values.size());
    std::vector<double> values;
    for (const double value : single.values) values.push_back(as_given(value));
    const std::string equal =
        as_integer(graph_.add("Equal", {numbers_[input], graph_.constant(values, {1, size})}));
    Shape distance(single.values.size());  // from the place of all other values
    std::iota(distance.begin(), distance.end(), -size);
    const std::string found =
        sum_along(graph_.add("Mul", {equal, graph_.integers(distance, {1, size})}), {1});
    return {column(graph_.add("Add", {found, graph_.integers({size}, {1})})), {}};
  }

  AxisValues values_of(const CodeTable& table, std::size_t input) {
    const auto codes = static_cast<std::int64_t>(table.first.size());
    AxisValues values;
    values.first = graph_.add(
        "Gather", {graph_.integers({table.first.begin(), table.first.end()}, {codes}), codes_[input]});
    if (table.width == 1 &&
        std::ranges::all_of(table.values, [](const auto& row) { return row.front() == 1; }))
      return values;
    std::vector<double> flat;
    for (const auto& row : table.values) flat.insert(flat.end(), row.begin(), row.end());
    values.values =
        graph_.add("Gather", {graph_.constant(flat, {codes, static_cast<std::int64_t>(table.width)}),
                              shaped(codes_[input], {-1})});
    return values;
  }

  /// Coefficients of the products that are not zero, times these products, summed. Axis `c` of the term is
  /// dimension `c + 1` of all of them.
  std::string value_of(const Part& term) {
    const std::size_t order = term.axes.size();
    std::string place;
    std::string product;
    std::int64_t stride = 1;
    for (std::size_t c = order; c-- > 0;) {
      const std::size_t a = term.axes[c];
      const auto width = static_cast<std::int64_t>(model_.axes[a].width());
      Shape steps(static_cast<std::size_t>(width));
      std::iota(steps.begin(), steps.end(), 0);
      std::string own = graph_.add("Add", {axes_[a].first, graph_.integers(steps, {1, width})});
      if (stride != 1) own = graph_.add("Mul", {own, graph_.integers({stride}, {1})});
      Shape shape(order + 1, 1);
      shape[0] = -1;
      shape[c + 1] = width;
      own = shaped(own, shape);
      place = place.empty() ? own : graph_.add("Add", {own, place});
      if (!axes_[a].values.empty()) {
        const std::string values = shaped(axes_[a].values, shape);
        product = product.empty() ? values : graph_.add("Mul", {values, product});
      }
      stride *= static_cast<std::int64_t>(model_.axes[a].functions());
    }
    std::string summed = looked_up(term.coefficients, place);
    if (!product.empty()) summed = graph_.add("Mul", {summed, product});
    Shape dimensions(order);
    std::iota(dimensions.begin(), dimensions.end(), 1);
    return column(sum_along(summed, dimensions));
  }

  std::string shifted(const MeanShift& shift, const std::string& eta) {
    const std::vector<double>& places = shift.places;
    const std::vector<double>& shifts = shift.shifts;
    std::vector<double> from{places.front()};
    std::vector<double> base{shifts.front()};
    std::vector<double> slope{0};
    for (std::size_t p = 0; p < places.size(); ++p) {
      const bool last = p + 1 == places.size();
      from.push_back(places[p]);
      base.push_back(shifts[p]);
      slope.push_back(last ? 0 : (shifts[p + 1] - shifts[p]) / (places[p + 1] - places[p]));
    }
    const std::string piece = count_up_to(eta, places);
    return graph_.add("Add", {eta, multiply_add(graph_.add("Sub", {eta, looked_up(from, piece)}),
                                                looked_up(slope, piece), looked_up(base, piece))});
  }

  std::string inverse_link(const MeanShift& shift, const std::string& eta) {
    if (model_.link == Link::identity) return eta;
    const std::string finite = graph_.add("Clip", {eta, constant(-1e300), constant(1e300)});
    const std::string carried = shift.places.empty() ? finite : shifted(shift, finite);
    if (model_.link == Link::logarithm) return graph_.add("Exp", {carried});
    if (model_.link == Link::logit) return graph_.add("Sigmoid", {carried});
    const std::string root = graph_.add("Max", {carried, constant(0)});
    return graph_.add("Mul", {root, root});
  }

  /// The mean of a sum, within its limits.
  std::string mean_of(const Sum& sum, const std::string& eta) {
    std::string mean = inverse_link(sum.shift, eta);
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (sum.limits.lowest > -infinite) mean = graph_.add("Max", {mean, constant(sum.limits.lowest)});
    if (sum.limits.highest < infinite) mean = graph_.add("Min", {mean, constant(sum.limits.highest)});
    return mean;
  }

  std::string with_known_part(const std::string& mean) {
    if (!model_.known) return mean;
    const std::string& known = numbers_[model_.known->input];
    if (model_.known->use == KnownPart::Use::summand) return graph_.add("Add", {mean, known});
    const bool factor = model_.known->use == KnownPart::Use::factor;
    return graph_.add("Mul", {mean, factor ? known : graph_.add("Exp", {known})});
  }

  /// A name that no input has.
  std::string free_name(std::string name) const {
    while (std::ranges::any_of(model_.inputs, [&](const Input& input) { return input.name == name; }))
      name += "_";
    return name;
  }

  /// Adds an output, NaN in rows that are refused.
  void add_output(const std::string& values, const std::string& name, std::size_t columns) {
    refused_.push_back(values);
    if (single_)
      cast(graph_.add("Sum", refused_), TensorType::single, name);
    else
      graph_.add("Sum", refused_, {}, name);
    graph_.output(name, single_ ? TensorType::single : TensorType::real, columns);
    refused_.pop_back();
  }

  void add_prediction(const std::string& eta) {
    const std::string found = with_known_part(mean_of(model_.sums.front(), eta));
    // No prediction where the sum or the result is no number.
    const std::string no_number =
        graph_.add("Or", {graph_.add("IsNaN", {eta}), graph_.add("IsInf", {found})});
    add_output(graph_.add("Where", {no_number, constant(nothing), found}), free_name("prediction"), 1);
  }

  /// "class", the most probable one, and "probabilities", a column for each class. A row without them has the
  /// empty text.
  void add_classes(const std::vector<std::string>& etas) {
    std::vector<std::string> means;
    for (std::size_t k = 0; k < etas.size(); ++k) means.push_back(mean_of(model_.sums[k], etas[k]));
    const auto side_by_side = [&](const std::vector<std::string>& columns) {
      return graph_.add("Concat", columns, {Attribute::integer("axis", 1)});
    };
    const std::string s = graph_.add(
        "Clip", {side_by_side(means), constant(least_probability), constant(1 - least_probability)});
    const std::string yes = times(graph_.add("Log", {s}), model_.coupling->yes);
    const std::string no =
        times(graph_.add("Log", {graph_.add("Sub", {constant(1), s})}), model_.coupling->no);
    const std::string shares =
        graph_.add("Softmax", {graph_.add("Sub", {yes, no})}, {Attribute::integer("axis", 1)});
    // A sum that is no number makes the sum of all so.
    refused_.push_back(graph_.add("Where", {graph_.add("IsNaN", {graph_.add("Sum", etas)}), constant(nothing),
                                            graph_.constant({0}, {1, 1})}));
    add_output(shares, free_name("probabilities"), etas.size());
    add_most_probable(shares);
  }

  void add_most_probable(const std::string& shares) {
    const std::string most =
        graph_.add("ArgMax", {shares}, {Attribute::integer("axis", 1), Attribute::integer("keepdims", 1)});
    const auto none = static_cast<std::int64_t>(model_.sums.size());
    const std::string refused = graph_.add("IsNaN", {graph_.add("Sum", refused_)});
    const std::string place = graph_.add("Where", {refused, graph_.integers({none}, {1, 1}), most});
    Attribute keys{"keys_int64s", Shape(model_.sums.size() + 1)};
    std::iota(keys.integers.begin(), keys.integers.end(), 0);
    Attribute names{"values_strings", {}, {}};
    for (const Sum& sum : model_.sums) names.texts.push_back(sum.name);
    names.texts.emplace_back();
    const std::string name = free_name("class");
    graph_.add("LabelEncoder", {place}, {keys, names}, name, "ai.onnx.ml");
    graph_.output(name, TensorType::text, 1);
  }

  const Portable& model_;
  bool single_;
  OnnxGraph graph_;
  std::vector<std::string> numbers_;  ///< Per input; no name for categories.
  std::vector<std::string> codes_;    ///< Per input.
  std::vector<std::string> refused_;
  std::map<std::size_t, std::string> warps_;
  std::vector<AxisValues> axes_;
};

}  // namespace

std::string to_onnx(const Portable& model, OnnxNumbers numbers) { return Writer(model, numbers).write(); }

}  // namespace kore::portable

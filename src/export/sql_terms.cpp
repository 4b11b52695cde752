#include "export/sql_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace kore::portable {
namespace {

// PostgreSQL ends a query where the result of a product or of an exponential is infinite, or zero though no
// factor is. So exponents are held within these, and what is nearer to zero than these counts as zero: a
// position is exact to that at best, and a mean of that size is none to anybody.
constexpr double largest_exponent = 700;
constexpr double smallest_exponent = -300;
constexpr double least_position = 1e-15;
constexpr double least_number = 1e-100;

/// A tensor without one of its axes: its values at one place of the axis, or a weighted sum of places.
std::vector<double> slice(const std::vector<double>& values, const std::vector<std::size_t>& sizes,
                          std::size_t place, std::size_t first, const std::vector<double>& weights) {
  std::size_t inner = 1;
  for (std::size_t c = place + 1; c < sizes.size(); ++c) inner *= sizes[c];
  const std::size_t outer = values.size() / (inner * sizes[place]);
  std::vector<double> result(outer * inner);
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t s = 0; s < weights.size(); ++s)
      for (std::size_t i = 0; i < inner; ++i)
        result[o * inner + i] += weights[s] * values[(o * sizes[place] + first + s) * inner + i];
  return result;
}

std::vector<double> derivative(const std::vector<double>& polynomial) {
  std::vector<double> slopes;
  for (std::size_t p = 1; p < polynomial.size(); ++p)
    slopes.push_back(static_cast<double>(p) * polynomial[p]);
  return slopes;
}

double evaluated(const std::vector<double>& polynomial, double u) {
  double total = 0;
  for (std::size_t p = polynomial.size(); p-- > 0;) total = total * u + polynomial[p];
  return total;
}

}  // namespace

bool SqlTerms::needs_flag(std::size_t input) const {
  return !model_.inputs[input].category() && std::ranges::any_of(model_.axes, [&](const Axis& axis) {
    return axis.input == input && axis.table.has_value();
  });
}

bool SqlTerms::needs_value(std::size_t input) const {
  return std::ranges::any_of(
      model_.axes, [&](const Axis& axis) { return axis.input == input && axis.single.has_value(); });
}

std::vector<std::size_t> SqlTerms::curves_of(const Part& term) const {
  std::vector<std::size_t> curves;
  for (const std::size_t a : term.axes)
    if (model_.axes[a].curve) curves.push_back(a);
  return curves;
}

template <class Piece>
std::string SqlTerms::pieces(const std::string& at, const std::vector<double>& borders, std::size_t first,
                             std::size_t last, const Piece& piece) const {
  if (first == last) return piece(first);
  const std::size_t middle = (first + last + 1) / 2;  // pieces from here on begin at borders[middle - 1]
  return fmt::format("CASE WHEN {} < {} THEN {} ELSE {} END", at, sql_.number(borders[middle - 1]),
                     pieces(at, borders, first, middle - 1, piece), pieces(at, borders, middle, last, piece));
}

std::string SqlTerms::code_of(const Input& input, const std::string& column) const {
  const bool numbers = input.type == table::ColumnType::number;
  const std::string value =
      numbers ? sql_.read_number(column, InputKind::number)
      : input.type == table::ColumnType::boolean
          ? fmt::format("CASE WHEN {0} THEN 'true' WHEN NOT {0} THEN 'false' END", column)
          : sql_.as_text(column);
  std::string codes;
  for (std::size_t level = 0; level < input.levels.size(); ++level) {
    const std::string literal =
        numbers ? number_literal(input.levels[level]) : sql_.text(input.levels[level]);
    if (!literal.empty()) codes += fmt::format(" WHEN {} THEN {}", literal, level);
  }
  if (codes.empty())
    return fmt::format("CASE WHEN {} IS NULL THEN {} ELSE {} END", value, input.missing_code(),
                       input.other_code());
  return fmt::format("CASE WHEN {0} IS NULL THEN {1} ELSE CASE {0}{2} ELSE {3} END END", value,
                     input.missing_code(), codes, input.other_code());
}

std::string SqlTerms::number_literal(const std::string& text) const {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() || *end != '\0' ? std::string() : sql_.number(value);
}

std::string SqlTerms::warped(const Axis& axis) const {
  const std::string x = fmt::format("x{}", axis.input);
  if (axis.curve->period > 0) return less_periods(*axis.curve, x);
  const std::vector<double>& nodes = axis.curve->warp.nodes;
  const std::vector<double>& values = axis.curve->warp.values;
  const std::vector<double> inner(nodes.begin() + 1, nodes.end());
  const std::size_t last = nodes.size() - 2;
  // Beyond the last node the last piece goes on from there, where it has its exact value.
  return pieces(x, inner, 0, nodes.size() - 1, [&](std::size_t node) {
    const std::size_t piece = std::min(node, last);
    const double slope = (values[piece + 1] - values[piece]) / (nodes[piece + 1] - nodes[piece]);
    return fmt::format("{} + ({} - {}) * {}", sql_.number(values[node]), x, sql_.number(nodes[node]),
                       sql_.number(slope));
  });
}

std::string SqlTerms::less_periods(const Curve& curve, const std::string& x) const {
  const std::string away = fmt::format("({} - {})", x, sql_.number(curve.first));
  const std::string periods = sql_.floor_of_any(fmt::format("{} / {}", away, sql_.number(curve.period)));
  return fmt::format("CASE WHEN {0} < {1} OR {0} > {2} THEN {3} ELSE {4} - {5} * {6} END", away,
                     sql_.number(-curve.farthest()), sql_.number(curve.farthest()), sql_.number(curve.first),
                     x, sql_.number(curve.period), periods);
}

std::string SqlTerms::position(std::size_t axis) const {
  const bool plain = curve(axis).plain();
  return fmt::format("({}{} - {}) * {}", plain ? "x" : "w",
                     plain ? model_.axes[axis].input : warp_place(model_, axis),
                     sql_.number(curve(axis).first), sql_.number(curve(axis).scale));
}

std::string SqlTerms::held_position(std::size_t axis) const {
  if (curve(axis).outside == Curve::Outside::polynomial)
    return fmt::format("CASE WHEN p{0} > {1} AND p{0} < {2} THEN {3} ELSE p{0} END", axis,
                       sql_.number(-least_position), sql_.number(least_position), sql_.number(0));
  return fmt::format("CASE WHEN p{0} < {3} THEN {1} WHEN p{0} > {2} THEN {2} ELSE p{0} END", axis,
                     sql_.number(0), sql_.number(curve(axis).intervals), sql_.number(least_position));
}

std::string SqlTerms::beyond(std::size_t axis) const {
  return fmt::format("CASE WHEN p{0} < {3} THEN p{0} WHEN p{0} > {2} THEN p{0} - {2} ELSE {1} END", axis,
                     sql_.number(0), sql_.number(curve(axis).intervals), sql_.number(-least_position));
}

std::string SqlTerms::cell(std::size_t axis) const {
  const double last = curve(axis).intervals - 1;
  return fmt::format("CASE WHEN q{0} >= {1} THEN {1} WHEN q{0} > {2} THEN {3} ELSE {2} END", axis,
                     sql_.number(last), sql_.number(0), sql_.floor(fmt::format("q{}", axis)));
}

std::string SqlTerms::horner(const std::vector<double>& coefficients, const std::string& at) const {
  std::string text = sql_.number(coefficients.back());
  for (std::size_t p = coefficients.size() - 1; p-- > 0;)
    text = fmt::format("({} + {} * {})", sql_.number(coefficients[p]), at, text);
  return text;
}

std::string SqlTerms::local_value(std::size_t axis, std::size_t s) const {
  const std::vector<double> local = local_polynomials(curve(axis).degree)[s];
  const std::string u = fmt::format("(q{0} - g{0})", axis);
  const std::string value = horner(local, u);
  return has_tangent(axis) ? fmt::format("{} + d{} * {}", value, axis, horner(derivative(local), u)) : value;
}

std::string SqlTerms::function(std::size_t axis, std::size_t f) const {
  if (curve(axis).intervals == 1) return fmt::format("v{}_{}", axis, f);
  std::string text = fmt::format("CASE g{}", axis);
  const auto width = model_.axes[axis].width();
  for (std::size_t s = 0; s < width && s <= f; ++s)
    if (f - s < static_cast<std::size_t>(curve(axis).intervals))
      text += fmt::format(" WHEN {} THEN v{}_{}", sql_.number(static_cast<double>(f - s)), axis, s);
  return text + fmt::format(" ELSE {} END", sql_.number(0));
}

std::string SqlTerms::value(const Part& term) const { return contracted({term.axes, term.coefficients}); }

std::string SqlTerms::contracted(const Tensor& tensor) const {
  for (std::size_t place = 0; place < tensor.axes.size(); ++place)
    if (!model_.axes[tensor.axes[place]].curve) return by_code(tensor, place);
  if (tensor.axes.empty()) return sql_.number(tensor.values.front());
  if (tensor.axes.size() == 1) return polynomial(tensor.axes.front(), tensor.values);
  return surface(tensor, 0, 0);
}

/// One case for each group of codes that have the same functions; the largest group is what is left.
std::string SqlTerms::by_code(const Tensor& tensor, std::size_t place) const {
  const Axis& axis = model_.axes[tensor.axes[place]];
  std::vector<std::size_t> sizes;
  for (const std::size_t a : tensor.axes) sizes.push_back(model_.axes[a].functions());
  std::map<std::pair<std::size_t, std::vector<double>>, std::vector<std::string>> groups;
  std::string subject = fmt::format("{}{}", model_.inputs[axis.input].category() ? "c" : "m", axis.input);
  if (axis.single) {
    subject = fmt::format("x{}", axis.input);
    const std::vector<double>& values = axis.single->values;
    for (std::size_t v = 0; v < values.size(); ++v) groups[{v, {1.0}}].push_back(sql_.number(values[v]));
    groups[{values.size(), {1.0}}] = {};  // all others: what is left
  } else {
    for (std::size_t code = 0; code < axis.table->first.size(); ++code)
      groups[{axis.table->first[code], axis.table->values[code]}].push_back(std::to_string(code));
  }
  auto rest = std::ranges::max_element(groups, {}, [](const auto& group) { return group.second.size(); });
  if (axis.single) rest = groups.find({axis.single->values.size(), {1.0}});
  const auto part = [&](const std::pair<std::size_t, std::vector<double>>& functions) {
    Tensor left = tensor;
    left.axes.erase(left.axes.begin() + static_cast<std::ptrdiff_t>(place));
    left.values = slice(tensor.values, sizes, place, functions.first, functions.second);
    return contracted(left);
  };
  std::string text = "CASE " + subject;
  for (auto group = groups.begin(); group != groups.end(); ++group) {
    if (group == rest) continue;
    const std::string value = part(group->first);
    for (const std::string& code : group->second) text += fmt::format(" WHEN {} THEN {}", code, value);
  }
  return groups.size() == 1 ? part(rest->first) : fmt::format("{} ELSE {} END", text, part(rest->first));
}

std::string SqlTerms::polynomial(std::size_t axis, const std::vector<double>& coefficients) const {
  const std::vector<std::vector<double>> cells = cell_polynomials(curve(axis), coefficients);
  std::vector<double> borders;
  for (std::size_t cell = 1; cell < cells.size(); ++cell) borders.push_back(static_cast<double>(cell));
  const std::string value =
      pieces(fmt::format("q{}", axis), borders, 0, cells.size() - 1, [&](std::size_t cell) {
        return horner(cells[cell],
                      cell == 0 ? fmt::format("q{}", axis)
                                : fmt::format("(q{} - {})", axis, sql_.number(static_cast<double>(cell))));
      });
  if (!has_tangent(axis)) return value;
  return fmt::format(
      "({0} + CASE WHEN d{1} < {2} THEN d{1} * {3} WHEN d{1} > {2} THEN d{1} * {4} ELSE {2} END)", value,
      axis, sql_.number(0), sql_.number(evaluated(derivative(cells.front()), 0)),
      sql_.number(evaluated(derivative(cells.back()), 1)));
}

std::string SqlTerms::surface(const Tensor& tensor, std::size_t place, std::size_t offset) const {
  const std::size_t axis = tensor.axes[place];
  const std::size_t functions = model_.axes[axis].functions();
  std::vector<std::string> sums;
  for (std::size_t f = 0; f < functions; ++f) {
    const std::size_t at = offset * functions + f;
    const std::string factor =
        place + 1 == tensor.axes.size() ? sql_.number(tensor.values[at]) : surface(tensor, place + 1, at);
    sums.push_back(fmt::format("b{}_{} * {}", axis, f, factor));
  }
  return sums.size() == 1 ? "(" + sums.front() + ")" : joined(sums, "+");
}

std::string SqlTerms::shift(const MeanShift& shift, const std::string& eta) const {
  const std::vector<double>& places = shift.places;
  const std::vector<double>& shifts = shift.shifts;
  return pieces(eta, places, 0, places.size(), [&](std::size_t piece) {
    if (piece == 0) return sql_.number(shifts.front());
    if (piece == places.size()) return sql_.number(shifts.back());
    const double slope = (shifts[piece] - shifts[piece - 1]) / (places[piece] - places[piece - 1]);
    return fmt::format("{} + ({} - {}) * {}", sql_.number(shifts[piece - 1]), eta,
                       sql_.number(places[piece - 1]), sql_.number(slope));
  });
}

std::string SqlTerms::bounded(const std::string& at, double least, double most) const {
  return fmt::format("(CASE WHEN {0} < {1} THEN {1} WHEN {0} > {2} THEN {2} ELSE {0} END)", at,
                     sql_.number(least), sql_.number(most));
}

std::string SqlTerms::inverse_link(const std::string& z) const {
  if (model_.link == Link::square_root)
    return fmt::format("CASE WHEN {0} > {1} THEN {0} * {0} ELSE {2} END", z, sql_.number(least_number),
                       sql_.number(0));
  const std::string held = bounded(z, smallest_exponent, largest_exponent);
  if (model_.link == Link::logit) return fmt::format("{0} / ({0} + exp(-{1}))", sql_.number(1), held);
  return fmt::format("exp{}", held);
}

std::string SqlTerms::limited(const Range& limits, const std::string& mean) const {
  constexpr double most = std::numeric_limits<double>::max();
  std::string text = "CASE WHEN refused = 1 THEN NULL";
  if (std::isfinite(limits.lowest))
    text += fmt::format(" WHEN {0} < {1} THEN {1}", mean, sql_.number(limits.lowest));
  if (std::isfinite(limits.highest))
    text += fmt::format(" WHEN {0} > {1} THEN {1}", mean, sql_.number(limits.highest));
  return text + fmt::format(" WHEN {0} >= {1} AND {0} <= {2} THEN {0} END", mean, sql_.number(-most),
                            sql_.number(most));
}

std::string SqlTerms::with_known_part(const std::string& mean) const {
  if (!model_.known) return mean;
  const std::string known = fmt::format("x{}", model_.known->input);
  if (model_.known->use == KnownPart::Use::summand) return fmt::format("{} + {}", mean, known);
  const auto unless_tiny = [&](const std::string& value) {
    return fmt::format("(CASE WHEN {0} > {1} AND {0} < {2} THEN {3} ELSE {0} END)", value,
                       sql_.number(-least_number), sql_.number(least_number), sql_.number(0));
  };
  // Products of numbers up to these are finite; beyond there is no prediction.
  const bool factor = model_.known->use == KnownPart::Use::factor;
  const double largest_mean = factor ? 1e200 : 1e40;
  constexpr double largest_offset = 600;
  constexpr double smallest_offset = -230;
  if (factor)
    return fmt::format("CASE WHEN {} <= {} THEN {} * {} END", mean, sql_.number(largest_mean),
                       unless_tiny(mean), unless_tiny(known));
  return fmt::format("CASE WHEN {} <= {} AND {} <= {} THEN {} * exp{} END", mean, sql_.number(largest_mean),
                     known, sql_.number(largest_offset), unless_tiny(mean),
                     bounded(known, smallest_offset, largest_offset));
}

std::string SqlTerms::class_score(const std::string& mean) const {
  const std::string held = bounded(mean, least_probability, 1 - least_probability);
  return fmt::format("{} * ln{} - {} * ln({} - {})", sql_.number(model_.coupling->yes), held,
                     sql_.number(model_.coupling->no), sql_.number(1), held);
}

std::string SqlTerms::class_share(const std::string& score, const std::string& largest) const {
  return fmt::format("CASE WHEN {0} - {1} < {2} THEN {3} ELSE exp({0} - {1}) END", score, largest,
                     sql_.number(-largest_exponent), sql_.number(0));
}

}  // namespace kore::portable

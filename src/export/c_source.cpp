#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "export/c_runtime.hpp"
#include "export/export.hpp"
#include "kore/error.hpp"

namespace kore::portable {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Names of members that no two columns share and that are no words of C or C++.
std::vector<std::string> member_names(const std::vector<Input>& inputs) {
  std::set<std::string> taken(c_keywords.begin(), c_keywords.end());
  std::vector<std::string> names;
  for (const Input& input : inputs) {
    std::string name;
    for (const char c : input.name) name += is_letter(c) || is_digit(c) ? c : '_';
    if (name.empty() || !is_letter(name.front()) || name.front() == '_') name = "column_" + name;
    while (!taken.insert(name).second) name += "_";
    names.push_back(std::move(name));
  }
  return names;
}

/// A text between quotes: whatever is not plain is written in octal, so that nothing of it is code.
std::string literal(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    const bool plain = is_letter(c) || is_digit(c) ||
                       (c != '\0' && std::string_view(" .,:;+-=()<>#&!").find(c) != std::string_view::npos);
    all += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return all + "\"";
}

std::string number(double value) {
  std::string digits = fmt::format("{}", value);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

template <class Values, class Word>
std::string array(const std::string& type, const std::string& name, const Values& values, const Word& word) {
  std::string all = fmt::format("static const {} {}[{}] = {{", type, name, values.size());
  std::size_t column = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string item = word(values[i]) + (i + 1 < values.size() ? "," : "");
    const bool wrap = i == 0 || column + item.size() > 110;
    all += wrap ? "\n  " : " ";
    column = wrap ? item.size() : column + item.size() + 1;
    all += item;
  }
  return all + "\n};\n";
}

std::string numbers(const std::string& name, const std::vector<double>& values) {
  return array("double", name, values, number);
}

class Source {
 public:
  Source(const Portable& model, std::string_view name)
      : model_(model), name_(name), members_(member_names(model.inputs)) {
    for (const Axis& axis : model.axes) width_ = std::max(width_, axis.width());
  }

  std::string write() const {
    return head() + fmt::format("#ifndef {}_DECLARATIONS\n\n", name_) + helpers() + data() + code() +
           fmt::format("\n#endif /* {}_DECLARATIONS */\n", name_);
  }

 private:
  bool has(bool (*test)(const Axis&)) const { return std::ranges::any_of(model_.axes, test); }

  std::string head() const {
    std::string text = fmt::format(
        "/* Predicts {0}. Written by kore export.\n"
        "   C99 without libraries, allocation, locale or state; it may be called from several threads at "
        "once.\n"
        "   A call takes about {1} bytes of the stack.\n"
        "   To use it from another file: #define {2}_DECLARATIONS, then #include this file. */\n"
        "#ifndef {2}_INCLUDED\n#define {2}_INCLUDED\n\n"
        "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
        "/* A row. A missing number is NaN, a missing text a null pointer. Dates and times are days since\n"
        "   1970-01-01, yes and no 1 and 0. A text that training did not have counts as the model says. */\n"
        "struct {2}_row {{\n",
        comment_text(model_.target.empty() ? "the target" : model_.target),
        model_.axes.size() * (width_ + 1) * 8 + 256, name_);
    for (std::size_t i = 0; i < members_.size(); ++i)
      text += fmt::format("  {}{}; /* {} ({}) */\n", model_.inputs[i].category() ? "const char *" : "double ",
                          members_[i], comment_text(model_.inputs[i].name), word_for(model_.inputs[i].kind));
    if (members_.empty()) text += "  double unused;\n";
    const std::string_view refused = model_.refuses_outside ? " or outside the training range," : "";
    return text + "};\n\n" +
           fmt::format(fmt::runtime(model_.coupling ? c_class_functions : c_functions), name_, refused,
                       model_.sums.size()) +
           "#ifdef __cplusplus\n}\n#endif\n\n#endif\n\n";
  }

  std::string helpers() const {
    std::string text = fmt::format("struct axis {{\n  int first;\n  double value[{}];\n}};\n\n",
                                   std::max<std::size_t>(width_, 1));
    if (std::ranges::any_of(model_.inputs, &Input::category)) text += c_find_text;
    if (has([](const Axis& axis) {
          return axis.single.has_value() || (axis.curve && !axis.curve->warp.identity());
        }) ||
        std::ranges::any_of(model_.sums, [](const Sum& sum) { return !sum.shift.places.empty(); }))
      text += c_count_up_to;
    if (has([](const Axis& axis) { return axis.curve && !axis.curve->warp.identity(); })) text += c_warp;
    if (has([](const Axis& axis) { return axis.curve && axis.curve->period > 0; })) text += c_less_periods;
    if (has([](const Axis& axis) { return axis.single.has_value(); })) text += c_single;
    std::set<int> degrees;
    for (const Axis& axis : model_.axes)
      if (axis.curve) degrees.insert(axis.curve->degree);
    for (const int degree : degrees) text += local_function(degree);
    std::set<std::size_t> orders;
    for (const Sum& sum : model_.sums)
      for (const Part& term : sum.terms) orders.insert(term.axes.size());
    for (std::size_t order = 1; !orders.empty() && order <= *orders.rbegin(); ++order)
      text += c_sums.at(order - 1);
    const bool offset = model_.known && model_.known->use == KnownPart::Use::exponential;
    if (model_.link == Link::logarithm || model_.link == Link::logit || offset) text += c_exponential;
    if (model_.coupling) text += c_logarithm;
    return text;
  }

  /// Fills an axis at a position: the outside rule, the cell, the values.
  static std::string local_function(int degree) {
    std::string text = fmt::format(
        "static void curve_{}(struct axis *to, double position, int intervals, int outside)\n{{\n", degree);
    text += c_curve_body;
    const auto horner = [](const std::vector<double>& p) {
      std::string all = number(p.back());
      for (std::size_t i = p.size() - 1; i-- > 0;) all = fmt::format("({} + u * {})", number(p[i]), all);
      return all;
    };
    const auto local = local_polynomials(degree);
    for (std::size_t s = 0; s < local.size(); ++s)
      text += fmt::format("  to->value[{}] = {};\n", s, horner(local[s]));
    text += "  if (beyond != 0.0) {\n";
    for (std::size_t s = 0; s < local.size(); ++s) {
      std::vector<double> slopes;
      for (std::size_t p = 1; p < local[s].size(); ++p)
        slopes.push_back(static_cast<double>(p) * local[s][p]);
      text += fmt::format("    to->value[{}] += beyond * {};\n", s, horner(slopes));
    }
    return text + "  }\n}\n\n";
  }

  std::string data() const {
    std::string text;
    for (std::size_t i = 0; i < model_.inputs.size(); ++i)
      if (model_.inputs[i].category()) text += level_data(i);
    for (std::size_t a = 0; a < model_.axes.size(); ++a) {
      const Axis& axis = model_.axes[a];
      if (has_own_warp(a) && axis.curve->period == 0)
        text += numbers(fmt::format("nodes_{}", a), axis.curve->warp.nodes) +
                numbers(fmt::format("warped_{}", a), axis.curve->warp.values);
      if (axis.single) text += numbers(fmt::format("single_{}", a), axis.single->values);
      if (axis.table) {
        text += array("int", fmt::format("first_{}", a), axis.table->first,
                      [](std::size_t first) { return std::to_string(first); });
        std::vector<double> flat;
        for (const auto& row : axis.table->values) flat.insert(flat.end(), row.begin(), row.end());
        text += numbers(fmt::format("values_{}", a), flat);
      }
    }
    for (std::size_t k = 0; k < model_.sums.size(); ++k) {
      const Sum& sum = model_.sums[k];
      for (std::size_t t = 0; t < sum.terms.size(); ++t)
        text += fmt::format("/* {} */\n", comment_text(sum.terms[t].name)) +
                numbers(fmt::format("term_{}_{}", k, t), sum.terms[t].coefficients);
      if (!sum.shift.places.empty())
        text += numbers(fmt::format("shift_places_{}", k), sum.shift.places) +
                numbers(fmt::format("shifts_{}", k), sum.shift.shifts);
    }
    return text + "\n";
  }

  bool has_own_warp(std::size_t a) const {
    const Axis& axis = model_.axes[a];
    return axis.curve && !axis.curve->plain() && warp_place(model_, a) == a;
  }

  /// Levels in the order of their bytes, so that they are found by bisection; those with a zero byte are no
  /// texts of C.
  std::string level_data(std::size_t i) const {
    const std::vector<std::string>& levels = model_.inputs[i].levels;
    std::vector<std::size_t> order;
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (levels[level].find('\0') == std::string::npos) order.push_back(level);
    std::ranges::sort(order, {}, [&](std::size_t level) { return levels[level]; });
    if (order.empty()) return {};
    return array("char *const", fmt::format("levels_{}", i), order,
                 [&](std::size_t level) { return literal(levels[level]); }) +
           array("int", fmt::format("codes_{}", i), order,
                 [](std::size_t level) { return std::to_string(level); });
  }

  std::string read_input(std::size_t i) const {
    const Input& input = model_.inputs[i];
    if (input.category()) {
      const auto listed = static_cast<std::size_t>(std::ranges::count_if(
          input.levels, [](const std::string& l) { return l.find('\0') == std::string::npos; }));
      const std::string found = listed == 0
                                    ? std::to_string(input.other_code())
                                    : fmt::format("find_text(levels_{0}, codes_{0}, {1}, row->{2}, {3})", i,
                                                  listed, members_[i], input.other_code());
      return fmt::format("  const int c{} = row->{} == 0 ? {} : {};\n", i, members_[i], input.missing_code(),
                         found);
    }
    std::string text = fmt::format(
        "  const int m{0} = row->{1} != row->{1};\n  const double x{0} = m{0} ? {2} : row->{1};\n", i,
        members_[i], number(input.stand_in));
    text += fmt::format("  if (x{0} - x{0} != 0.0) return 0;\n", i);  // an infinite number
    if (input.allowed)
      text += fmt::format("  if (x{0} < {1} || x{0} > {2}) return 0;\n", i, number(input.allowed->lowest),
                          number(input.allowed->highest));
    return text;
  }

  std::string warped(std::size_t a) const {
    const Axis& axis = model_.axes[a];
    const Curve& curve = *axis.curve;
    if (curve.period > 0)
      return fmt::format("  const double w{} = less_periods(x{}, {}, {}, {});\n", a, axis.input,
                         number(curve.first), number(curve.period), number(curve.farthest()));
    return fmt::format("  const double w{0} = warp(nodes_{0}, warped_{0}, {1}, x{2});\n", a,
                       curve.warp.nodes.size(), axis.input);
  }

  std::string fill_axis(std::size_t a) const {
    const Axis& axis = model_.axes[a];
    if (axis.single)
      return fmt::format("  single_value(&axes[{0}], single_{0}, {1}, x{2});\n", a,
                         axis.single->values.size(), axis.input);
    if (axis.table) {
      const std::string code =
          fmt::format("{}{}", model_.inputs[axis.input].category() ? "c" : "m", axis.input);
      std::string text = fmt::format("  axes[{0}].first = first_{0}[{1}];\n", a, code);
      for (std::size_t s = 0; s < axis.table->width; ++s)
        text += fmt::format("  axes[{0}].value[{1}] = values_{0}[{2} * {3} + {1}];\n", a, s, code,
                            axis.table->width);
      return text;
    }
    const Curve& curve = *axis.curve;
    const std::string at =
        curve.plain() ? fmt::format("x{}", axis.input) : fmt::format("w{}", warp_place(model_, a));
    return fmt::format("  curve_{}(&axes[{}], ({} - {}) * {}, {}, {});\n", curve.degree, a, at,
                       number(curve.first), number(curve.scale), curve.intervals,
                       static_cast<int>(curve.outside));
  }

  std::string term(std::size_t k, std::size_t t) const {
    const Part& part = model_.sums[k].terms[t];
    std::string text = fmt::format("  sums[{}] += sum_{}(term_{}_{}", k, part.axes.size(), k, t);
    for (const std::size_t a : part.axes) text += fmt::format(", &axes[{}], {}", a, model_.axes[a].width());
    for (std::size_t c = 1; c < part.axes.size(); ++c)
      text += fmt::format(", {}", model_.axes[part.axes[c]].functions());
    return text + ");\n";
  }

  std::string code() const {
    std::string text = fmt::format(
        "/* The sums of terms; 0 where a row has none. */\n"
        "static int add_up(const struct {}_row *row, double *sums)\n{{\n",
        name_);
    if (!model_.axes.empty()) text += fmt::format("  struct axis axes[{}];\n", model_.axes.size());
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) text += read_input(i);
    for (std::size_t a = 0; a < model_.axes.size(); ++a)
      if (has_own_warp(a)) text += warped(a);
    for (std::size_t a = 0; a < model_.axes.size(); ++a) text += fill_axis(a);
    for (std::size_t k = 0; k < model_.sums.size(); ++k) {
      text += fmt::format("  sums[{}] = {};\n", k, number(model_.sums[k].intercept));
      for (std::size_t t = 0; t < model_.sums[k].terms.size(); ++t) text += term(k, t);
    }
    if (model_.inputs.empty()) text += "  (void)row;\n";
    for (std::size_t i = 0; i < model_.inputs.size(); ++i)
      text += fmt::format("  (void){}{};\n", model_.inputs[i].category() ? "c" : "m", i);
    text += "  return 1;\n}\n\n";
    for (std::size_t k = 0; k < model_.sums.size(); ++k) text += mean(k);
    return text + (model_.coupling ? classes() : one_prediction());
  }

  /// Carries a sum to a mean within its limits.
  std::string mean(std::size_t k) const {
    const Sum& sum = model_.sums[k];
    std::string text = fmt::format("static double mean_{}(double mean)\n{{\n", k);
    if (!sum.shift.places.empty())
      text += fmt::format(fmt::runtime(c_shift), k, sum.shift.places.size(), sum.shift.places.size() - 1);
    if (model_.link == Link::logarithm) text += "  mean = exponential(mean);\n";
    if (model_.link == Link::logit) text += "  mean = 1.0 / (1.0 + exponential(-mean));\n";
    if (model_.link == Link::square_root) text += "  mean = mean > 0.0 ? mean * mean : mean - mean;\n";
    if (std::isfinite(sum.limits.lowest))
      text += fmt::format("  if (mean < {0}) mean = {0};\n", number(sum.limits.lowest));
    if (std::isfinite(sum.limits.highest))
      text += fmt::format("  if (mean > {0}) mean = {0};\n", number(sum.limits.highest));
    return text + "  return mean;\n}\n\n";
  }

  std::string one_prediction() const {
    std::string known;
    if (model_.known) {
      using enum KnownPart::Use;
      const std::string& member = members_[model_.known->input];
      known = fmt::format("  const double known = row->{0} != row->{0} ? {1} : row->{0};\n", member,
                          number(model_.inputs[model_.known->input].stand_in));
      known += model_.known->use == factor    ? "  mean *= known;\n"
               : model_.known->use == summand ? "  mean += known;\n"
                                              : "  mean *= exponential(known);\n";
    }
    return fmt::format(fmt::runtime(c_prediction), name_, known);
  }

  std::string classes() const {
    std::vector<std::string> names;
    for (const Sum& sum : model_.sums) names.push_back(sum.name);
    std::string means;
    for (std::size_t k = 0; k < model_.sums.size(); ++k)
      means += fmt::format("  probability[{0}] = mean_{0}(probability[{0}]);\n", k);
    std::string listed;
    for (const std::string& name : names) listed += (listed.empty() ? "\n  " : ",\n  ") + literal(name);
    return fmt::format("const char *const {}_classes[{}] = {{{}\n}};\n\n", name_, names.size(), listed) +
           fmt::format(fmt::runtime(c_class_prediction), name_, means, names.size(), least_probability,
                       1 - least_probability, number(model_.coupling->yes), number(model_.coupling->no));
  }

  const Portable& model_;
  std::string name_;
  std::vector<std::string> members_;
  std::size_t width_ = 0;
};

}  // namespace

std::string to_c(const Portable& model, std::string_view name) {
  const bool identifier = !name.empty() && is_letter(name.front()) && name.front() != '_' &&
                          std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
  if (!identifier || std::ranges::find(c_keywords, name) != c_keywords.end())
    throw Error(
        ErrorCode::invalid_argument, "not_an_identifier",
        "'{name}' cannot begin names in C: it must be a letter followed by letters, digits and underscores.",
        {{"name", name}});
  return Source(model, name).write();
}

}  // namespace kore::portable

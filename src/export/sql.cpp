#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "export/export.hpp"
#include "export/sql_dialect.hpp"
#include "export/sql_terms.hpp"
#include "kore/error.hpp"

namespace kore::portable {
namespace {

constexpr std::string_view source = "kore_input";
/// Values beyond it count as this: some databases refuse a row as soon as a number overflows. No value of
/// real tables is so large, and predictions have limits.
constexpr double largest_value = 1e100;
/// Where a polynomial goes on, rows further outside have no prediction, in units of knot intervals.
constexpr double largest_position = 1e30;
/// Databases limit the columns of a step: PostgreSQL to 1664.
constexpr std::size_t most_functions = 600;

/// A step of the query: what it computes of the step before.
struct Step {
  std::vector<std::pair<std::string, std::string>> columns;  ///< Name and expression.

  void add(std::string name, std::string expression) {
    columns.emplace_back(std::move(name), std::move(expression));
  }
  void carry(const std::string& name) { add(name, name); }
};

class Query {
 public:
  Query(const Portable& model, const SqlOptions& options)
      : model_(model), sql_(options.dialect), options_(options), terms_(model, sql_) {}

  std::string write() {
    check_names();
    read_columns();
    fill_gaps();
    find_positions();
    add_terms();
    carry_to_target();
    return text();
  }

 private:
  void check_names() const {
    for (const std::string& name : options_.keep)
      if (name == "prediction")
        throw Error(ErrorCode::invalid_argument, "sql_name_is_taken",
                    "The column 'prediction' cannot be kept: the result has a column of that name.");
  }

  /// Every step hands on the kept columns.
  Step next_step() const {
    Step step;
    for (std::size_t k = 0; k < options_.keep.size(); ++k) step.carry(fmt::format("kept{}", k));
    return step;
  }

  void read_columns() {
    const auto column = [&](const std::string& name) {
      return fmt::format("{}.{}", source, sql_.name(name));
    };
    Step step;
    for (std::size_t k = 0; k < options_.keep.size(); ++k)
      step.add(fmt::format("kept{}", k), column(options_.keep[k]));
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      const Input& input = model_.inputs[i];
      if (input.category())
        step.add(fmt::format("c{}", i), code_of(input, column(input.name)));
      else
        step.add(fmt::format("r{}", i), sql_.read_number(column(input.name), input.kind));
    }
    if (step.columns.empty()) step.add("one", sql_.number(1));
    steps_.push_back(std::move(step));
  }

  /// Levels that are numbers are compared as numbers: databases write those as texts in different ways.
  std::string code_of(const Input& input, const std::string& column) const {
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

  std::string number_literal(const std::string& text) const {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() || *end != '\0' ? std::string() : sql_.number(value);
  }

  void fill_gaps() {
    Step step = next_step();
    std::vector<std::string> refused;
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      const Input& input = model_.inputs[i];
      if (input.category()) {
        step.carry(fmt::format("c{}", i));
        continue;
      }
      const std::string raw = fmt::format("r{}", i);
      const auto beyond = [&](double low, double high) {
        return fmt::format("{0} < {1} OR {0} > {2}", raw, sql_.number(low), sql_.number(high));
      };
      step.add(fmt::format("x{}", i),
               fmt::format("CASE WHEN {0} IS NULL THEN {1} WHEN {0} < {2} THEN {2} WHEN {0} > {3} THEN {3} "
                           "ELSE {0} END",
                           raw, sql_.number(input.stand_in), sql_.number(-largest_value),
                           sql_.number(largest_value)));
      if (terms_.needs_flag(i))
        step.add(fmt::format("m{}", i), fmt::format("CASE WHEN {} IS NULL THEN 1 ELSE 0 END", raw));
      constexpr double most = std::numeric_limits<double>::max();
      refused.push_back(beyond(-most, most));
      if (input.allowed) refused.push_back(beyond(input.allowed->lowest, input.allowed->highest));
      for (const Axis& axis : model_.axes)
        if (axis.input == i && axis.curve && axis.curve->outside == Curve::Outside::polynomial &&
            axis.curve->degree > 1) {
          const double reach = largest_position / axis.curve->scale;
          refused.push_back(beyond(-reach, reach));
        }
    }
    step.add("refused",
             refused.empty() ? "0" : fmt::format("CASE WHEN {} THEN 1 ELSE 0 END", joined(refused, "OR")));
    steps_.push_back(std::move(step));
  }

  void carry_inputs(Step& step) const {
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      if (model_.inputs[i].category()) {
        step.carry(fmt::format("c{}", i));
        continue;
      }
      step.carry(fmt::format("x{}", i));
      if (terms_.needs_flag(i)) step.carry(fmt::format("m{}", i));
    }
    step.carry("refused");
  }

  void find_positions() {
    Step warped = next_step();
    carry_inputs(warped);
    std::set<std::size_t> known;
    for (const Axis& axis : model_.axes)
      if (axis.curve && !axis.curve->warp.identity() && known.insert(axis.input).second)
        warped.add(fmt::format("w{}", axis.input), terms_.warped(axis));
    if (!known.empty()) steps_.push_back(std::move(warped));
    Step positions = next_step();
    carry_inputs(positions);
    for (std::size_t a = 0; a < model_.axes.size(); ++a)
      if (model_.axes[a].curve) positions.add(fmt::format("p{}", a), terms_.position(a));
    steps_.push_back(std::move(positions));
    Step held = next_step();
    carry_axes(held, false);
    for (std::size_t a = 0; a < model_.axes.size(); ++a)
      if (model_.axes[a].curve) {
        held.add(fmt::format("q{}", a), terms_.held_position(a));
        if (terms_.has_tangent(a)) held.add(fmt::format("d{}", a), terms_.beyond(a));
      }
    steps_.push_back(std::move(held));
  }

  /// What the terms are made of.
  void carry_axes(Step& step, bool with_positions = true) const {
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      const std::string name = fmt::format("{}{}", model_.inputs[i].category() ? "c" : "x", i);
      if (model_.inputs[i].category() || terms_.needs_value(i)) step.carry(name);
      if (terms_.needs_flag(i)) step.carry(fmt::format("m{}", i));
    }
    step.carry("refused");
    for (std::size_t a = 0; with_positions && a < model_.axes.size(); ++a)
      if (model_.axes[a].curve) {
        step.carry(fmt::format("q{}", a));
        if (terms_.has_tangent(a)) step.carry(fmt::format("d{}", a));
      }
  }

  /// Terms of at most one curve need nothing else; those of several need the functions of their curves as
  /// columns. These are made for a few terms at a time.
  void add_terms() {
    std::vector<std::string> sums{sql_.number(model_.intercept)};
    std::vector<std::size_t> surfaces;
    for (std::size_t t = 0; t < model_.terms.size(); ++t)
      if (terms_.curves_of(t).size() < 2)
        sums.push_back(terms_.value(t));
      else
        surfaces.push_back(t);
    Step step = next_step();
    if (!surfaces.empty())
      carry_axes(step);
    else
      step.carry("refused");
    step.add("eta", joined(sums, "+"));
    steps_.push_back(std::move(step));
    while (!surfaces.empty()) {
      std::set<std::size_t> axes;
      std::size_t functions = 0;
      std::size_t taken = 0;
      for (; taken < surfaces.size(); ++taken) {
        for (const std::size_t a : terms_.curves_of(surfaces[taken]))
          if (axes.insert(a).second) functions += model_.axes[a].functions();
        if (functions > most_functions && taken > 0) break;
      }
      const std::vector<std::size_t> now(surfaces.begin(),
                                         surfaces.begin() + static_cast<std::ptrdiff_t>(taken));
      surfaces.erase(surfaces.begin(), surfaces.begin() + static_cast<std::ptrdiff_t>(taken));
      add_surfaces(now, !surfaces.empty());
    }
  }

  void add_surfaces(const std::vector<std::size_t>& surfaces, bool more) {
    std::set<std::size_t> axes;
    for (const std::size_t t : surfaces)
      for (const std::size_t a : terms_.curves_of(t)) axes.insert(a);
    const auto carried = [&] {
      Step step = next_step();
      carry_axes(step);
      step.carry("eta");
      return step;
    };
    Step cells = carried();
    Step values = carried();
    Step functions = carried();
    for (const std::size_t a : axes) {
      cells.add(fmt::format("g{}", a), terms_.cell(a));
      values.carry(fmt::format("g{}", a));
      for (std::size_t s = 0; s < model_.axes[a].width(); ++s)
        values.add(fmt::format("v{}_{}", a, s), terms_.local_value(a, s));
      for (std::size_t f = 0; f < model_.axes[a].functions(); ++f)
        functions.add(fmt::format("b{}_{}", a, f), terms_.function(a, f));
    }
    for (Step* step : {&cells, &values, &functions}) steps_.push_back(std::move(*step));
    std::vector<std::string> sums{"eta"};
    for (const std::size_t t : surfaces) sums.push_back(terms_.value(t));
    Step last = next_step();
    if (more)
      carry_axes(last);
    else
      last.carry("refused");
    last.add("eta", joined(sums, "+"));
    steps_.push_back(std::move(last));
  }

  void carry_to_target() {
    const auto hand_on = [&](const std::string& name, std::string expression) {
      Step step = next_step();
      step.carry("refused");
      step.add(name, std::move(expression));
      steps_.push_back(std::move(step));
    };
    if (model_.link != Link::identity) {
      hand_on("z", model_.shift.places.empty() ? "eta" : fmt::format("(eta + {})", terms_.shift("eta")));
      hand_on("mean", terms_.inverse_link("z"));
    } else {
      hand_on("mean", "eta");
    }
    Step step;
    for (std::size_t k = 0; k < options_.keep.size(); ++k)
      step.add(sql_.name(options_.keep[k]), fmt::format("kept{}", k));
    step.add("prediction", terms_.limited("mean"));
    steps_.push_back(std::move(step));
  }

  std::string text() const {
    std::string all =
        fmt::format("-- Predicts {}. Written by kore export for {}; {} stands for the table.\nWITH ",
                    comment_text(model_.target.empty() ? "the target" : model_.target),
                    word_for(options_.dialect), source);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const bool last = s + 1 == steps_.size();
      if (!last) all += fmt::format("{}kore_{} AS {}(", s > 0 ? ", " : "", s, sql_.fence_before());
      all += "\nSELECT ";
      for (std::size_t c = 0; c < steps_[s].columns.size(); ++c) {
        const auto& [name, expression] = steps_[s].columns[c];
        all += c > 0 ? ",\n  " : "";
        all += name == expression ? name : fmt::format("{} AS {}", expression, name);
      }
      all += s == 0 ? fmt::format("\nFROM {} AS {}", table_name(), source)
                    : fmt::format("\nFROM kore_{}", s - 1);
      all += last ? "\n" : fmt::format("{}\n)", sql_.fence_after());
    }
    return all;
  }

  /// Points separate a table from its schema.
  std::string table_name() const {
    std::string all;
    for (std::size_t from = 0;;) {
      const std::size_t point = options_.table.find('.', from);
      all += sql_.name(options_.table.substr(from, point - from));
      if (point == std::string::npos) return all;
      all += ".";
      from = point + 1;
    }
  }

  const Portable& model_;
  Dialect sql_;
  const SqlOptions& options_;
  SqlTerms terms_;
  std::vector<Step> steps_;
};

}  // namespace

std::string to_sql(const Portable& model, const SqlOptions& options) { return Query(model, options).write(); }

}  // namespace kore::portable

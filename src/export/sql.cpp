#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
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
constexpr double most_of_a_value = 1e100;
/// No value is more knot intervals away from zero than this, for the same reason.
constexpr double most_of_a_position = 1e200;
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
    std::set<std::string> taken;
    for (const std::string& name : result_names()) taken.insert(name);
    for (const std::string& name : options_.keep)
      if (taken.contains(name))
        throw Error(ErrorCode::invalid_argument, "sql_name_is_taken",
                    "The column '{column}' cannot be kept: the result has a column of that name.",
                    {{"column", name}});
  }

  /// As those of `kore predict`.
  std::vector<std::string> result_names() const {
    if (!model_.coupling) return {"prediction"};
    std::vector<std::string> names{"class"};
    for (const Sum& sum : model_.sums) names.push_back("probability:" + sum.name);
    return names;
  }

  /// Every step hands on the kept columns, and the known part of the row as soon as it is read.
  Step next_step() const {
    Step step;
    for (std::size_t k = 0; k < options_.keep.size(); ++k) step.carry(fmt::format("kept{}", k));
    if (model_.known && steps_.size() > 1) step.carry(fmt::format("x{}", model_.known->input));
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
        step.add(fmt::format("c{}", i), terms_.code_of(input, column(input.name)));
      else
        step.add(fmt::format("r{}", i), sql_.read_number(column(input.name), input.kind));
    }
    if (step.columns.empty()) step.add("one", sql_.number(1));
    steps_.push_back(std::move(step));
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
      const double largest = largest_value(i);
      const auto beyond = [&](double low, double high) {
        return fmt::format("{0} < {1} OR {0} > {2}", raw, sql_.number(low), sql_.number(high));
      };
      step.add(fmt::format("x{}", i),
               fmt::format("CASE WHEN {0} IS NULL THEN {1} WHEN {0} < {2} THEN {2} WHEN {0} > {3} THEN {3} "
                           "ELSE {0} END",
                           raw, sql_.number(input.stand_in), sql_.number(-largest), sql_.number(largest)));
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

  double largest_value(std::size_t input) const {
    double largest = most_of_a_value;
    for (const Axis& axis : model_.axes) {
      if (axis.input != input || !axis.curve) continue;
      const Warp& warp = axis.curve->warp;
      double steepest = axis.curve->scale;
      for (std::size_t n = 0; n + 1 < warp.nodes.size(); ++n)
        steepest = std::max(steepest, axis.curve->scale * (warp.values[n + 1] - warp.values[n]) /
                                          (warp.nodes[n + 1] - warp.nodes[n]));
      largest = std::min(largest, most_of_a_position / steepest);
    }
    return largest;
  }

  void carry_inputs(Step& step) const {
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      if (model_.inputs[i].category()) {
        step.carry(fmt::format("c{}", i));
        continue;
      }
      if (!model_.is_known(i)) step.carry(fmt::format("x{}", i));
      if (terms_.needs_flag(i)) step.carry(fmt::format("m{}", i));
    }
    step.carry("refused");
  }

  void find_positions() {
    Step warped = next_step();
    carry_inputs(warped);
    const std::size_t carried = warped.columns.size();
    for (std::size_t a = 0; a < model_.axes.size(); ++a)
      if (model_.axes[a].curve && !model_.axes[a].curve->plain() && warp_place(model_, a) == a)
        warped.add(fmt::format("w{}", a), terms_.warped(model_.axes[a]));
    if (warped.columns.size() > carried) steps_.push_back(std::move(warped));
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

  static std::string eta(std::size_t sum) { return fmt::format("eta{}", sum); }
  void carry_sums(Step& step) const {
    for (std::size_t k = 0; k < model_.sums.size(); ++k) step.carry(eta(k));
  }

  /// Terms of at most one curve need nothing else; those of several need the functions of their curves as
  /// columns. These are made for a few terms at a time.
  void add_terms() {
    std::vector<const Part*> surfaces;
    std::vector<std::string> sums;
    for (const Sum& sum : model_.sums) {
      std::vector<std::string> parts{sql_.number(sum.intercept)};
      for (const Part& term : sum.terms)
        if (terms_.curves_of(term).size() < 2)
          parts.push_back(terms_.value(term));
        else
          surfaces.push_back(&term);
      sums.push_back(joined(parts, "+"));
    }
    Step step = next_step();
    if (!surfaces.empty())
      carry_axes(step);
    else
      step.carry("refused");
    for (std::size_t k = 0; k < sums.size(); ++k) step.add(eta(k), sums[k]);
    steps_.push_back(std::move(step));
    while (!surfaces.empty()) {
      std::set<std::size_t> axes;
      std::size_t functions = 0;
      std::size_t taken = 0;
      for (; taken < surfaces.size(); ++taken) {
        for (const std::size_t a : terms_.curves_of(*surfaces[taken]))
          if (axes.insert(a).second) functions += model_.axes[a].functions();
        if (functions > most_functions && taken > 0) break;
      }
      const auto end = surfaces.begin() + static_cast<std::ptrdiff_t>(taken);
      const std::set<const Part*> now(surfaces.begin(), end);
      surfaces.erase(surfaces.begin(), end);
      add_surfaces(now, !surfaces.empty());
    }
  }

  void add_surfaces(const std::set<const Part*>& surfaces, bool more) {
    std::set<std::size_t> axes;
    for (const Part* term : surfaces)
      for (const std::size_t a : terms_.curves_of(*term)) axes.insert(a);
    const auto carried = [&] {
      Step step = next_step();
      carry_axes(step);
      carry_sums(step);
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
    Step last = next_step();
    if (more)
      carry_axes(last);
    else
      last.carry("refused");
    for (std::size_t k = 0; k < model_.sums.size(); ++k) {
      std::vector<std::string> parts{eta(k)};
      for (const Part& term : model_.sums[k].terms)
        if (surfaces.contains(&term)) parts.push_back(terms_.value(term));
      last.add(eta(k), joined(parts, "+"));
    }
    steps_.push_back(std::move(last));
  }

  /// A step with one expression for each sum, of a column of the step before.
  void for_each_sum(std::string_view name, const std::function<std::string(std::size_t)>& expression) {
    Step step = next_step();
    step.carry("refused");
    for (std::size_t k = 0; k < model_.sums.size(); ++k)
      step.add(fmt::format("{}{}", name, k), expression(k));
    steps_.push_back(std::move(step));
  }

  void carry_to_target() {
    std::string mean = "eta";
    if (model_.link != Link::identity) {
      for_each_sum("z", [&](std::size_t k) {
        const MeanShift& shift = model_.sums[k].shift;
        return shift.places.empty() ? eta(k) : fmt::format("({} + {})", eta(k), terms_.shift(shift, eta(k)));
      });
      for_each_sum("mean", [&](std::size_t k) { return terms_.inverse_link(fmt::format("z{}", k)); });
      mean = "mean";
    }
    const auto held = [&](std::size_t k) {
      return terms_.limited(model_.sums[k].limits, fmt::format("{}{}", mean, k));
    };
    const bool plain = !model_.coupling && !model_.known;
    if (!plain) for_each_sum("held", held);
    Step step;
    for (std::size_t k = 0; k < options_.keep.size(); ++k)
      step.add(sql_.name(options_.keep[k]), fmt::format("kept{}", k));
    if (model_.coupling)
      add_classes(step);
    else
      step.add("prediction", plain ? held(0) : terms_.with_known_part("held0"));
    steps_.push_back(std::move(step));
  }

  /// Scores are logarithms of the shares; the largest is taken off, so that no exponential overflows.
  void add_classes(Step& step) {
    for_each_sum("score", [&](std::size_t k) { return terms_.class_score(fmt::format("held{}", k)); });
    std::vector<std::string> scores;
    std::vector<std::string> shares;
    Step largest = next_step();
    largest.carry("refused");
    for (std::size_t k = 0; k < model_.sums.size(); ++k) {
      scores.push_back(fmt::format("score{}", k));
      shares.push_back(fmt::format("share{}", k));
      largest.carry(scores.back());
    }
    largest.add("largest", sql_.greatest(scores));
    steps_.push_back(std::move(largest));
    for_each_sum("share", [&](std::size_t k) { return terms_.class_share(scores[k], "largest"); });
    Step total = next_step();
    for (const std::string& share : shares) total.carry(share);
    total.add("total", joined(shares, "+"));
    steps_.push_back(std::move(total));
    std::string most = "CASE WHEN total IS NULL THEN NULL";
    for (std::size_t k = 0; k < shares.size(); ++k)
      most += fmt::format(" WHEN {} >= {} THEN {}", shares[k], sql_.number(1), class_text(k));
    step.add(sql_.name("class"), most + " END");
    for (std::size_t k = 0; k < shares.size(); ++k)
      step.add(sql_.name("probability:" + model_.sums[k].name), shares[k] + " / total");
  }

  std::string class_text(std::size_t k) const {
    const std::string text = sql_.text(model_.sums[k].name);
    return text.empty() ? "NULL" : text;
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

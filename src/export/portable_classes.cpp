#include <algorithm>

#include "export/portable.hpp"

// The models of classes as one.
namespace kore::portable {
namespace {

/// Values go the same way until they become positions.
bool same_warp(const Curve& a, const Curve& b) {
  return a.warp.nodes == b.warp.nodes && a.warp.values == b.warp.values && a.period == b.period &&
         (a.period == 0 || a.first == b.first);
}

bool same_curve(const Curve& a, const Curve& b) {
  return same_warp(a, b) && a.first == b.first && a.scale == b.scale && a.intervals == b.intervals &&
         a.degree == b.degree && a.outside == b.outside;
}

bool same_axis(const Axis& a, const Axis& b) {
  if (a.input != b.input) return false;
  if (a.curve && b.curve) return same_curve(*a.curve, *b.curve);
  if (a.single && b.single) return a.single->values == b.single->values;
  return a.table && b.table && a.table->functions == b.table->functions && a.table->first == b.table->first &&
         a.table->values == b.table->values;
}

std::size_t input_in(Portable& all, const Input& input) {
  const auto found = std::ranges::find(all.inputs, input.name, &Input::name);
  if (found != all.inputs.end()) return static_cast<std::size_t>(found - all.inputs.begin());
  all.inputs.push_back(input);
  return all.inputs.size() - 1;
}

std::size_t axis_in(Portable& all, Axis axis) {
  const auto found = std::ranges::find_if(all.axes, [&](const Axis& one) { return same_axis(one, axis); });
  if (found != all.axes.end()) return static_cast<std::size_t>(found - all.axes.begin());
  all.axes.push_back(std::move(axis));
  return all.axes.size() - 1;
}

/// Adds the model of a class to those of the others. Columns are encoded in the same way in all of them.
void add_class(const std::string& name, Portable one, Portable& all) {
  std::vector<std::size_t> places;
  for (const Input& input : one.inputs) input_in(all, input);
  for (Axis& axis : one.axes) {
    axis.input = input_in(all, one.inputs[axis.input]);
    places.push_back(axis_in(all, std::move(axis)));
  }
  Sum& sum = one.sums.front();
  sum.name = name;
  const auto renumber = [&](std::vector<Part>& parts) {
    for (Part& part : parts)
      for (std::size_t& axis : part.axes) axis = places[axis];
  };
  renumber(sum.terms);
  for (ReadableEffect& effect : sum.effects) renumber(effect.parts);
  all.sums.push_back(std::move(sum));
  all.link = one.link;
  all.refuses_outside = all.refuses_outside || one.refuses_outside;
}

}  // namespace

Portable portable_of(const table::ClassModel& fitted) {
  Portable all;
  all.target = fitted.target();
  all.coupling = fitted.coupling;
  for (std::size_t k = 0; k < fitted.classes.size(); ++k)
    add_class(fitted.classes[k], portable_of(fitted.models[k]), all);
  return all;
}

std::size_t warp_place(const Portable& model, std::size_t axis) {
  const Axis& wanted = model.axes[axis];
  for (std::size_t a = 0; a < axis; ++a)
    if (model.axes[a].input == wanted.input && model.axes[a].curve &&
        same_warp(*model.axes[a].curve, *wanted.curve))
      return a;
  return axis;
}

}  // namespace kore::portable

#include "fit/carried_means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grow/stage.hpp"

namespace kore {
namespace {

constexpr std::size_t rows_per_group = 50;
constexpr std::size_t most_groups = 12;
constexpr std::size_t nodes = 49;
constexpr double beyond = 0.5;  // of the range of values, on either side of it
constexpr int most_steps = 20;

struct Group {
  std::vector<std::size_t> rows;
  double place = 0;     ///< Mean value.
  double shift = 0;     ///< From the common form to one that adds up.
  double variance = 0;  ///< Of this shift, by chance.
};

class Carrying {
 public:
  Carrying(TargetScale scale, const UncarriedRows& rows, const Range& limits)
      : scale_(scale), rows_(rows), limits_(limits) {
    std::vector<std::size_t> all;
    for (std::size_t r = 0; r < rows.eta.size(); ++r)
      if (rows.weight[r] > 0) all.push_back(r);
    std::ranges::stable_sort(all, {}, [&](std::size_t r) { return rows_.eta[r]; });
    order_ = std::move(all);
  }

  MeanShift run() {
    if (order_.empty()) return {};
    fit_form();
    find_groups();
    draw_to_form();
    return table();
  }

 private:
  /// `g` of the mean by the common form.
  double formed(double eta) const {
    if (scale_ == TargetScale::logarithm) return eta + form_;
    const double root = std::max(eta, 0.0);
    return std::sqrt(root * root + form_);
  }

  double mean(double value) const {
    return std::clamp(from_scale(scale_, value), limits_.lowest, limits_.highest);
  }

  struct Sums {
    double weight = 0;
    double target = 0;
    double mean = 0;
  };
  Sums sums(std::span<const std::size_t> rows, double shift) const {
    Sums found;
    for (const std::size_t r : rows) {
      found.weight += rows_.weight[r];
      found.target += rows_.weight[r] * rows_.target[r];
      found.mean += rows_.weight[r] * mean(formed(rows_.eta[r]) + shift);
    }
    return found;
  }

  /// A factor of the mean, or a variance to add, with which all rows add up.
  void fit_form() {
    for (int step = 0; step < most_steps; ++step) {
      const Sums now = sums(order_, 0);
      if (!(now.target > 0 && now.mean > 0) && scale_ == TargetScale::logarithm) return;
      const double before = form_;
      form_ = scale_ == TargetScale::logarithm ? form_ + std::log(now.target / now.mean)
                                               : std::max(form_ + (now.target - now.mean) / now.weight, 0.0);
      if (std::abs(form_ - before) <= 1e-14 * std::abs(form_)) return;
    }
  }

  void find_groups() {
    const std::size_t count = std::clamp<std::size_t>(order_.size() / rows_per_group, 1, most_groups);
    for (std::size_t g = 0; g < count; ++g) {
      Group group;
      const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(g * order_.size() / count);
      const auto end = order_.begin() + static_cast<std::ptrdiff_t>((g + 1) * order_.size() / count);
      group.rows.assign(begin, end);
      double weight = 0;
      for (const std::size_t r : group.rows) {
        weight += rows_.weight[r];
        group.place += rows_.weight[r] * rows_.eta[r];
      }
      group.place /= weight;
      solve(group);
      groups_.push_back(std::move(group));
    }
  }

  /// On the logarithm one step adds up; on the square root each leaves a part of the distance.
  void solve(Group& group) const {
    for (int step = 0; step < most_steps; ++step) {
      const Sums now = sums(group.rows, group.shift);
      if (!(now.target > 0 && now.mean > 0)) break;
      const double change =
          to_scale(scale_, now.target / now.weight) - to_scale(scale_, now.mean / now.weight);
      group.shift += change;
      if (std::abs(change) <= 1e-12) break;
    }
    double squares = 0;
    double slope = 0;
    for (const std::size_t r : group.rows) {
      const double own = mean(formed(rows_.eta[r]) + group.shift);
      squares += std::pow(rows_.weight[r] * (rows_.target[r] - own), 2);
      slope += rows_.weight[r] * (scale_ == TargetScale::logarithm ? own : 2 * std::sqrt(own));
    }
    group.variance = slope > 0 ? squares / (slope * slope) : 0;
  }

  /// The variance of true shifts between groups is what their squares have beyond chance.
  void draw_to_form() {
    double ratios = 0;
    double precisions = 0;
    for (const Group& group : groups_) {
      if (!(group.variance > 0)) continue;
      ratios += group.shift * group.shift / group.variance;
      precisions += 1 / group.variance;
    }
    const auto count = static_cast<double>(groups_.size());
    const double between = precisions > 0 ? std::max(ratios - count, 0.0) / precisions : 0;
    for (Group& group : groups_) group.shift *= between > 0 ? between / (between + group.variance) : 0;
  }

  MeanShift table() const {
    std::vector<double> places;
    std::vector<double> shifts;
    for (const Group& group : groups_)
      if (places.empty() || group.place > places.back()) {
        places.push_back(group.place);
        shifts.push_back(group.shift);
      }
    const double lowest = rows_.eta[order_.front()];
    const double length = rows_.eta[order_.back()] - lowest;
    MeanShift found;
    double last = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < nodes; ++i) {
      const double share = static_cast<double>(i) / (nodes - 1);
      const double place = lowest + length * ((1 + 2 * beyond) * share - beyond);
      if (!found.places.empty() && !(place > found.places.back())) break;
      last = std::max(formed(place) + interpolated(places, shifts, place), last);
      found.places.push_back(place);
      found.shifts.push_back(last - place);
    }
    return found;
  }

  TargetScale scale_;
  UncarriedRows rows_;
  Range limits_;
  std::vector<std::size_t> order_;  // by rising value
  double form_ = 0;
  std::vector<Group> groups_;
};

}  // namespace

MeanShift carried_means(TargetScale scale, const UncarriedRows& rows, const Range& limits) {
  if (scale == TargetScale::identity) return {};
  return Carrying(scale, rows, limits).run();
}

Range prediction_limits(TargetScale scale, const Range& target) {
  const PredictorLimits around = normal_response().limits({target.lowest, target.highest});
  Range limits{around.lowest, around.highest};
  if (scale != TargetScale::identity) limits.lowest = std::max(limits.lowest, 0.0);
  return limits;
}

}  // namespace kore

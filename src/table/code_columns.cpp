#include "table/code_columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "pass/survey_passes.hpp"

namespace kore::table {
namespace {

constexpr double least_code = 100;  // counts, ages and hours begin below
constexpr std::size_t fewest_values = 20;
constexpr std::size_t rows_per_value = 2;
constexpr std::size_t sampled_rows = 5000;
/// Neighbours differ by more than chance explains, in standard errors.
constexpr double certainty = 4;
/// Of the variance between values, the share that neighbours must have of it. It is small where a curve
/// follows the values, and one where their order says nothing.
constexpr double unordered_share = 0.25;

/// Ranks, because a few large targets would hide everything else. Equal targets share the mean of their
/// ranks.
std::vector<double> ranks_of(std::span<const double> target) {
  std::vector<std::size_t> order(target.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t row) { return target[row]; });
  std::vector<double> ranks(target.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && target[order[last]] == target[order[first]]) ++last;
    for (std::size_t at = first; at < last; ++at)
      ranks[order[at]] = static_cast<double>(first + last - 1) / 2;
  }
  return ranks;
}

/// The targets of the rows that have one value.
struct Group {
  double rows = 0;
  double sum = 0;
  double squares = 0;

  double mean() const { return sum / rows; }
};

std::vector<Group> groups_of(std::span<const double> values, std::span<const double> target) {
  const std::vector<double> ranks = ranks_of(target);
  std::map<double, Group> groups;
  for (std::size_t row = 0; row < values.size(); ++row) {
    Group& group = groups[values[row]];
    group.rows += 1;
    group.sum += ranks[row];
    group.squares += ranks[row] * ranks[row];
  }
  std::vector<Group> in_order;
  for (const auto& [value, group] : groups) in_order.push_back(group);
  return in_order;
}

/// An analysis of variance: are rows of a value alike, and how much of the differences between values is
/// found between neighbours?
bool neighbours_differ(const std::vector<Group>& groups, double rows) {
  const auto count = static_cast<double>(groups.size());
  const double mean = std::transform_reduce(groups.begin(), groups.end(), 0.0, std::plus(),
                                            [](const Group& g) { return g.sum; }) /
                      rows;
  double within = 0;
  double between = 0;
  double squared_rows = 0;
  for (const Group& group : groups) {
    within += group.squares - group.sum * group.mean();
    between += group.rows * (group.mean() - mean) * (group.mean() - mean);
    squared_rows += group.rows * group.rows;
  }
  double neighbours = 0;
  double weights = 0;
  for (std::size_t g = 1; g < groups.size(); ++g) {
    const double weight = 1 / (1 / groups[g - 1].rows + 1 / groups[g].rows);
    const double step = groups[g].mean() - groups[g - 1].mean();
    neighbours += weight * step * step;
    weights += weight;
  }
  const double noise = within / (rows - count);
  const double variance = (between - (count - 1) * noise) / (rows - squared_rows / rows);
  const double variance_of_neighbours = (neighbours - (count - 1) * noise) / (2 * weights);
  // Of noise alone, a squared step has the variance 2 noise^2, and half of that again because steps overlap.
  const double by_chance = noise * std::sqrt(3 * (count - 1));
  return neighbours - (count - 1) * noise > certainty * by_chance &&
         variance_of_neighbours > unordered_share * variance;
}

bool may_be_codes(const ColumnSummary& column) {
  const auto whole = [](double value) { return value == std::trunc(value); };
  return !column.is_category() && column.type == ColumnType::number && column.present() > 0 &&
         column.minimum >= least_code && whole(column.minimum) && whole(column.maximum) &&
         whole(2 * column.median) && column.maximum - column.minimum + 1 >= fewest_values;
}

/// The features that may be codes.
std::vector<std::size_t> candidates(std::span<const ColumnSummary> columns, const Encoding& encoding) {
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < encoding.features.size(); ++j) {
    if (encoding.features[j].kind != EncodedKind::numeric) continue;
    const std::string& name = encoding.columns[encoding.features[j].column].name;
    const auto summary = std::ranges::find(columns, name, &ColumnSummary::name);
    if (summary != columns.end() && may_be_codes(*summary)) found.push_back(j);
  }
  return found;
}

}  // namespace

bool are_codes(std::span<const double> values, std::span<const double> target) {
  if (std::ranges::any_of(values, [](double v) { return v < least_code || v != std::trunc(v); }))
    return false;
  const std::vector<Group> groups = groups_of(values, target);
  return groups.size() >= fewest_values && values.size() >= rows_per_value * groups.size() &&
         neighbours_differ(groups, static_cast<double>(values.size()));
}

std::vector<Message> code_column_notes(std::span<const ColumnSummary> columns, const Encoding& encoding,
                                       const RowSource& rows) {
  const std::vector<std::size_t> features = candidates(columns, encoding);
  if (features.empty()) return {};
  SurveyPass pass(rows.columns(), {}, sampled_rows);
  rows.run(pass, 1);
  const std::size_t drawn = pass.sample()->rows();
  const auto sample = std::move(*pass.sample()).take();
  std::vector<Message> notes;
  for (const std::size_t j : features)
    if (are_codes(std::span(sample.x).subspan(j * drawn, drawn), sample.y))
      notes.emplace_back(
          "numbers_are_codes",
          "Column '{column}' has whole numbers that look like codes: rows with the same value are "
          "alike, and rows with neighbouring values are not.",
          std::vector<Argument>{{"column", encoding.columns[encoding.features[j].column].name}});
  return notes;
}

}  // namespace kore::table

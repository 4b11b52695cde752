#include "table/running_summary.hpp"

#include <algorithm>
#include <cmath>

#include "table/level_counts.hpp"
#include "table/refusals.hpp"

namespace kore::table {
namespace {

void add_number(ColumnSummary& summary, bool& has_third_value, double value) {
  if (std::isinf(value)) refuse_infinity(summary.name);
  const bool first = summary.present() == 0;
  ++summary.rows;
  if (first) {
    summary.minimum = summary.maximum = value;
    return;
  }
  // A value between the two, or a new end while both were taken: a third one.
  const bool known = value == summary.minimum || value == summary.maximum;
  if (!known && summary.minimum < summary.maximum) has_third_value = true;
  summary.minimum = std::min(summary.minimum, value);
  summary.maximum = std::max(summary.maximum, value);
}

}  // namespace

void RunningSummary::begin(const Frame& piece) {
  for (std::size_t c = 0; c < piece.columns.size(); ++c) {
    const Column& column = piece.columns[c];
    State state;
    state.summary.name = column.name;
    state.summary.categorical = categorical_.at(c) || column.declared_category;
    state.summary.type = column.type;
    if (!state.summary.is_category()) state.median.emplace();
    columns_.push_back(std::move(state));
  }
}

Column RunningSummary::column_of(const Frame& piece, const State& state) const {
  const auto found = std::find_if(piece.columns.begin(), piece.columns.end(),
                                  [&](const Column& column) { return column.name == state.summary.name; });
  if (found == piece.columns.end())
    refuse_data("column_not_in_later_rows", "Column '{column}' of the first rows is not in later ones.",
                {{"column", state.summary.name}});
  return state.summary.is_category() ? as_texts(*found, piece.rows)
                                     : as_numbers(*found, state.summary.type, piece.rows);
}

void RunningSummary::add(const Frame& piece, std::span<const double> weights) {
  // A plan says which columns there are, even where these are none.
  if (columns_.empty() && !travels_) begin(piece);
  rows_ += piece.rows;
  precisions_.add(weights);
  for (State& state : columns_) {
    const Column column = column_of(piece, state);
    if (column.is_text()) {
      add_texts(column, state);
      if (travels_) check_texts(state);
      continue;
    }
    for (std::size_t row = 0; row < piece.rows; ++row) {
      if (std::isnan(column.numbers[row])) {
        ++state.summary.rows;
        ++state.summary.missing;
      } else {
        add_number(state.summary, state.has_third_value, column.numbers[row]);
        state.has_fraction = state.has_fraction || column.numbers[row] != std::trunc(column.numbers[row]);
        state.median->add(column.numbers[row]);
      }
    }
  }
}

/// Counts places of the dictionary, so that every text is looked for only once.
void RunningSummary::add_texts(const Column& column, State& state) {
  std::vector<std::uint64_t> counts(column.dictionary.size());
  for (const std::int32_t code : column.codes) {
    if (code < 0)
      ++state.summary.missing;
    else
      ++counts[static_cast<std::size_t>(code)];
  }
  state.summary.rows += column.codes.size();
  for (std::size_t d = 0; d < counts.size(); ++d)
    if (counts[d] > 0) state.levels[std::string(column.dictionary[d])] += counts[d];
}

void RunningSummary::begin_medians() {
  finds_medians_ = true;
  for (State& state : columns_)
    if (state.summary.present() == 0) state.median.reset();
  end_median_pass();
}

bool RunningSummary::wants_medians() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const State& state) { return state.searches(); });
}

void RunningSummary::add_to_medians(const Frame& piece) {
  std::vector<double> values;
  for (State& state : columns_) {
    if (!state.searches()) continue;
    const Column column = column_of(piece, state);
    values.clear();
    for (std::size_t row = 0; row < piece.rows; ++row) values.push_back(column.numbers[row]);
    state.median->add(values);
  }
}

void RunningSummary::end_median_pass() {
  std::vector<MedianSelector*> searches;
  for (State& state : columns_) {
    if (!state.searches()) continue;
    state.median->end_pass();
    if (!state.median->found()) searches.push_back(&*state.median);
  }
  MedianSelector::share_room(searches);
}

std::vector<ColumnSummary> RunningSummary::finish() {
  std::vector<ColumnSummary> summaries;
  for (State& state : columns_) {
    ColumnSummary& summary = state.summary;
    if (state.median) summary.median = state.median->median();
    summary.two_values = summary.minimum < summary.maximum && !state.has_third_value;
    summary.whole = !summary.is_category() && summary.present() > 0 && !state.has_fraction;
    for (auto& [text, rows] : state.levels) count_level(summary, {text, rows});
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace kore::table

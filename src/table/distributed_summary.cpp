#include <cmath>
#include <set>

#include "base/utf8.hpp"
#include "design/design_bytes.hpp"
#include "kore/error.hpp"
#include "table/refusals.hpp"
#include "table/running_summary.hpp"

// A running summary over rows on several machines: plans and findings as bytes.

namespace kore::table {
namespace {

/// The most different texts of a column that are sent. A category has a few hundred; identifiers of rows
/// would fill the memory.
constexpr std::size_t most_texts = std::size_t{1} << 20;

[[noreturn]] void damaged() {
  throw Error(ErrorCode::corrupt_file, "summary_of_another_table",
              "The KORE summary of columns belongs to another table.");
}

[[noreturn]] void refuse_memory(std::uint64_t most_bytes) {
  throw Error(ErrorCode::corrupt_file, "task_too_large",
              "The KORE task asks for medians that take more than the {most} bytes that there are. It is "
              "damaged, or meant for a larger machine.",
              {{"most", most_bytes}});
}

std::string read_words(ByteReader& in) {
  std::string words = in.text();
  if (!is_utf8(words)) damaged();
  return words;
}

}  // namespace

RunningSummary::RunningSummary(const Frame& example, std::vector<bool> categorical)
    : categorical_(std::move(categorical)) {
  if (categorical_.empty()) categorical_.resize(example.columns.size());
  if (categorical_.size() != example.columns.size())
    throw Error(ErrorCode::invalid_argument, "category_mark_count_mismatch",
                "There are {columns} columns, but {marks} marks of which are categories.",
                {{"columns", example.columns.size()}, {"marks", categorical_.size()}});
  for (std::size_t c = 0; c < example.columns.size(); ++c) {
    State state;
    state.summary.name = example.columns[c].name;
    state.summary.type = example.columns[c].type;
    state.summary.categorical = categorical_[c] || example.columns[c].declared_category;
    if (!state.summary.is_category()) state.median.emplace();
    columns_.push_back(std::move(state));
  }
}

void RunningSummary::check_texts(const State& state) {
  if (state.levels.size() > most_texts)
    refuse_data("too_many_texts",
                "Column '{column}' has more than {most} different texts, too many to count on several "
                "machines. Leave it out, or turn it into something that rows have in common.",
                {{"column", state.summary.name}, {"most", most_texts}});
}

void RunningSummary::write_plan(ByteWriter& out) const {
  out.u8(finds_medians_ ? 1 : 0);
  out.u64(columns_.size());
  for (const State& state : columns_) {
    out.text(state.summary.name);
    out.u8(static_cast<std::uint8_t>(state.summary.type));
    out.u8(state.summary.categorical ? 1 : 0);
    out.u8(state.searches() ? 1 : 0);
    if (state.searches()) state.median->write_place(out);
  }
}

RunningSummary RunningSummary::read_plan(ByteReader& in, std::uint64_t most_bytes) {
  std::uint64_t bytes = 0;
  RunningSummary summary{std::vector<bool>()};
  summary.travels_ = true;
  summary.finds_medians_ = in.u8() != 0;
  const std::size_t columns = in.count(11);
  for (std::size_t c = 0; c < columns; ++c) {
    State state;
    state.summary.name = read_words(in);
    state.summary.type = read_enum(in, ColumnType::text);
    state.summary.categorical = in.u8() != 0;
    if (in.u8() != 0) state.median = MedianSelector::read_place(in);
    if (state.median.has_value() && state.summary.is_category()) damaged();
    if (!summary.finds_medians_ && !state.median && !state.summary.is_category()) damaged();
    if (state.median && (bytes += state.median->most_bytes()) > most_bytes) refuse_memory(most_bytes);
    summary.categorical_.push_back(state.summary.categorical);
    summary.columns_.push_back(std::move(state));
  }
  return summary;
}

void RunningSummary::write_column(ByteWriter& out, const State& state) {
  const ColumnSummary& summary = state.summary;
  out.u64(summary.rows);
  out.u64(summary.missing);
  out.f64(summary.minimum);
  out.f64(summary.maximum);
  out.u8(state.has_third_value ? 1 : 0);
  out.u8(state.has_fraction ? 1 : 0);
  out.u64(state.levels.size());
  for (const auto& [text, rows] : state.levels) {
    out.text(text);
    out.u64(rows);
  }
}

void RunningSummary::merge_column(ByteReader& in, State& state) {
  ColumnSummary& mine = state.summary;
  ColumnSummary theirs;
  theirs.rows = in.u64();
  theirs.missing = in.u64();
  theirs.minimum = in.f64();
  theirs.maximum = in.f64();
  const bool third = in.u8() != 0;
  const bool fraction = in.u8() != 0;
  if (theirs.missing > theirs.rows) damaged();
  if (!mine.is_category() && theirs.present() > 0) {
    if (!std::isfinite(theirs.minimum) || !std::isfinite(theirs.maximum) || theirs.minimum > theirs.maximum)
      damaged();
    std::set<double> ends{theirs.minimum, theirs.maximum};
    if (mine.present() > 0) ends.insert({mine.minimum, mine.maximum});
    state.has_third_value = state.has_third_value || third || ends.size() > 2;
    state.has_fraction = state.has_fraction || fraction;
    mine.minimum = *ends.begin();
    mine.maximum = *ends.rbegin();
  }
  mine.rows += theirs.rows;
  mine.missing += theirs.missing;
  const std::size_t levels = in.count(16);
  std::uint64_t left = mine.is_category() ? theirs.present() : 0;
  for (std::size_t l = 0; l < levels; ++l) {
    std::string text = read_words(in);
    const std::uint64_t rows = in.u64();
    if (rows > left) damaged();
    left -= rows;
    state.levels[std::move(text)] += rows;
  }
  if (left != 0) damaged();
  check_texts(state);
}

void RunningSummary::write_found(ByteWriter& out) const {
  if (!finds_medians_) {
    out.f64(precisions_.high());
    out.f64(precisions_.low());
    out.u64(precisions_.rows());
  }
  out.u64(columns_.size());
  for (const State& state : columns_) {
    if (!finds_medians_) write_column(out, state);
    if (state.searches()) state.median->write_found(out);
  }
}

void RunningSummary::merge_found(ByteReader& in) {
  if (!finds_medians_) {
    const double high = in.f64();
    const double low = in.f64();
    if (!std::isfinite(high) || !std::isfinite(low) || high < 0) damaged();
    precisions_.merge({high, low, in.u64()});
  }
  if (in.u64() != columns_.size()) damaged();
  for (State& state : columns_) {
    if (!finds_medians_) merge_column(in, state);
    if (state.searches()) state.median->merge_found(in);
  }
  if (!in.at_end()) damaged();
}

std::size_t RunningSummary::most_median_bytes() const {
  std::size_t bytes = 0;
  for (const State& state : columns_)
    if (state.searches()) bytes += state.median->most_bytes();
  return bytes;
}

}  // namespace kore::table

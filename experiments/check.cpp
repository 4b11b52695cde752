#include "experiments/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "experiments/rivals.hpp"

namespace kore::experiments {
namespace {

std::string joined(const Row& fields) {
  std::string text;
  for (const std::string& field : fields) text += (text.empty() ? "" : ", ") + field;
  return text;
}

/// Rows of a table by their names.
std::map<Row, std::size_t> rows_by_name(const Table& table, const std::vector<std::string>& names) {
  std::map<Row, std::size_t> rows;
  for (const Group& group : group_by(table, names)) rows.emplace(group.key, group.rows.front());
  return rows;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789einf") == std::string::npos;
}

class RowComparison {
 public:
  RowComparison(Comparison& result, const Table& ours, const Table& published)
      : result_(result), ours_(ours), published_(published) {}

  void compare(const Column& column, std::size_t our_row, std::size_t published_row,
               const std::string& cell) {
    if (column.role == Role::name || column.role == Role::time) return;
    if (column.role == Role::fact || column.role == Role::selection)
      compare_texts(column, our_row, published_row, cell);
    else
      compare_numbers(column, our_row, published_row, cell);
  }

 private:
  void compare_texts(const Column& column, std::size_t our_row, std::size_t published_row,
                     const std::string& cell) {
    const std::string& here = ours_.text(our_row, column.name);
    const std::string& there = published_.text(published_row, column.name);
    if (column.role == Role::selection) {
      ++result_.selections;
      result_.agreeing += here == there ? 1 : 0;
    }
    if (here != there) result_.disagreements.push_back({cell, column.name, here, there});
  }

  void compare_numbers(const Column& column, std::size_t our_row, std::size_t published_row,
                       const std::string& cell) {
    const double here = ours_.number(our_row, column.name);
    const double there = published_.number(published_row, column.name);
    const double difference = relative_difference(here, there);
    LargestDifference& largest = column.role == Role::error ? result_.errors : result_.others;
    largest.offer(difference, cell, column.name);
    const bool bound = column.role != Role::derived;
    if (bound && !(difference <= allowed_difference))
      result_.disagreements.push_back(
          {cell, column.name, ours_.text(our_row, column.name), published_.text(published_row, column.name)});
  }

  Comparison& result_;
  const Table& ours_;
  const Table& published_;
};

/// The selector a column is about: its prefix, or KORE where there is none. Empty for discovered graphs.
std::string method_of(const std::string& column) {
  const std::string prefix = column.substr(0, column.find('_'));
  for (const char* method : {"cv", "gcv", "aic", "bic", "cp"})
    if (prefix == method || column == std::string("structure_correct_") + method) return method;
  return prefix == "disc" || prefix == "oracle" || prefix == "n" ? "" : "kore";
}

bool is_time(const std::string& column) { return column.find("time") != std::string::npos; }

/// Summaries have a line per group in the same order; every number but times is measured.
void measure_summary(Comparison& result, const NamedTable& ours, const Table& published) {
  const std::size_t rows = std::min(ours.table.rows.size(), published.rows.size());
  for (const std::string& column : ours.table.columns) {
    if (is_time(column) || !published.has(column)) continue;
    for (std::size_t r = 0; r < rows; ++r) {
      if (!is_number(ours.table.text(r, column)) || !is_number(published.text(r, column))) continue;
      result.others.offer(relative_difference(ours.table.number(r, column), published.number(r, column)),
                          ours.file + ", " + ours.table.rows[r].front(), column);
    }
  }
}

}  // namespace

void LargestDifference::offer(double difference, const std::string& where, const std::string& at) {
  if (difference <= value) return;
  value = difference;
  cell = where;
  column = at;
}

double relative_difference(double ours, double published) {
  if (ours == published || (std::isnan(ours) && std::isnan(published))) return 0;
  const double difference = std::abs(ours - published) / std::abs(published);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

Comparison compare(const Study& study, const Table& ours, const Table& published) {
  Comparison result;
  result.study = study.name;
  result.has_reference = true;
  result.published = published.rows.size();
  const std::vector<std::string> names = study.columns_with(Role::name);
  const std::map<Row, std::size_t> known = rows_by_name(published, names);
  RowComparison rows(result, ours, published);
  for (const auto& [name, row] : rows_by_name(ours, names)) {
    const auto there = known.find(name);
    if (there == known.end()) continue;
    ++result.rows;
    for (const Column& column : study.columns) rows.compare(column, row, there->second, joined(name));
  }
  return result;
}

Comparison compare_with_folder(const Study& study, const Table& ours, const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / study.file)) {
    Comparison nothing;
    nothing.study = study.name;
    return nothing;
  }
  Comparison result = compare(study, ours, read_table(folder / study.file));
  const bool whole = result.rows == result.published;  // a summary of fewer seeds is another summary
  if (whole && study.summarise)
    for (const NamedTable& summary : study.summarise(ours))
      if (std::filesystem::exists(folder / summary.file))
        measure_summary(result, summary, read_table(folder / summary.file));
  return result;
}

void explain(Comparison& comparison, const Study& study, int threads) {
  constexpr std::size_t most_looks = 10;
  std::map<std::string, const Cell*> cells;
  for (const Cell& cell : study.cells)
    for (const Row& name : cell.names) cells.emplace(joined(name), &cell);
  std::map<std::pair<const Cell*, std::string>, std::vector<Rival>> looks;
  for (Disagreement& difference : comparison.disagreements) {
    const Cell* cell = cells.contains(difference.cell) ? cells.at(difference.cell) : nullptr;
    const std::string method = method_of(difference.column);
    if (cell == nullptr || !cell->problem || method.empty()) continue;
    const std::pair key{cell, method};
    if (!looks.contains(key)) {
      if (looks.size() == most_looks) continue;
      looks[key] = ranked_candidates(cell->problem(), method, cell->seed, threads);
    }
    difference.tie = lead(looks[key]) < tie;
    difference.remark =
        (difference.tie ? "a tie: " : "the two best candidates: ") + describe_lead(looks[key]);
  }
}

}  // namespace kore::experiments

#include "experiments/runner.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

#include "base/parallel.hpp"
#include "kore/error.hpp"

namespace kore::experiments {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The rows of a study as far as they are known, and the file they live in.
class ResultFile {
 public:
  ResultFile(const Study& study, std::filesystem::path path) : study_(study), path_(std::move(path)) {
    for (std::size_t c = 0; c < study.columns.size(); ++c)
      if (study.columns[c].role == Role::name) name_positions_.push_back(c);
    if (std::filesystem::exists(path_)) read();
  }

  bool has(const Cell& cell) const {
    return std::ranges::all_of(cell.names, [&](const Row& name) { return rows_.contains(name); });
  }

  void add(const Cell& cell, std::vector<Row> rows) {
    if (rows.size() != cell.names.size())
      throw Error(ErrorCode::invalid_data, "A cell of the study '" + study_.name + "' gave " +
                                               std::to_string(rows.size()) + " rows where it names " +
                                               std::to_string(cell.names.size()) + ".");
    for (Row& row : rows) {
      if (row.size() != study_.columns.size())
        throw Error(ErrorCode::invalid_data, "A cell of the study '" + study_.name + "' gave a row of " +
                                                 std::to_string(row.size()) + " fields; it has " +
                                                 std::to_string(study_.columns.size()) + " columns.");
      Row name = name_of(row);
      rows_.insert_or_assign(std::move(name), std::move(row));
    }
  }

  bool complete(std::size_t seeds) const {
    return std::ranges::all_of(study_.cells,
                               [&](const Cell& cell) { return cell.seed >= seeds || has(cell); });
  }

  /// The known rows in the order of the cells; with what is derived if all of these seeds are there.
  Table table(std::size_t seeds) const {
    Table table{study_.column_names(), {}};
    for (const Cell& cell : study_.cells)
      for (const Row& name : cell.names)
        if (const auto row = rows_.find(name); row != rows_.end()) table.rows.push_back(row->second);
    for (const std::string& column : study_.columns_with(Role::derived))
      for (Row& row : table.rows) row[table.position(column)].clear();
    if (study_.derive && complete(seeds)) study_.derive(table);
    return table;
  }

  void write(std::size_t seeds) const { write_table(path_, table(seeds)); }

 private:
  void read() {
    Table known = read_table(path_);
    if (known.columns != study_.column_names())
      throw Error(ErrorCode::invalid_data, "The file '" + path_.string() +
                                               "' has other columns than the experiment '" + study_.name +
                                               "' writes. Move it away, or choose another folder.");
    for (Row& row : known.rows) {
      Row name = name_of(row);
      rows_.insert_or_assign(std::move(name), std::move(row));
    }
  }

  Row name_of(const Row& row) const {
    Row name;
    for (const std::size_t position : name_positions_) name.push_back(row[position]);
    return name;
  }

  const Study& study_;
  std::filesystem::path path_;
  std::vector<std::size_t> name_positions_;
  std::map<Row, Row> rows_;
};

/// Cells that are still to be run, the longest first, so that none of them is left alone at the end.
std::vector<const Cell*> missing_cells(const Study& study, const ResultFile& file, std::size_t seeds) {
  std::vector<const Cell*> missing;
  for (const Cell& cell : study.cells)
    if (cell.seed < seeds && !file.has(cell)) missing.push_back(&cell);
  std::ranges::stable_sort(missing, [](const Cell* a, const Cell* b) { return a->cost > b->cost; });
  return missing;
}

/// Runs cells, several at a time, and reports to the file as they finish.
class Run {
 public:
  Run(const Study& study, ResultFile& file, const RunOptions& options)
      : study_(study),
        file_(file),
        options_(options),
        threads_(resolve_threads(options.threads)),
        missing_(missing_cells(study, file, options.seeds)) {
    for (const Cell& cell : study.cells) wanted_ += cell.seed < options.seeds ? 1 : 0;
    for (const Cell* cell : missing_) cost_left_ += cell->cost;
  }

  std::size_t missing() const { return missing_.size(); }

  void go() {
    report();
    if (missing_.empty()) return;
    try {
      parallel_for(missing_.size(), study_.one_at_a_time ? 1 : threads_,
                   [&](std::size_t i) { run(*missing_[i]); });
    } catch (...) {
      file_.write(options_.seeds);  // what is done is done
      throw;
    }
    file_.write(options_.seeds);
  }

 private:
  void report() const {
    if (!options_.progress) return;
    const double left = cost_done_ > 0 ? seconds_since(start_) * cost_left_ / cost_done_
                                       : std::numeric_limits<double>::quiet_NaN();
    options_.progress({wanted_ - missing_.size() + done_, wanted_, left});
  }

  void run(const Cell& cell) {
    int threads = threads_;
    if (!study_.one_at_a_time) {
      // Where fewer cells are left than there are threads, each gets its share of them.
      const std::scoped_lock lock(mutex_);
      threads = std::max(1, threads_ / static_cast<int>(missing_.size() - done_));
    }
    std::vector<Row> rows = cell.compute(threads);
    const std::scoped_lock lock(mutex_);
    file_.add(cell, std::move(rows));
    ++done_;
    cost_done_ += cell.cost;
    cost_left_ -= cell.cost;
    if (seconds_since(written_) > options_.seconds_between_writes) {
      file_.write(options_.seeds);
      written_ = Clock::now();
    }
    report();
  }

  const Study& study_;
  ResultFile& file_;
  const RunOptions& options_;
  int threads_;
  std::vector<const Cell*> missing_;
  std::size_t wanted_ = 0;
  std::mutex mutex_;
  std::size_t done_ = 0;
  double cost_done_ = 0;
  double cost_left_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point written_ = start_;
};

}  // namespace

RunResult run_study(const Study& study, const std::filesystem::path& folder, const RunOptions& options) {
  const auto start = Clock::now();
  ResultFile file(study, folder / study.file);
  Run run(study, file, options);
  run.go();
  RunResult result{file.table(options.seeds), run.missing(), seconds_since(start)};
  if (study.summarise)
    for (const NamedTable& summary : study.summarise(result.table))
      write_table(folder / summary.file, summary.table);
  return result;
}

std::optional<Table> finished_table(const Study& study, const std::filesystem::path& folder,
                                    std::size_t seeds) {
  const ResultFile file(study, folder / study.file);
  if (!file.complete(seeds)) return std::nullopt;
  return file.table(seeds);
}

std::size_t seeds_in(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return 0;
  const Table table = read_table(file);
  if (!table.has("seed")) return 0;
  double largest = -1;
  for (const double seed : numbers(table, "seed")) largest = std::max(largest, seed);
  constexpr double most_seeds = 1e6;  // a number beyond it is damage, and would make as many cells
  if (!(largest < most_seeds))
    throw Error(ErrorCode::invalid_data, "The file '" + file.string() + "' has a seed of " +
                                             number_field(largest) +
                                             ". Move it away, or choose another folder.");
  return static_cast<std::size_t>(largest + 1);
}

}  // namespace kore::experiments

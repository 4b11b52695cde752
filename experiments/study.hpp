#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/selectors.hpp"
#include "experiments/table.hpp"

namespace kore::experiments {

/// What a column of a result file says, which decides how two files are compared.
enum class Role {
  name,       ///< Names the row: which cell it belongs to.
  fact,       ///< Follows from the cell alone; equal in every run.
  selection,  ///< A choice of a selector or its price; equal in every faithful run.
  error,      ///< A root mean squared error, or a ratio of two: equal to five digits.
  estimate,   ///< Another number computed from the data: equal to five digits too.
  derived,    ///< Computed from the whole table when it is complete, and again each time.
  time,       ///< Seconds; depends on the machine.
};

struct Column {
  std::string name;
  Role role = Role::name;
};

/// One unit of work: a pure function that gives the rows of one data set.
struct Cell {
  std::vector<Row> names;  ///< Of each row: its fields in the columns that name it.
  std::uint64_t seed = 0;  ///< Cells of one setting differ in it; settings without seeds have 0.
  double cost = 1;         ///< About how long it takes, compared with the study's other cells.
  /// The rows without what is derived, on so many threads; their number does not change the result.
  std::function<std::vector<Row>(int threads)> compute = {};
  /// The problem that its selectors solve, for a closer look; none where there is not a single one.
  std::function<Problem()> problem = {};
};

/// A cell that gives one row and solves one problem. `setting` is what the study varies, with a `seed`; the
/// functions give its name, its row and its problem.
template <class Setting>
Cell one_row_cell(const Setting& setting, double cost, Row (*name)(const Setting&),
                  Row (*compute)(const Setting&, int threads), Problem (*problem)(const Setting&)) {
  return {.names = {name(setting)},
          .seed = setting.seed,
          .cost = cost,
          .compute = [=](int threads) { return std::vector<Row>{compute(setting, threads)}; },
          .problem = [=] { return problem(setting); }};
}

/// Something the paper says about a study, beside what the study says here.
struct Claim {
  std::string claim;
  std::string paper;  ///< Its number.
  std::string ours;
  std::optional<bool> holds;  ///< Nothing where the paper is silent and the number is for the record.
  std::string remark;         ///< Where the paper's text and its own result files disagree, for instance.
};

struct NamedTable {
  std::string file;
  Table table;
};

/// An experiment of the paper, as data: what it measures, its cells in the published order, and what follows
/// from them.
struct Study {
  std::string name;
  std::string title;  ///< For people.
  std::string file;
  std::vector<Column> columns;
  std::vector<Cell> cells;
  bool one_at_a_time = false;  ///< Cells are timed, so that each has the machine for itself.
  std::function<void(Table&)> derive;
  std::function<std::vector<NamedTable>(const Table&)> summarise;
  std::function<std::vector<Claim>(const Table&)> claims;

  std::vector<std::string> column_names() const;
  std::vector<std::string> columns_with(Role role) const;
};

}  // namespace kore::experiments

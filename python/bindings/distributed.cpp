#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "base/memory.hpp"
#include "bindings/curve_choices.hpp"
#include "bindings/pieces.hpp"
#include "bindings/preparation.hpp"
#include "kore/error.hpp"

namespace kore::python {
namespace {

using table::Frame;
using table::RunningSummary;
using table::TablePiece;
using table::TableWork;
using Bytes = std::span<const std::byte>;
using Run = nb::typed<nb::callable, nb::bytes(nb::bytes)>;
using Pieces = nb::typed<nb::iterable, nb::typed<nb::tuple, Frame, nb::any, nb::any, nb::any>>;
using TaskDescription = nb::typed<nb::dict, nb::str, nb::any>;

Bytes view(const nb::bytes& bytes) { return {static_cast<const std::byte*>(bytes.data()), bytes.size()}; }

nb::bytes to_python(Bytes bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// Sends a task to the rows and gives the result to `use`. The lock is held only while Python runs.
template <typename Use>
void ask(const nb::object& run, Bytes task, const Use& use) {
  const nb::gil_scoped_acquire locked;
  const auto result = nb::cast<nb::bytes>(run(to_python(task)));
  const nb::gil_scoped_release unlocked;
  use(table::open_table_result(task, view(result)));
}

/// Rows that a Python function can reach: it runs the task of a pass on them.
class DistributedRows final : public RowSource {
 public:
  DistributedRows(const nb::object& run, const table::Encoding& encoding, const table::TableSummary& summary)
      : run_(run), encoding_(encoding), rows_(summary.rows), weight_factor_(summary.weight_factor) {}

  std::size_t columns() const override { return encoding_.features.size(); }

  void for_each_block(const std::function<void(const RowBlock&)>& /*visit*/) const override {
    throw Error(ErrorCode::invalid_argument, "rows_elsewhere",
                "The rows are on other machines and cannot be read here.");
  }

  void run(Pass& pass, int /*threads*/) const override {
    ask(run_, table::rows_task(encoding_, pass, weight_factor_), [&](const table::TableResult& result) {
      // A model made from passes over different rows would be meaningless.
      if (result.rows != rows_)
        throw Error(ErrorCode::invalid_data, "table_changed",
                    "The table had {rows} rows when it was read first and {later} later. It is read several "
                    "times and must be the same every time.",
                    {{"rows", rows_}, {"later", result.rows}});
      pass.merge(result.sums);
    });
  }

 private:
  const nb::object& run_;
  const table::Encoding& encoding_;
  std::uint64_t rows_;
  double weight_factor_;
};

/// A table in several places, ready for a fit.
class DistributedTraining : public Preparation {
 public:
  DistributedTraining(Run run, const Frame& example, const std::string& target, const std::string& profile,
                      const std::optional<std::vector<bool>>& categorical,
                      std::optional<std::size_t> max_levels, bool precisions)
      : Preparation(target, profile, max_levels), run_(std::move(run)) {
    const nb::gil_scoped_release unlocked;
    RunningSummary summary(example, categorical.value_or(std::vector<bool>()));
    table::TableSummary found;
    found.rows = summarize(summary);
    found.precisions = precisions;
    if (precisions) found.weight_factor = summary.precisions().factor();
    summary.begin_medians();
    while (summary.wants_medians()) {
      summarize(summary);
      summary.end_median_pass();
    }
    found.columns = summary.finish();
    prepare(std::move(found));
  }

  table::TableModel fit(const Options& options, const std::string& origin, const nb::object& progress) const {
    return fit_rows(DistributedRows(run_, encoding(), summary()), options, origin, progress);
  }

 private:
  /// One pass of the summary; returns the rows that it has seen.
  std::uint64_t summarize(RunningSummary& summary) {
    std::uint64_t rows = 0;
    ask(run_, table::summary_task(summary), [&](const table::TableResult& result) {
      ByteReader found(result.sums);
      summary.merge_found(found);
      rows = result.rows;
    });
    return rows;
  }

  nb::object run_;
};

nb::bytes run_task(const nb::bytes& task, const Pieces& pieces, int threads) {
  TableWork work(view(task));
  for_each_piece(pieces, [&](const TablePiece& piece) { work.add(piece, threads); });
  return to_python(work.serialize());
}

nb::bytes merge_results(const nb::bytes& task, const nb::typed<nb::iterable, nb::bytes>& results) {
  TableWork work(view(task));
  for (const nb::handle item : results) {
    const auto result = nb::cast<nb::bytes>(item);
    const nb::gil_scoped_release unlocked;
    work.merge(view(result));
  }
  return to_python(work.serialize());
}

TaskDescription describe_task(const nb::bytes& task) {
  const PassFacts facts = TableWork(view(task)).facts();
  TaskDescription description;
  description["kind"] = facts.kind;
  description["features"] = facts.features;
  description["columns"] = facts.columns;
  description["result_bytes"] = facts.result_bytes;
  description["task_bytes"] = task.size();
  return description;
}

}  // namespace

void bind_distributed(nb::module_& module) {
  auto bound =
      nb::class_<DistributedTraining>(
          module, "DistributedTraining",
          "A table on several machines: `run(task)` has `run_task` done on all its rows and returns what "
          "`merge_results` makes of the results. `example` has the columns of the table and may have no "
          "rows.")
          .def(nb::init<Run, const Frame&, const std::string&, const std::string&,
                        const std::optional<std::vector<bool>>&, std::optional<std::size_t>, bool>(),
               nb::arg("run"), nb::arg("example"), nb::arg("target_name"), nb::arg("profile"),
               nb::arg("categorical").none(), nb::arg("max_levels") = nb::none(),
               nb::arg("precisions") = false)
          .def_prop_ro("warnings", [](const DistributedTraining& training) { return training.warnings(); })
          .def_prop_ro("features", [](const DistributedTraining& training) { return training.features(); })
          .def_prop_ro("rows", &DistributedTraining::rows)
          .def("columns_at_most", &DistributedTraining::columns_at_most, nb::arg("options"),
               "Columns of the largest model that a fit may try.")
          .def(
              "feature_pairs",
              [](const DistributedTraining& training,
                 const std::vector<std::pair<std::string, std::string>>& columns) {
                return training.feature_pairs(columns);
              },
              nb::arg("columns"))
          .def(
              "describe_target",
              [](DistributedTraining& training, std::vector<std::string> levels, std::string exposure) {
                training.describe_target(std::move(levels), std::move(exposure));
              },
              nb::arg("levels"), nb::arg("exposure"), "As that of `Training`.")
          .def_prop_ro("held_out", [](const DistributedTraining& training) { return training.held_out(); })
          .def("fit", &DistributedTraining::fit, nb::arg("options"), nb::arg("origin"),
               nb::arg("progress").none());
  bind_curve_choices(bound);
  module.def("run_task", &run_task, nb::arg("task"), nb::arg("pieces"), nb::arg("threads") = 1,
             "Adds up what a task asks for over pieces of a table, each (frame, y, weights, groups).");
  module.def("merge_results", &merge_results, nb::arg("task"), nb::arg("results"),
             "What one `run_task` over the rows of all results would have given, but for rounding.");
  module.attr("gram_bytes_per_squared_column") = static_cast<int>(gram_bytes_per_squared_column);
  module.attr("gram_copies_of_a_distributed_fit") = gram_copies_of_a_distributed_fit;
  module.def("describe_task", &describe_task, nb::arg("task"),
             "The kind of a task, and what it takes: columns of its fits, bytes of a result.");
}

}  // namespace kore::python

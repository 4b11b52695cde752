#include "bindings/training.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "bindings/bindings.hpp"
#include "bindings/curve_choices.hpp"
#include "bindings/words.hpp"
#include "report/model_report.hpp"
#include "story/comparison.hpp"
#include "story/json.hpp"
#include "table/summarize_frame.hpp"

namespace kore::python {

Training::Training(table::Frame frame, const std::string& target, const std::string& profile,
                   const std::vector<bool>& categorical, int threads, std::optional<std::size_t> max_levels)
    : Preparation(target, profile, max_levels) {
  const nb::gil_scoped_release unlocked;
  {
    const PhaseTimer timer(phases(), "reading");
    table::TableSummary summary;
    summary.columns = table::summarize(frame, categorical, resolve_threads(threads));
    summary.rows = frame.rows;
    prepare(std::move(summary));
  }
  const PhaseTimer timer(phases(), "encoding");
  encoded_ = table::encode(frame, encoding());
}

MemorySource Training::rows_of(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                               const std::optional<DenseNumbers>& groups) const {
  return {encoded_.x, span_of(y), span_of(weights), span_of(groups)};
}

table::TableModel Training::fit(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                                const std::optional<DenseNumbers>& groups, const Options& options,
                                const std::string& origin, const nb::object& progress) const {
  return fit_rows(rows_of(y, weights, groups), options, origin, progress);
}

std::uint64_t Training::fingerprint(const DenseNumbers& y, const std::optional<DenseNumbers>& weights) const {
  const MemorySource source = rows_of(y, weights);
  const nb::gil_scoped_release unlocked;
  std::uint64_t hash = 0;
  source.for_each_block([&](const RowBlock& block) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      for (std::size_t j = 0; j < block.x.columns(); ++j) hash = mix_number(hash, block.x(r, j));
      hash = mix_number(mix_number(hash, block.y[r]), block.weight(r));
    }
  });
  return hash;
}

Result Training::loo_residuals(const table::TableModel& model, const DenseNumbers& y,
                               const std::optional<DenseNumbers>& weights, int threads) const {
  const MemorySource source = rows_of(y, weights);
  std::vector<double> residuals;
  {
    const nb::gil_scoped_release unlocked;
    residuals = kore::loo_residuals(source, model.model, threads);
  }
  return to_numpy(std::move(residuals));
}

void Training::report(const table::TableModel& model, const DenseNumbers& y,
                      const std::optional<DenseNumbers>& weights, const std::string& path,
                      int threads) const {
  const MemorySource source = rows_of(y, weights);
  const nb::gil_scoped_release unlocked;
  const report::Observed observed = report::observe(source, model.model, threads);
  report::write_report({model, &observed}, path);
}

std::string Training::diagnose(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                               const std::optional<DenseNumbers>& groups, Options options) const {
  complete(options);
  const MemorySource source = rows_of(y, weights, groups);
  const nb::gil_scoped_release unlocked;
  const Diagnosis diagnosis = kore::diagnose(source, options, names());
  story::Json json = story::diagnosis_json(diagnosis);
  json["notes"] = story::Json::array();
  if (const auto note = table::weight_note(diagnosis.summary, "")) json["notes"].push_back(worded(*note));
  return json.dump();
}

Contender Training::contender(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                              Options options) const {
  complete(options);
  return {rows_of(y, weights).block(), std::move(options), names()};
}

std::string Training::compare(const Training& paper, const DenseNumbers& y,
                              const std::optional<DenseNumbers>& weights, const Options& options,
                              const Options& paper_options, int folds, std::uint32_t seed,
                              bool limited) const {
  const CompareOptions comparison{folds, seed, limited ? options.max_columns : 0};
  Contender ours = contender(y, weights, options);
  Contender published = paper.contender(y, weights, paper_options);
  const nb::gil_scoped_release unlocked;
  return story::comparison_json(
             compare_methods(std::move(ours), std::move(published), comparison, [](const std::string&) {}))
      .dump();
}

void bind_training(nb::module_& module) {
  auto bound =
      nb::class_<Training>(module, "Training", "A table that is ready to be learned from.")
          .def(nb::init<table::Frame, const std::string&, const std::string&, const std::vector<bool>&, int,
                        std::optional<std::size_t>>(),
               nb::arg("frame"), nb::arg("target"), nb::arg("profile"), nb::arg("categorical"),
               nb::arg("threads"), nb::arg("max_levels") = nb::none())
          .def_prop_ro("warnings", [](const Training& training) { return training.warnings(); })
          .def(
              "feature_pairs",
              [](const Training& training, const std::vector<std::pair<std::string, std::string>>& columns) {
                return training.feature_pairs(columns);
              },
              nb::arg("columns"))
          .def(
              "describe_target",
              [](Training& training, std::vector<std::string> levels, std::string exposure) {
                training.describe_target(std::move(levels), std::move(exposure));
              },
              nb::arg("levels"), nb::arg("exposure"),
              "What 0 and 1 stand for, and the name of the exposures.")
          .def("fit", &Training::fit, nb::arg("y"), nb::arg("weights").none(), nb::arg("groups").none(),
               nb::arg("options"), nb::arg("origin"), nb::arg("progress").none())
          .def(
              "describe_offset",
              [](Training& training, std::string offset, table::OffsetUse use) {
                training.describe_offset(std::move(offset), use);
              },
              nb::arg("offset"), nb::arg("use"), "The name of the offsets, and how they were taken out.")
          .def("fingerprint", &Training::fingerprint, nb::arg("y"), nb::arg("weights").none(),
               "A number that changes with any value of the rows.")
          .def_prop_ro("held_out", [](const Training& training) { return training.held_out(); })
          .def("diagnose", &Training::diagnose, nb::arg("y"), nb::arg("weights").none(),
               nb::arg("groups").none(), nb::arg("options"))
          .def("compare", &Training::compare, nb::arg("paper"), nb::arg("y"), nb::arg("weights").none(),
               nb::arg("options"), nb::arg("paper_options"), nb::arg("folds"), nb::arg("seed"),
               nb::arg("limited"))
          .def("report", &Training::report, nb::arg("model"), nb::arg("y"), nb::arg("weights").none(),
               nb::arg("path"), nb::arg("threads"))
          .def("loo_residuals", &Training::loo_residuals, nb::arg("model"), nb::arg("y"),
               nb::arg("weights").none(), nb::arg("threads"));
  bind_curve_choices(bound);
}

}  // namespace kore::python

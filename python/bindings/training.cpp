#include "bindings/training.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <set>

#include "base/parallel.hpp"
#include "bindings/bindings.hpp"
#include "data/encoding/feature_options.hpp"
#include "frame/summarize.hpp"
#include "kore/error.hpp"
#include "story/compare.hpp"

namespace kore::python {
namespace {

/// A pairwise family that these rows leave no room for is no reason to end a search over many data sets: its
/// main effects are fitted, with a note. Whatever else is wrong with the rows is wrong for those too.
Model fit_at_least_additive(const RowSource& source, Options options, const Names& names,
                            std::vector<std::string>& notes) {
  try {
    return fit(source, options, names);
  } catch (const Error& error) {
    if (options.family != FamilyChoice::pairwise) throw;
    options.family = FamilyChoice::additive;
    Model model = fit(source, options, names);
    notes.push_back(std::string(error.what()) + " Main effects were fitted alone.");
    return model;
  }
}

}  // namespace

Training::Training(frame::Frame frame, std::string target, const std::string& profile,
                   const std::vector<bool>& categorical, int threads)
    : start_(std::chrono::steady_clock::now()), target_(std::move(target)), paper_(profile == "paper") {
  const nb::gil_scoped_release unlocked;
  read_texts_as_numbers(frame, categorical);
  columns_ = frame::summarize(frame, categorical, resolve_threads(threads));
  encoding_ =
      data::make_encoding(columns_, paper_ ? data::EncodingOptions::paper() : data::EncodingOptions{});
  for (std::string& note : data::encoding_notes(columns_, encoding_)) notes_.push_back(std::move(note));
  encoded_ = frame::encode(frame, encoding_);
}

/// As the command does: what a person typed as numbers is meant as numbers.
void Training::read_texts_as_numbers(frame::Frame& frame, const std::vector<bool>& categorical) {
  for (std::size_t c = 0; c < frame.columns.size(); ++c) {
    frame::Column& column = frame.columns[c];
    if (!column.is_text() || column.declared_category || categorical[c] || !frame::holds_numbers(column))
      continue;
    column = frame::as_numbers(column, data::ColumnType::number, frame.rows);
    notes_.push_back("Column '" + column.name +
                     "' is text, but all of its values are numbers and are read as such.");
  }
}

std::vector<FeaturePair> Training::feature_pairs(
    const std::vector<std::pair<std::string, std::string>>& columns) const {
  std::vector<FeaturePair> pairs;
  std::set<FeaturePair> seen;
  for (const auto& [left, right] : columns)
    for (const std::size_t i : data::features_of(encoding_, left))
      for (const std::size_t j : data::features_of(encoding_, right)) {
        if (i == j)
          throw Error(ErrorCode::invalid_argument,
                      "The pair ('" + left + "', '" + right + "') joins a column with itself.");
        if (seen.insert(std::minmax(i, j)).second) pairs.emplace_back(i, j);
      }
  return pairs;
}

MemorySource Training::rows_of(const DenseNumbers& y, const std::optional<DenseNumbers>& weights) const {
  return {encoded_.x, span_of(y), weights ? span_of(*weights) : std::span<const double>{}};
}

void Training::complete(Options& options) const {
  if (!paper_) data::set_feature_options(options, encoding_, columns_);
}

data::TableModel Training::fit(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                               Options options, const std::string& origin, const nb::object& progress) const {
  complete(options);
  options.progress = watched(progress);
  const MemorySource source = rows_of(y, weights);
  const nb::gil_scoped_release unlocked;
  std::vector<std::string> notes = notes_;
  Model fitted = fit_at_least_additive(source, options, data::names_of(encoding_, target_), notes);
  data::TableModel model{std::move(fitted), encoding_, {}};
  model.facts.profile = paper_ ? "paper" : "default";
  model.facts.origin = origin;
  model.facts.notes = std::move(notes);
  for (const data::ColumnSummary& column : columns_) model.facts.columns.push_back(column.name);
  model.facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return model;
}

Result Training::loo_residuals(const data::TableModel& model, const DenseNumbers& y,
                               const std::optional<DenseNumbers>& weights, int threads) const {
  const MemorySource source = rows_of(y, weights);
  std::vector<double> residuals;
  {
    const nb::gil_scoped_release unlocked;
    residuals = kore::loo_residuals(source, model.model, threads);
  }
  return to_numpy(std::move(residuals));
}

std::string Training::diagnose(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                               Options options) const {
  complete(options);
  const MemorySource source = rows_of(y, weights);
  const nb::gil_scoped_release unlocked;
  return story::diagnosis_json(kore::diagnose(source, options, data::names_of(encoding_, target_))).dump();
}

std::string Training::compare(const DenseNumbers& y, const std::optional<DenseNumbers>& weights,
                              Options options, int folds, std::uint32_t seed) const {
  complete(options);
  const MemorySource source = rows_of(y, weights);
  const nb::gil_scoped_release unlocked;
  return story::comparison_json(story::compare_methods(source.block(), options,
                                                       data::names_of(encoding_, target_), {folds, seed},
                                                       [](const std::string&) {}))
      .dump();
}

/// After every fit Python gets its turn: to show what was done, and to be interrupted.
std::function<void(const Progress&)> watched(const nb::object& callback) {
  return [&callback](const Progress& fit) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!callback.is_none()) callback(to_string(fit.family), fit.resolution, fit.score.p, fit.score.loo);
  };
}

void bind_training(nb::module_& module) {
  nb::class_<Training>(module, "Training", "A table that is ready to be learned from.")
      .def(nb::init<frame::Frame, std::string, const std::string&, const std::vector<bool>&, int>(),
           nb::arg("frame"), nb::arg("target"), nb::arg("profile"), nb::arg("categorical"),
           nb::arg("threads"))
      .def("feature_pairs", &Training::feature_pairs, nb::arg("columns"))
      .def("fit", &Training::fit, nb::arg("y"), nb::arg("weights").none(), nb::arg("options"),
           nb::arg("origin"), nb::arg("progress").none())
      .def("diagnose", &Training::diagnose, nb::arg("y"), nb::arg("weights").none(), nb::arg("options"))
      .def("compare", &Training::compare, nb::arg("y"), nb::arg("weights").none(), nb::arg("options"),
           nb::arg("folds"), nb::arg("seed"))
      .def("loo_residuals", &Training::loo_residuals, nb::arg("model"), nb::arg("y"),
           nb::arg("weights").none(), nb::arg("threads"));
}

}  // namespace kore::python

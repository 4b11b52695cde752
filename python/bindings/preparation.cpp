#include "bindings/preparation.hpp"

#include <nanobind/stl/string.h>

#include "bindings/words.hpp"
#include "story/progress.hpp"

namespace kore::python {

Preparation::Preparation(std::string target, const std::string& profile,
                         std::optional<std::size_t> max_levels)
    : start_(std::chrono::steady_clock::now()), target_(std::move(target)), max_levels_(max_levels) {
  prepared_.profile = table::profile_named(profile);
}

void Preparation::prepare(table::TableSummary summary) {
  summary.target = target_;
  prepared_ = table::prepare(std::move(summary), prepared_.profile, {.max_levels = max_levels_});
}

std::vector<std::string> Preparation::warnings() const {
  std::vector<std::string> sentences;
  for (const Message& note : prepared_.notes)
    if (note.reason() == "column_names_rows") sentences.push_back(worded(note));
  return sentences;
}

std::vector<FeaturePair> Preparation::feature_pairs(
    const std::vector<std::pair<std::string, std::string>>& columns) const {
  return table::pairs_of_features(encoding(), columns);
}

void Preparation::describe_target(std::vector<std::string> levels, std::string exposure) {
  prepared_.summary.target_levels = std::move(levels);
  prepared_.summary.exposure = std::move(exposure);
}

void Preparation::describe_offset(std::string offset, table::OffsetUse use) {
  prepared_.summary.offset = std::move(offset);
  prepared_.summary.offset_use = use;
}

std::size_t Preparation::columns_at_most(const Options& options) const {
  return table::most_columns(prepared_, options, rows());
}

table::TableModel Preparation::fit_rows(const RowSource& source, Options options, const std::string& origin,
                                        const nb::object& progress) const {
  complete(options);
  options.progress = watched(progress);
  held_out_ = {};
  options.held_out_rows = [this](const HeldOutRows& rows) { held_out_ = rows; };
  const nb::gil_scoped_release unlocked;
  table::Preparation prepared = prepared_;
  table::add_notes_on_rows(prepared, source);
  // A pairwise structure that these rows leave no room for is no reason to end a search over many data sets.
  table::TableModel model = table::train(
      prepared, source, options,
      {origin, start_, [](const Message& note) { return worded(note); }, statement, phases_.phases()});
  for (const table::ColumnSummary& column : prepared.summary.columns)
    model.facts.columns.push_back(column.name);
  return model;
}

/// After every fit Python gets its turn: to show what was done, and to be interrupted.
std::function<void(const Progress&)> watched(const nb::object& callback) {
  return [&callback](const Progress& fit) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!callback.is_none() && !fit.referee) callback(story::progress_words(fit));
  };
}

}  // namespace kore::python

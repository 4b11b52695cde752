#include "bindings/preparation.hpp"

#include "bindings/words.hpp"
#include "fit/most_columns.hpp"
#include "kore/error.hpp"
#include "table/equal_columns.hpp"
#include "table/feature_options.hpp"

namespace kore::python {
namespace {

/// A pairwise structure that these rows leave no room for is no reason to end a search over many data sets:
/// its main effects are fitted, with a note. Whatever else is wrong with rows or options is wrong for those
/// too.
Model fit_at_least_additive(const RowSource& source, Options options, const Names& names,
                            std::vector<std::string>& notes) {
  try {
    return fit(source, options, names);
  } catch (const Error& error) {
    if (options.structure != StructureChoice::pairwise) throw;
    options.structure = StructureChoice::additive;
    Model model = fit(source, options, names);
    notes.push_back(statement(error.message()) + " Main effects were fitted alone.");
    return model;
  }
}

const char* to_text(StructureChoice structure) {
  return structure == StructureChoice::additive   ? "additive"
         : structure == StructureChoice::pairwise ? "pairwise"
                                                  : "auto";
}

}  // namespace

Preparation::Preparation(std::string target, const std::string& profile)
    : start_(std::chrono::steady_clock::now()), target_(std::move(target)), paper_(profile == "paper") {}

void Preparation::encode(std::vector<table::ColumnSummary> columns) {
  columns_ = std::move(columns);
  encoding_ =
      table::make_encoding(columns_, paper_ ? table::EncodingOptions::paper() : table::EncodingOptions{});
  for (std::string& note : table::encoding_notes(columns_, encoding_))
    notes_.push_back(in_words_of_python(std::move(note)));
}

Names Preparation::names() const { return table::names_of(encoding_, target_); }

std::vector<FeaturePair> Preparation::feature_pairs(
    const std::vector<std::pair<std::string, std::string>>& columns) const {
  return table::pairs_of_features(encoding_, columns);
}

void Preparation::complete(Options& options) const {
  if (!paper_) table::set_feature_options(options, encoding_, columns_);
}

std::size_t Preparation::columns_at_most(Options options, std::uint64_t rows) const {
  complete(options);
  std::vector<Feature> features(encoding_.features.size());
  for (std::size_t j = 0; j < features.size(); ++j) {
    features[j].range = {0, 1};
    if (!options.kinds.empty()) features[j].kind = options.kinds[j];
    if (!options.levels.empty()) features[j].levels = options.levels[j];
  }
  return most_columns(features, options, static_cast<double>(rows));
}

table::TableModel Preparation::fit_rows(const RowSource& source, Options options, const std::string& origin,
                                        const nb::object& progress) const {
  complete(options);
  options.progress = watched(progress);
  const nb::gil_scoped_release unlocked;
  std::vector<std::string> notes = notes_;
  for (const std::string& note : table::equal_column_notes(columns_, encoding_, source))
    notes.push_back(in_words_of_python(note));
  Model fitted = fit_at_least_additive(source, options, names(), notes);
  table::TableModel model{std::move(fitted), encoding_, {}};
  model.facts.profile = paper_ ? "paper" : "default";
  model.facts.origin = origin;
  model.facts.structure = to_text(options.structure);
  model.facts.notes = std::move(notes);
  for (const table::ColumnSummary& column : columns_) model.facts.columns.push_back(column.name);
  model.facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return model;
}

/// After every fit Python gets its turn: to show what was done, and to be interrupted.
std::function<void(const Progress&)> watched(const nb::object& callback) {
  return [&callback](const Progress& fit) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!callback.is_none()) callback(to_string(fit.structure), fit.resolution, fit.score.p, fit.score.loo);
  };
}

}  // namespace kore::python

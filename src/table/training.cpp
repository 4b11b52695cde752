#include "table/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/memory.hpp"
#include "fit/most_columns.hpp"
#include "kore/error.hpp"
#include "table/code_columns.hpp"
#include "table/equal_columns.hpp"
#include "table/feature_options.hpp"
#include "table/owned_rows.hpp"

namespace kore::table {
namespace {

/// Levels of categories may take this share of the columns of a model.
constexpr std::size_t columns_per_level = 5;

const char* to_text(StructureChoice structure) {
  return structure == StructureChoice::additive   ? "additive"
         : structure == StructureChoice::pairwise ? "pairwise"
                                                  : "auto";
}

Message missing_target_note(const TableSummary& summary) {
  return {"rows_without_target",
          summary.missing_target == 1
              ? "{rows} row has no value in the target '{target}' and is left out."
              : "{rows} rows have no value in the target '{target}' and are left out.",
          {{"rows", summary.missing_target}, {"target", summary.target}}};
}

/// Only errors about pairs: any other error would occur with main effects alone, too.
Model fit_main_effects_at_least(const Preparation& prepared, const RowSource& rows, Options options,
                                const FrontFacts& front, std::vector<std::string>& notes) {
  try {
    return fit(rows, options, prepared.names());
  } catch (const Error& error) {
    if (!front.why_no_pairs || options.structure != StructureChoice::pairwise) throw;
    options.structure = StructureChoice::additive;
    Model model = fit(rows, options, prepared.names());
    notes.push_back(front.words({"main_effects_alone",
                                 "{why} Main effects were fitted alone.",
                                 {{"why", front.why_no_pairs(error.message())}}}));
    return model;
  }
}

/// Enough digits to compare it with a number of rows.
std::string short_sum(double sum) { return fmt::format("{:.4g}", sum); }

/// Whether the limit on columns excludes models that the usual limit allows.
bool leaves_out(const Options& options, const Model& model, const std::vector<FeaturePair>& pairs,
                int max_resolution) {
  const BasisCount size = basis_count(model.design.features(), pairs, options.degree);
  const auto usual = static_cast<double>(Options{}.max_columns);
  for (int g = 1; g <= max_resolution; ++g)
    if (size(g) > static_cast<double>(options.max_columns) && size(g) <= usual &&
        size(g) < options.stability * model.summary.weight_sum)
      return true;
  return false;
}

/// After how much the values of cyclic features begin again, because values may have told it.
std::vector<Message> cyclic_notes(const Model& model) {
  std::vector<Message> notes;
  for (const Feature& feature : model.design.features())
    if (feature.cyclic)
      notes.emplace_back("cyclic_feature",
                         "'{feature}' begins again after {period}: its effects at {highest} are those at "
                         "{lowest}, and values "
                         "outside of these count as those that are whole periods away.",
                         std::vector<Argument>{{"feature", feature.name},
                                               {"period", feature.range.highest - feature.range.lowest},
                                               {"highest", feature.range.highest},
                                               {"lowest", feature.range.lowest}});
  return notes;
}

}  // namespace

const char* to_string(Profile profile) { return profile == Profile::paper ? "paper" : "default"; }

Profile profile_named(const std::string& name) {
  return name == to_string(Profile::paper) ? Profile::paper : Profile::standard;
}

Preparation prepare(TableSummary summary, Profile profile, const LevelOptions& levels) {
  EncodingOptions options = profile == Profile::paper ? EncodingOptions::paper() : EncodingOptions{};
  options.max_levels = levels.max_levels;
  options.most_levels = levels.max_columns / columns_per_level;
  Preparation prepared{profile, std::move(summary), {}, {}};
  const std::vector<ColumnSummary>& columns = prepared.summary.columns;
  prepared.encoding = make_encoding(columns, options);
  prepared.notes = prepared.summary.notes;
  std::ranges::move(encoding_notes(columns, prepared.encoding), std::back_inserter(prepared.notes));
  return prepared;
}

void add_notes_on_rows(Preparation& prepared, const RowSource& rows) {
  std::ranges::move(equal_column_notes(prepared.summary.columns, prepared.encoding, rows),
                    std::back_inserter(prepared.notes));
  std::ranges::move(code_column_notes(prepared.summary.columns, prepared.encoding, rows),
                    std::back_inserter(prepared.notes));
  if (prepared.summary.missing_target > 0) prepared.notes.push_back(missing_target_note(prepared.summary));
}

std::unique_ptr<RowSource> kept_in_memory(std::unique_ptr<RowSource> source, const Encoding& encoding,
                                          const TableSummary& summary, std::uint64_t bytes) {
  if (encoded_bytes(encoding, summary.rows, !summary.weights.empty(), !summary.group.empty()) > bytes)
    return source;
  return std::make_unique<OwnedRows>(materialize(*source, summary.rows));
}

Options profile_options(Profile profile) { return profile == Profile::paper ? Options::paper() : Options{}; }

void limit_memory(Options& options, Profile profile, std::uint64_t memory_limit) {
  if (profile == Profile::paper)
    options.published().memory_budget = memory_for_fits(memory_limit);
  else
    options.max_columns = std::min(options.max_columns, columns_in_memory(memory_for_fits(memory_limit)));
}

void complete(Options& options, const Preparation& prepared) {
  if (prepared.profile == Profile::standard)
    set_feature_options(options, prepared.encoding, prepared.summary.columns);
}

std::size_t most_columns(const Preparation& prepared, Options options, std::uint64_t rows) {
  complete(options, prepared);
  std::vector<Feature> features(prepared.encoding.features.size());
  for (std::size_t j = 0; j < features.size(); ++j) {
    features[j].range = {0, 1};
    if (!options.kinds.empty()) features[j].kind = options.kinds[j];
    if (!options.levels.empty()) features[j].levels = options.levels[j];
  }
  return kore::most_columns(features, options, static_cast<double>(rows));
}

std::optional<Message> memory_note(const Options& options, const Model& model) {
  const std::size_t usual = Options{}.max_columns;
  if (options.max_columns == 0 || options.max_columns >= usual) return std::nullopt;
  // A model with more than half of the allowed columns may have missed the next step, which doubles them.
  const bool kept_small = std::ranges::any_of(model.summary.stages, [&](const StageSummary& stage) {
    return 2 * stage.columns > options.max_columns;
  });
  const bool pairs = options.structure != StructureChoice::additive &&
                     options.pair_choice != PairChoice::none &&
                     (options.is_published() || options.grown().max_order > 1);
  const bool left_out = kept_small || leaves_out(options, model, {}, options.max_resolution_additive) ||
                        (pairs && leaves_out(options, model,
                                             options.pair_choice == PairChoice::given
                                                 ? options.pairs
                                                 : all_pairs(model.design.features().size()),
                                             options.max_resolution_pairwise));
  if (!left_out) return std::nullopt;
  return Message("memory_limit_left_models_out",
                 "The memory limit leaves room for models of {columns} columns instead of {usual}, so that "
                 "larger ones were not tried.",
                 {{"columns", options.max_columns}, {"usual", usual}});
}

std::optional<Message> weight_note(const FitSummary& summary, std::string_view weights) {
  constexpr double far = 2;
  const auto rows = static_cast<double>(summary.weighted_rows);
  const double sum = summary.weight_sum;
  if (summary.weighted_rows == 0 || (far * sum >= rows && sum <= far * rows)) return std::nullopt;
  return Message(
      "weights_far_from_rows",
      "The weights add up to {sum} in {rows} rows. Weights count rows: the model is as sure as {sum} "
      "rows would make it, and ten times the weights would make it surer.",
      {{"sum", short_sum(sum)}, {"rows", summary.weighted_rows}, {"column", weights}});
}

TableModel train(const Preparation& prepared, const RowSource& rows, Options options,
                 const FrontFacts& front) {
  PhaseTimes phases;
  phases.add(front.phases_before);
  options.phases = &phases;
  std::vector<std::string> notes;
  for (const Message& note : prepared.notes) notes.push_back(front.words(note));
  std::vector<std::string> on_structure;
  Model fitted = fit_main_effects_at_least(prepared, rows, options, front, on_structure);
  if (const auto note = memory_note(options, fitted)) notes.push_back(front.words(*note));
  if (const auto note = weight_note(fitted.summary, prepared.summary.weights))
    notes.push_back(front.words(*note));
  std::ranges::move(on_structure, std::back_inserter(notes));
  for (const Message& note : cyclic_notes(fitted)) notes.push_back(front.words(note));
  TableModel model{std::move(fitted), prepared.encoding, {}};
  model.facts.profile = to_string(prepared.profile);
  model.facts.origin = front.origin;
  model.facts.missing_target = prepared.summary.missing_target;
  model.facts.structure = to_text(options.structure);
  model.facts.target_levels = prepared.summary.target_levels;
  model.facts.exposure = prepared.summary.exposure;
  model.facts.offset = prepared.summary.offset;
  model.facts.offset_use = prepared.summary.offset_use;
  model.facts.date_format = prepared.summary.date_format;
  model.facts.words = prepared.summary.words;
  model.facts.notes = std::move(notes);
  model.facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - front.start).count();
  model.facts.phases = phases.phases();
  return model;
}

}  // namespace kore::table

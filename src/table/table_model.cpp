#include "kore/table_model.hpp"

#include <algorithm>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "kore/class_model.hpp"
#include "kore/error.hpp"
#include "table/encoding_bytes.hpp"
#include "table/named_file.hpp"

namespace kore::table {
namespace {

constexpr const char* encoding_name = "encoding";
constexpr const char* facts_name = "facts";
constexpr double longest_fit = 1e9;    // seconds: thirty years
constexpr std::size_t text_bytes = 8;  // the least that a text takes
constexpr std::size_t bytes_of_phase = 4 * 8;

void write_phases(const std::vector<Phase>& phases, ByteWriter& out) {
  out.u64(phases.size());
  for (const Phase& phase : phases) {
    out.text(phase.name);
    out.u64(phase.times);
    out.f64(phase.seconds);
    write_phases(phase.parts, out);
  }
}

std::vector<std::byte> bytes_of(const FitFacts& facts) {
  ByteWriter out;
  out.text(facts.profile);
  out.text(facts.origin);
  out.u64(facts.missing_target);
  out.f64(facts.seconds);
  out.u64(facts.notes.size());
  for (const std::string& note : facts.notes) out.text(note);
  out.u64(facts.columns.size());
  for (const std::string& column : facts.columns) out.text(column);
  out.text(facts.structure);
  out.text(facts.date_format);
  out.u64(facts.target_levels.size());
  for (const std::string& level : facts.target_levels) out.text(level);
  out.text(facts.exposure);
  out.text(facts.offset);
  out.u8(static_cast<std::uint8_t>(facts.offset_use));
  write_phases(facts.phases, out);
  out.u64(facts.words.size());
  for (const BooleanWords& words : facts.words)
    for (const std::string* text : {&words.column, &words.no, &words.yes}) out.text(*text);
  return out.take();
}

void require_fact(bool holds, std::string_view field) {
  if (!holds)
    throw Error(ErrorCode::corrupt_file, "damaged_facts",
                "The facts of the fit are damaged: its {field} cannot be.", {{"field", field}});
}

std::string read_words(ByteReader& in, std::string_view field) {
  std::string words = in.text();
  require_fact(is_utf8(words), field);
  return words;
}

/// `depth` bounds how far whoever made the bytes can make this function call itself.
std::vector<Phase> read_phases(ByteReader& in, int depth = 0) {
  constexpr int deepest = 16;
  std::vector<Phase> phases(in.count(bytes_of_phase));
  require_fact(phases.empty() || depth < deepest, "phases");
  for (Phase& phase : phases) {
    phase.name = read_words(in, "phases");
    phase.times = in.u64();
    phase.seconds = in.f64();
    require_fact(phase.seconds >= 0 && phase.seconds < longest_fit, "phases");
    phase.parts = read_phases(in, depth + 1);
  }
  return phases;
}

FitFacts read_facts(const std::vector<std::byte>& bytes) {
  ByteReader in(bytes);
  FitFacts facts;
  facts.profile = read_words(in, "profile");
  facts.origin = read_words(in, "origin");
  facts.missing_target = in.u64();
  facts.seconds = in.f64();
  require_fact(facts.seconds >= 0 && facts.seconds < longest_fit, "seconds");
  if (in.at_end()) return facts;  // written before there were notes
  facts.notes.resize(in.count(text_bytes));
  for (std::string& note : facts.notes) note = read_words(in, "notes");
  if (in.at_end()) return facts;  // written before there were columns
  facts.columns.resize(in.count(text_bytes));
  for (std::string& column : facts.columns) column = read_words(in, "columns");
  if (in.at_end()) return facts;  // written before the structure was kept
  facts.structure = read_words(in, "structure");
  if (in.at_end()) return facts;  // written before dates were kept
  facts.date_format = read_words(in, "date format");
  if (in.at_end()) return facts;  // written before there were families
  facts.target_levels.resize(in.count(text_bytes));
  require_fact(facts.target_levels.empty() || facts.target_levels.size() == 2, "levels of the target");
  for (std::string& level : facts.target_levels) level = read_words(in, "levels of the target");
  facts.exposure = read_words(in, "exposure");
  if (in.at_end()) return facts;  // written before there were offsets
  facts.offset = read_words(in, "offset");
  const std::uint8_t use = in.u8();
  require_fact(use <= static_cast<std::uint8_t>(OffsetUse::exposure), "offset");
  facts.offset_use = static_cast<OffsetUse>(use);
  if (in.at_end()) return facts;  // written before phases were timed
  facts.phases = read_phases(in);
  if (in.at_end()) return facts;  // written before the words of booleans were kept
  facts.words.resize(in.count(3 * text_bytes));
  for (BooleanWords& words : facts.words)
    for (std::string* text : {&words.column, &words.no, &words.yes})
      *text = read_words(in, "words of booleans");
  return facts;
}

bool belong_together(const Encoding& encoding, const Design& design) {
  return std::ranges::equal(encoding.features, design.features(),
                            [&](const EncodedFeature& encoded, const Feature& feature) {
                              const bool positions = encoded.kind == EncodedKind::category;
                              if (!positions || feature.kind != kore::FeatureKind::category)
                                return positions == (feature.kind == kore::FeatureKind::category);
                              const std::size_t levels = level_names(encoding.columns[encoded.column]).size();
                              return levels == static_cast<std::size_t>(feature.levels);
                            });
}

}  // namespace

BooleanWords FitFacts::words_of(const std::string& column) const {
  const auto found = std::ranges::find(words, column, &BooleanWords::column);
  return found == words.end() ? BooleanWords{column, "false", "true"} : *found;
}

namespace {

Model with_attachments(const TableModel& table_model) {
  Model model = table_model.model;
  ByteWriter encoding;
  write(encoding, table_model.encoding);
  model.attachments[encoding_name] = encoding.take();
  model.attachments[facts_name] = bytes_of(table_model.facts);
  return model;
}

/// `what` names the model in sentences: "The model 'cars.kore'".
TableModel from_attachments(Model model, const std::string& what) {
  const auto encoding = model.attachments.find(encoding_name);
  const auto facts = model.attachments.find(facts_name);
  if (encoding == model.attachments.end() || facts == model.attachments.end())
    throw Error(ErrorCode::corrupt_file, "model_of_bare_arrays",
                "{model} was fitted on bare arrays: it does not say how columns of a table become features.",
                {{"model", what}});
  ByteReader in(encoding->second);
  TableModel result{std::move(model), read_encoding(in), {}};
  result.facts = read_facts(result.model.attachments.at(facts_name));
  result.model.attachments.erase(encoding_name);  // others belong to fronts, such as Python's parameters
  result.model.attachments.erase(facts_name);
  if (!belong_together(result.encoding, result.model.design))
    throw Error(ErrorCode::corrupt_file, "encoding_of_another_design",
                "{model} is inconsistent: its encoding belongs to another design.", {{"model", what}});
  return result;
}

}  // namespace

std::vector<std::byte> to_bytes(const TableModel& model) { return kore::to_bytes(with_attachments(model)); }

TableModel table_model_from_bytes(std::span<const std::byte> bytes) {
  return from_attachments(model_from_bytes(bytes), "The model");
}

void save(const TableModel& model, const std::filesystem::path& path) {
  kore::save(with_attachments(model), path);
}

TableModel load_table_model(const std::filesystem::path& path) {
  Model model = named_after(path, [&] {
    const std::vector<std::byte> bytes = read_file(path);
    if (holds_classes(bytes))
      throw Error(ErrorCode::invalid_argument, "model_of_classes",
                  "It tells classes apart and so holds a model for each of them. Say of which class.");
    return model_from_bytes(bytes);
  });
  return from_attachments(std::move(model), "The model '" + path.string() + "'");
}

}  // namespace kore::table

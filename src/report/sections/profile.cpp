#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/drawing.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/convergence.hpp"
#include "story/influential.hpp"
#include "story/json.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

constexpr double worth_telling = 0.0005;  // a share that is shown as 0.1 % or more

/// The feature that holds the column's own values: numbers, or the positions of its levels.
std::optional<std::size_t> own_feature(const table::Encoding& encoding, std::size_t column) {
  for (std::size_t j = 0; j < encoding.features.size(); ++j) {
    const table::EncodedFeature& feature = encoding.features[j];
    if (feature.column == column &&
        (feature.kind == table::EncodedKind::numeric || feature.kind == table::EncodedKind::category))
      return j;
  }
  return std::nullopt;
}

std::string values_words(const table::TableModel& fitted, std::size_t column) {
  const table::EncodedColumn& of = fitted.encoding.columns[column];
  if (of.category)
    return story::counted(of.levels.size() + of.rare.size(), "level") +
           (of.rare.empty() ? "" : fmt::format(", {} of them rare", story::grouped(of.rare.size())));
  const auto feature = own_feature(fitted.encoding, column);
  if (!feature) return "";
  const Range& range = fitted.model.design.features()[*feature].range;
  return fmt::format("{} to {}", value_text(fitted, *feature, range.lowest),
                     value_text(fitted, *feature, range.highest));
}

std::string far_words(const Subject& subject, std::size_t column) {
  const table::EncodedColumn& of = subject.fitted.encoding.columns[column];
  const auto feature = own_feature(subject.fitted.encoding, column);
  if (subject.observed == nullptr || !feature || of.category || of.type == table::ColumnType::boolean)
    return "";
  const double share = subject.observed->samples[*feature].far_share;
  return share < worth_telling ? "none" : story::percent(share);
}

/// What was noticed while the table was read, and about its rows.
std::vector<std::string> notes_of(const table::TableModel& fitted) {
  std::vector<std::string> notes;
  for (const std::string& note : fitted.facts.notes) notes.push_back(without_folders(note));
  return notes;
}

/// Columns that say nearly the same.
DataTable near_equal_table(const Subject& subject) {
  constexpr std::size_t most = 30;
  DataTable table{"Columns that are equal or nearly so: the data can hardly tell their effects apart",
                  {"columns", "", "correlation", ""},
                  {},
                  2};
  if (subject.observed == nullptr) return table;
  const auto numeric = [&](std::size_t j) {
    return subject.fitted.encoding.features[j].kind == table::EncodedKind::numeric;
  };
  const std::vector<Feature>& features = subject.fitted.model.design.features();
  for (const NearEqual& pair : subject.observed->near_equal) {
    if (!numeric(pair.left) || !numeric(pair.right)) continue;
    if (table.rows.size() == most) break;
    table.rows.push_back({shortened(features[pair.left].name, 60), shortened(features[pair.right].name, 60),
                          fmt::format("{:.4f}", pair.correlation), pair.equal ? "equal" : ""});
  }
  return table;
}

}  // namespace

Section profile_section(const Subject& subject) {
  const table::TableModel& fitted = subject.fitted;
  Section section{"data", "The data", {}, "Data"};
  if (fitted.encoding.columns.empty()) return section;
  DataTable table{
      "Columns of the model", {"column", "kind", "values", "middle value", "missing", "far out"}, {}, 4};
  for (std::size_t c = 0; c < fitted.encoding.columns.size(); ++c) {
    const table::EncodedColumn& column = fitted.encoding.columns[c];
    const auto feature = own_feature(fitted.encoding, c);
    table.rows.push_back({shortened(column.name, 60), story::kind_of(column), values_words(fitted, c),
                          column.category || !feature ? "" : value_text(fitted, *feature, column.median),
                          column.missing_share == 0 ? "none" : story::percent(column.missing_share),
                          far_words(subject, c)});
  }
  section.blocks.push_back(std::move(table));
  if (subject.observed != nullptr)
    section.blocks.push_back(Paragraph{
        "Far out: the share of rows that lie further from the middle half of a column than three times the "
        "length of that half. A wrong value often shows there."});
  if (DataTable near = near_equal_table(subject); !near.rows.empty())
    section.blocks.push_back(std::move(near));
  if (std::vector<std::string> notes = notes_of(fitted); !notes.empty())
    section.blocks.push_back(Notes{std::move(notes)});
  DataTable left_out{"Columns that were left out", {"column", "why"}, {}, 2};
  for (const table::LeftOutColumn& column : fitted.encoding.left_out)
    left_out.rows.push_back({shortened(column.name, 60), "it " + column.reason});
  if (!left_out.rows.empty()) section.blocks.push_back(std::move(left_out));
  return section;
}

}  // namespace kore::report

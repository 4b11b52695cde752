// A table of texts, as a caller has it in memory: its target, its columns and how they become features, up to
// the fit.
#include <algorithm>
#include <array>
#include <string>

#include "c_interface/training.hpp"
#include "fuzz/uses.hpp"
#include "table/encode_frame.hpp"
#include "table/groups.hpp"
#include "table/summarize_frame.hpp"

namespace kore::fuzz {
namespace {

constexpr std::size_t most_columns = 8;

/// The parts of a text between its separators.
std::vector<std::string_view> parts_of(std::string_view text, char separator, std::size_t most) {
  std::vector<std::string_view> parts;
  while (parts.size() < most) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

/// Lines of cells, the names of the columns first. An empty cell is a missing value.
table::Frame frame_of(std::string_view text) {
  constexpr std::size_t most_rows = 200;
  const std::vector<std::string_view> lines = parts_of(text, '\n', most_rows);
  const std::vector<std::string_view> names = parts_of(lines.front(), ',', most_columns);
  std::vector<table::TextPool> pools(names.size());
  for (std::size_t row = 1; row < lines.size(); ++row) {
    const std::vector<std::string_view> cells = parts_of(lines[row], ',', names.size());
    for (std::size_t c = 0; c < names.size(); ++c)
      if (c < cells.size() && !cells[c].empty())
        pools[c].add(cells[c]);
      else
        pools[c].add_missing();
  }
  table::Frame frame;
  frame.rows = lines.size() - 1;
  for (std::size_t c = 0; c < names.size(); ++c)
    frame.columns.push_back(table::TextPool::finish(std::move(pools[c]), std::string(names[c])));
  return frame;
}

/// Columns whose texts are all numbers become numbers, then those of yes and no.
void read_types(table::Frame& frame) {
  for (table::Column& column : frame.columns)
    for (const table::ColumnType type : {table::ColumnType::number, table::ColumnType::boolean})
      if (column.is_text()) allow_refusal([&] { column = table::as_numbers(column, type, frame.rows); });
}

void prepare_fit(const table::Frame& frame) {
  c_interface::FitRequest request;
  request.columns.target = frame.columns.front().name;
  if (frame.columns.size() > 3) request.columns.group = frame.columns[1].name;
  if (frame.columns.size() > 4) request.columns.weights = frame.columns[2].name;
  const c_interface::TrainingTable table = c_interface::training_table(frame, request);
  table::TableSummary summary;
  summary.columns = table::summarize(table.features, table.categorical, 1);
  summary.rows = table.features.rows;
  summary.target = request.columns.target;
  const table::Preparation prepared = table::prepare(std::move(summary), request.profile, request.levels);
  table::encode(table.features, prepared.encoding);
}

}  // namespace

bool run_texts(Given bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  bool prepared = false;
  allow_refusal([&] {
    table::Frame frame = frame_of(text);
    read_types(frame);
    for (const table::Column& column : frame.columns)
      consume("groups of rows", [&] { table::groups_of(column, frame.rows); });
    prepared = consume("preparation of a fit", [&] { prepare_fit(frame); });
  });
  return prepared;
}

std::span<const std::string_view> table_words() {
  static constexpr std::array<std::string_view, 48> words{"\n",
                                                          ",",
                                                          ";",
                                                          "\t",
                                                          "\"",
                                                          "\"\"",
                                                          "\r\n",
                                                          "{",
                                                          "}",
                                                          "[",
                                                          "]",
                                                          ":",
                                                          "y",
                                                          "x",
                                                          "0",
                                                          "1",
                                                          "-1",
                                                          "0.5",
                                                          "1e308",
                                                          "-1e308",
                                                          "1e400",
                                                          "007",
                                                          "1,5",
                                                          "NA",
                                                          "NaN",
                                                          "inf",
                                                          "null",
                                                          "true",
                                                          "no",
                                                          "yes",
                                                          "-",
                                                          "Köln",
                                                          "\xEF\xBB\xBF",
                                                          "\xC3",
                                                          "9007199254740993",
                                                          "2010-02-03",
                                                          "03/02/2010",
                                                          "13/02/2010",
                                                          "2010-02-03 23:59:59.999999",
                                                          "24:00:00",
                                                          "9999-12-31",
                                                          "0001-01-01",
                                                          "{\"y\":1,\"x\":2}",
                                                          "99999999999999999999",
                                                          "\\u0000",
                                                          "a,a,b",
                                                          "1;2",
                                                          "1 000"};
  return words;
}

}  // namespace kore::fuzz

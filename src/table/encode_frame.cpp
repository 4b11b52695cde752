#include "table/encode_frame.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "kore/column_choice.hpp"
#include "kore/error.hpp"

namespace kore::table {
namespace {

bool is_time(ColumnType type) { return type == ColumnType::date || type == ColumnType::timestamp; }

Column fitting(const Column& column, const EncodedColumn& wanted, std::size_t rows) {
  if (wanted.category) return as_texts(column, rows);
  if (column.is_text()) return as_numbers(column, wanted.type, rows);
  if (is_time(column.type) != is_time(wanted.type))
    throw Error(ErrorCode::invalid_data, "unexpected_kind",
                "Column '{column}' holds {found}, but the model needs {kind} there.",
                {{"column", wanted.name},
                 {"found", is_time(column.type) ? "dates or times" : "numbers"},
                 {"kind", is_time(column.type) ? "numbers" : "dates or times"}});
  return column;
}

std::vector<Column> matched_columns(const Frame& frame, const Encoding& encoding) {
  std::unordered_map<std::string_view, const Column*> by_name;
  for (const Column& column : frame.columns) by_name.emplace(column.name, &column);
  std::vector<Column> columns;
  for (const EncodedColumn& wanted : encoding.columns) {
    const auto found = by_name.find(wanted.name);
    if (found == by_name.end()) {
      const std::string nearest = nearest_name(wanted.name, frame.names());
      throw Error(ErrorCode::invalid_data, "column_not_in_x",
                  nearest.empty() ? "There is no column '{column}' in X, which the model needs."
                                  : "There is no column '{column}' in X, which the model needs. The nearest "
                                    "name is '{nearest}'.",
                  {{"column", wanted.name}, {"nearest", nearest}});
    }
    columns.push_back(fitting(*found->second, wanted, frame.rows));
  }
  return columns;
}

std::uint64_t count_missing(const Column& column, std::size_t rows) {
  std::uint64_t missing = 0;
  for (std::size_t row = 0; row < rows; ++row) missing += std::isnan(column.numbers[row]) ? 1 : 0;
  return missing;
}

/// Columns whose features are not simply their numbers.
std::vector<std::size_t> columns_to_work_out(const std::vector<Column>& columns, const Encoding& encoding,
                                             std::size_t rows) {
  std::vector<bool> made(columns.size());
  for (const EncodedFeature& feature : encoding.features)
    if (feature.kind != EncodedKind::numeric) made[feature.column] = true;
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (made[c] || columns[c].is_text() || count_missing(columns[c], rows) > 0) places.push_back(c);
  return places;
}

/// A part of an encoding, and the places of its features in the whole.
struct Part {
  Encoding encoding;
  std::vector<std::size_t> features;
};

Part part_of(const Encoding& encoding, const std::vector<std::size_t>& columns) {
  Part part;
  std::unordered_map<std::size_t, std::size_t> moved;
  for (const std::size_t c : columns) {
    moved.emplace(c, part.encoding.columns.size());
    part.encoding.columns.push_back(encoding.columns[c]);
  }
  for (std::size_t f = 0; f < encoding.features.size(); ++f) {
    const auto place = moved.find(encoding.features[f].column);
    if (place == moved.end()) continue;
    part.encoding.features.push_back(encoding.features[f]);
    part.encoding.features.back().column = place->second;
    part.features.push_back(f);
  }
  return part;
}

/// Numbers side by side, as the encoder reads them.
std::vector<double> gathered(const Column& column, std::size_t rows) {
  std::vector<double> values(rows);
  for (std::size_t row = 0; row < rows; ++row) values[row] = column.numbers[row];
  return values;
}

/// The values of a part's features, one after the other, and the counts of missing and unseen values.
void work_out(const Part& part, const std::vector<std::size_t>& places, std::size_t rows,
              EncodedFrame& encoded) {
  std::vector<std::vector<double>> numbers;
  numbers.reserve(places.size());
  std::vector<RawColumn> raw;
  for (const std::size_t c : places) {
    const Column& column = encoded.columns[c];
    if (column.is_text())
      raw.push_back(RawColumn::codes(column.codes, column.dictionary));
    else
      raw.push_back(RawColumn::numbers(numbers.emplace_back(gathered(column, rows))));
  }
  encoded.values.resize(part.features.size() * rows);
  EncodeCounts counts;
  Encoder(part.encoding).encode(raw, rows, encoded.values, rows, counts);
  encoded.counts.missing.resize(encoded.columns.size());
  encoded.counts.unseen.resize(encoded.columns.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    encoded.counts.missing[places[i]] = counts.missing[i];
    encoded.counts.unseen[places[i]] = counts.unseen[i];
  }
}

}  // namespace

EncodedFrame encode(const Frame& frame, const Encoding& encoding) {
  EncodedFrame encoded;
  encoded.columns = matched_columns(frame, encoding);
  const std::vector<std::size_t> places = columns_to_work_out(encoded.columns, encoding, frame.rows);
  const Part part = part_of(encoding, places);
  work_out(part, places, frame.rows, encoded);
  std::vector<ColumnView> views;
  for (const EncodedFeature& feature : encoding.features)
    views.push_back(encoded.columns[feature.column].numbers);
  for (std::size_t i = 0; i < part.features.size(); ++i)
    views[part.features[i]] = {encoded.values.data() + i * frame.rows, 1};
  encoded.x = MatrixView(std::move(views), frame.rows);
  return encoded;
}

}  // namespace kore::table

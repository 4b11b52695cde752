#pragma once

#include <string>
#include <vector>

#include "duckdb/summarize.hpp"
#include "duckdb/table.hpp"
#include "duckdb/table_source.hpp"
#include "table/owned_rows.hpp"

namespace kore::duckdb::testing {

/// A table encoded the usual way.
struct Encoded {
  Table table;
  table::TableSummary summary;
  table::Encoding encoding;
};

inline Encoded encode_table(const std::string& text, const table::ColumnChoice& choice,
                            const table::EncodingOptions& options = {}, const ReadOptions& read = {}) {
  ReadOptions reading = read;
  reading.text_columns = choice.categorical;
  Table table = open_table(text, reading);
  table::TableSummary summary = summarize(table, choice);
  table::Encoding encoding = table::make_encoding(summary.columns, options);
  return {std::move(table), std::move(summary), std::move(encoding)};
}

inline table::ColumnChoice target(const std::string& name) {
  table::ColumnChoice choice;
  choice.target = name;
  return choice;
}

/// Everything a source gives, row by row: features, target, weight if there are weights.
inline std::vector<std::vector<double>> all_rows(const RowSource& source) {
  std::vector<std::vector<double>> rows;
  source.for_each_block([&](const RowBlock& block) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      rows.emplace_back();
      for (std::size_t j = 0; j < block.x.columns(); ++j) rows.back().push_back(block.x(i, j));
      rows.back().push_back(block.y[i]);
      if (!block.weights.empty()) rows.back().push_back(block.weights[i]);
    }
  });
  return rows;
}

}  // namespace kore::duckdb::testing

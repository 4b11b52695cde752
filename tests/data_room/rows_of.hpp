#pragma once

#include <string>
#include <vector>

#include "data/materialize.hpp"
#include "data/summarize.hpp"
#include "data/table.hpp"
#include "data/table_source.hpp"

namespace kore::data::testing {

/// A table encoded the usual way.
struct Encoded {
  Table table;
  TableSummary summary;
  Encoding encoding;
};

inline Encoded encode_table(const std::string& text, const ColumnChoice& choice,
                            const EncodingOptions& options = {}, const ReadOptions& read = {}) {
  ReadOptions reading = read;
  reading.text_columns = choice.categorical;
  Table table = open_table(text, reading);
  TableSummary summary = summarize(table, choice);
  Encoding encoding = make_encoding(summary.columns, options);
  return {std::move(table), std::move(summary), std::move(encoding)};
}

inline ColumnChoice target(const std::string& name) {
  ColumnChoice choice;
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

}  // namespace kore::data::testing

#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kore/encoder.hpp"
#include "kore/fit.hpp"
#include "kore/table_model.hpp"
#include "support/made_up_rows.hpp"
#include "table/feature_options.hpp"

namespace kore::test {

/// A table with a number that has gaps, another one, a date, a yes-or-no and a category, and its model.
struct MadeUpModel {
  table::TableModel fitted;
  Rows rows;  ///< Encoded.
};

inline MadeUpModel made_up_model(bool paper, std::size_t count = 240, const std::string& prefix = "") {
  Uniform uniform(11);
  std::vector<std::vector<double>> numbers(4, std::vector<double>(count));
  std::vector<std::string_view> places(count);
  const std::vector<std::string> towns{"Aachen", "Bonn", "Cologne"};
  std::vector<double> y(count);
  for (std::size_t r = 0; r < count; ++r) {
    const auto town = static_cast<std::size_t>(uniform.between(0, 3));
    const double size = uniform.between(20, 150);
    numbers[0][r] = r % 10 == 9 ? std::nan("") : size;
    numbers[1][r] = uniform.between(-1, 1);
    numbers[2][r] = std::floor(uniform.between(7000, 15000));
    numbers[3][r] = uniform() < 0.5 ? 1 : 0;
    places[r] = towns[town];
    y[r] = size / 40 + std::sin(3 * numbers[1][r]) * (town == 2 ? 2 : 1) + numbers[3][r] +
           uniform.between(-0.1, 0.1);
  }
  std::vector<table::ColumnSummary> columns(5);
  const table::ColumnType types[]{table::ColumnType::number, table::ColumnType::number,
                                  table::ColumnType::date, table::ColumnType::boolean,
                                  table::ColumnType::text};
  const char* names[]{"size", "wave", "built", "balcony", "town"};
  for (std::size_t c = 0; c < 5; ++c) {
    columns[c].name = prefix + names[c];
    columns[c].type = types[c];
    columns[c].rows = count;
  }
  const double lowest[]{20, -1, 7000, 0};
  const double highest[]{150, 1, 15000, 1};
  for (std::size_t c = 0; c < 4; ++c) {
    columns[c].minimum = lowest[c];
    columns[c].maximum = highest[c];
    columns[c].median = (lowest[c] + highest[c]) / 2;
  }
  columns[0].missing = count / 10;
  columns[3].two_values = true;
  columns[4].distinct = 3;
  for (const std::string& town : towns) columns[4].levels.push_back({town, count / 3});
  const table::Encoding encoding =
      table::make_encoding(columns, paper ? table::EncodingOptions::paper() : table::EncodingOptions{});
  const std::size_t features = encoding.features.size();
  Rows rows{count, features, std::vector<double>(features * count), y, {}};
  std::vector<table::RawColumn> raw;
  for (const std::vector<double>& column : numbers) raw.push_back(table::RawColumn::numbers(column));
  raw.push_back(table::RawColumn::texts(places));
  table::EncodeCounts counts;
  table::Encoder(encoding).encode(raw, count, rows.x, count, counts);
  Options options = paper ? Options::paper() : Options{};
  // Levels of a category add up to a constant.
  if (paper) options.published().additive_parametrisation = Parametrisation::centred;
  if (!paper) table::set_feature_options(options, encoding, columns);
  Model model = fit(rows.source(), options, table::names_of(encoding, prefix + "rent"));
  table::TableModel fitted{std::move(model), encoding, {}};
  fitted.facts.profile = paper ? "paper" : "default";
  fitted.facts.origin = "a made-up table";
  return {std::move(fitted), std::move(rows)};
}

}  // namespace kore::test

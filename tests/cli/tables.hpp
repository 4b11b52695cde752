#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "duckdb/writer.hpp"
#include "support/made_up_rows.hpp"

namespace kore::test {

/// All digits of a number, so that it reads back as itself.
inline std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Columns named x1, x2, ... and y as a file, CSV or Parquet by its ending.
inline void write_rows(const std::string& file, const Rows& rows) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  for (std::size_t j = 0; j < rows.columns; ++j) {
    names.push_back("x" + std::to_string(j + 1));
    columns.push_back(rows.column(j));
  }
  names.emplace_back("y");
  columns.push_back(rows.y);
  duckdb::Writer writer(file, names);
  const std::vector<std::span<const double>> views(columns.begin(), columns.end());
  writer.append(views);
  writer.finish();
}

/// A table as people have them, as CSV: numbers, a category of three, a date, a yes-or-no and gaps. Income
/// depends on all of them; every tenth `size` and every fifteenth target is missing.
inline std::string flats_csv(std::size_t rows, std::uint64_t seed) {
  Uniform uniform(seed);
  const std::vector<std::string> cities{"Aachen", "Bonn", "Cologne"};
  std::string text = "id,size,rooms,city,built,balcony,rent\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double size = uniform.between(20, 150);
    const int rooms = 1 + static_cast<int>(uniform.between(0, 5));
    const auto city = static_cast<std::size_t>(uniform.between(0, 3));
    const int year = 1950 + static_cast<int>(uniform.between(0, 70));
    const int month = 1 + static_cast<int>(uniform.between(0, 12));
    const bool balcony = uniform() < 0.5;
    const double rent = 200 + 9 * size + 40 * std::sin(size / 15) + 25 * rooms +
                        120 * static_cast<double>(city) + 3 * (year - 1950) + (balcony ? 60 : 0) +
                        (city == 2 ? 2 * size : 0) + uniform.between(-40, 40);
    char line[160];
    std::snprintf(line, sizeof line, "%zu,%s,%d,%s,%d-%02d-15,%s,%s\n", r + 1,
                  r % 10 == 9 ? "" : digits(size).c_str(), rooms, cities[city].c_str(), year, month,
                  balcony ? "true" : "false", r % 15 == 14 ? "" : digits(rent).c_str());
    text += line;
  }
  return text;
}

}  // namespace kore::test

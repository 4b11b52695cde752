#include "experiments/real_data/sets.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "duckdb/summarize.hpp"
#include "duckdb/table.hpp"
#include "duckdb/table_source.hpp"
#include "experiments/random/generator.hpp"
#include "experiments/table.hpp"
#include "table/feature_options.hpp"
#include "table/owned_rows.hpp"

namespace kore::experiments {
namespace {

constexpr std::size_t most_rows = 2500;

}  // namespace

std::vector<StudySet> study_sets(const StudyFolders& folders) {
  Generator generator(2026);
  std::vector<StudySet> sets;
  const Table list = read_table(folders.results / "dataset_metadata.csv");
  for (std::size_t row = 0; row < list.rows.size(); ++row) {
    StudySet set{list.text(row, "dataset"), std::stoul(list.text(row, "n")), {}};
    if (set.rows > most_rows) {
      set.drawn = generator.choice(set.rows, most_rows);
      std::ranges::sort(set.drawn);
    }
    if (std::filesystem::exists(study_file(folders, set.name))) sets.push_back(std::move(set));
  }
  return sets;
}

std::filesystem::path study_file(const StudyFolders& folders, const std::string& set) {
  return folders.data / (set + ".csv.gz");
}

std::vector<std::string> categorical_columns(const StudyFolders& folders, const std::string& set) {
  std::ifstream file(folders.data / "categorical_columns.json");
  return nlohmann::json::parse(file).at(set).get<std::vector<std::string>>();
}

StudyRows study_rows(const StudyFolders& folders, const StudySet& set,
                     const table::EncodingOptions& options) {
  duckdb::ReadOptions reading;
  reading.text_columns = categorical_columns(folders, set.name);
  const duckdb::Table table = duckdb::open_table(study_file(folders, set.name).string(), reading);
  table::ColumnChoice choice;
  choice.target = table.column_names().back();  // the column to predict is the last one
  choice.categorical = reading.text_columns;
  const table::TableSummary summary = duckdb::summarize(table, choice);
  const table::Encoding encoding = table::make_encoding(summary.columns, options);
  const table::OwnedRows owned =
      table::materialize(duckdb::TableSource(table, encoding, summary), summary.rows);
  const RowBlock block = owned.block();
  StudyRows rows{block.rows(), block.x.columns(), {}, {block.y.begin(), block.y.end()}};
  for (std::size_t j = 0; j < rows.columns; ++j)
    for (std::size_t r = 0; r < rows.count; ++r) rows.x.push_back(block.x(r, j));
  table::set_feature_options(rows.features, encoding, summary.columns);
  return set.drawn.empty() ? rows : pick(rows, set.drawn);
}

StudyRows pick(const StudyRows& rows, std::span<const std::size_t> chosen) {
  StudyRows picked{chosen.size(), rows.columns, {}, {}, rows.features};
  for (std::size_t j = 0; j < rows.columns; ++j)
    for (const std::size_t r : chosen) picked.x.push_back(rows.x[j * rows.count + r]);
  for (const std::size_t r : chosen) picked.y.push_back(rows.y[r]);
  return picked;
}

StudySplit plain_split(const StudyRows& rows, std::uint64_t seed) {
  const std::vector<std::size_t> order = Generator(1000 * seed + 7).permutation(rows.count);
  const auto cut = static_cast<std::size_t>(0.8 * static_cast<double>(rows.count));
  return {pick(rows, std::span(order).first(cut)), pick(rows, std::span(order).subspan(cut))};
}

StudySplit study_split(const StudyRows& rows, std::uint64_t seed) {
  StudySplit split = plain_split(rows, seed);
  for (std::size_t j = 0; j < rows.columns; ++j) {
    const auto column = std::span(split.train.x).subspan(j * split.train.count, split.train.count);
    const auto [lowest, highest] = std::ranges::minmax(column);
    const double low = lowest;
    const double extent = highest > low ? highest - low : 1.0;
    for (StudyRows* part : {&split.train, &split.test})
      for (std::size_t r = 0; r < part->count; ++r) {
        double& value = part->x[j * part->count + r];
        value = std::clamp((value - low) / extent, 0.0, 1.0);
      }
  }
  return split;
}

PublishedErrors published_errors(const StudyFolders& folders) {
  PublishedErrors errors;
  const Table cells = read_table(folders.results / "real_data.csv");
  for (std::size_t row = 0; row < cells.rows.size(); ++row)
    if (!cells.text(row, "rmse_test").empty())
      errors[cells.text(row, "dataset")][std::stoul(cells.text(row, "seed"))][cells.text(row, "method")] =
          std::stod(cells.text(row, "rmse_test"));
  return errors;
}

double root_mean_square_error(const std::vector<double>& predicted, const std::vector<double>& truth) {
  double squares = 0;
  for (std::size_t r = 0; r < truth.size(); ++r)
    squares += (predicted[r] - truth[r]) * (predicted[r] - truth[r]);
  return std::sqrt(squares / static_cast<double>(truth.size()));
}

}  // namespace kore::experiments

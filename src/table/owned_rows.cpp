#include "table/owned_rows.hpp"

#include "table/refusals.hpp"

namespace kore::table {

OwnedRows::OwnedRows(std::vector<std::vector<double>> columns, std::vector<double> y,
                     std::vector<double> weights, std::vector<double> groups)
    : columns_(std::move(columns)),
      y_(std::move(y)),
      weights_(std::move(weights)),
      groups_(std::move(groups)) {
  for (const auto& column : columns_)
    if (column.size() != y_.size())
      refuse_data("columns_unlike_target", "Every column must have as many rows as the target.");
  if (!weights_.empty() && weights_.size() != y_.size())
    refuse_data("weights_unlike_target", "The weights must have as many rows as the target.");
  if (!groups_.empty() && groups_.size() != y_.size())
    refuse_data("groups_unlike_target", "The groups must have as many rows as the target.");
}

RowBlock OwnedRows::block() const {
  std::vector<ColumnView> views;
  views.reserve(columns_.size());
  for (const auto& column : columns_) views.push_back({column.data(), 1});
  return {MatrixView(std::move(views), y_.size()), y_, weights_, groups_};
}

OwnedRows materialize(const RowSource& source, std::size_t expected_rows) {
  std::vector<std::vector<double>> columns(source.columns());
  std::vector<double> y;
  std::vector<double> weights;
  std::vector<double> groups;
  for (auto& column : columns) column.reserve(expected_rows);
  y.reserve(expected_rows);
  source.for_each_block([&](const RowBlock& block) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const ColumnView& column = block.x.column(j);
      if (column.stride == 1)
        columns[j].insert(columns[j].end(), column.data, column.data + block.rows());
      else
        for (std::size_t row = 0; row < block.rows(); ++row) columns[j].push_back(column[row]);
    }
    y.insert(y.end(), block.y.begin(), block.y.end());
    const std::span<const double> counts = block.weights.values();
    weights.insert(weights.end(), counts.begin(), counts.end());
    groups.insert(groups.end(), block.groups.begin(), block.groups.end());
  });
  return {std::move(columns), std::move(y), std::move(weights), std::move(groups)};
}

}  // namespace kore::table

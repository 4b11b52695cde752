#include "story/far_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "story/column_text.hpp"
#include "story/text.hpp"

namespace kore::story {
namespace {

constexpr double far = 0.1;  // of the range
constexpr std::size_t most_columns = 5;

}  // namespace

FarRows::FarRows(const table::TableModel& fitted)
    : fitted_(fitted), columns_(fitted.model.design.features().size()) {}

void FarRows::add(const MatrixView& x) {
  std::vector<bool> is_outside(x.rows());
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const Feature& feature = fitted_.model.design.features()[j];
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const double beyond = distance_outside(feature, x(r, j));
      if (!(beyond > 0)) continue;
      is_outside[r] = true;
      Column& column = columns_[j];
      ++column.rows;
      const double distance = beyond / (feature.range.highest - feature.range.lowest);
      if (distance > column.distance) {
        column.distance = distance;
        column.furthest = x(r, j);
      }
    }
  }
  rows_ += static_cast<std::uint64_t>(std::count(is_outside.begin(), is_outside.end(), true));
}

std::string FarRows::about(std::size_t feature) const {
  const table::EncodedColumn& column = fitted_.encoding.columns[fitted_.encoding.features[feature].column];
  const Feature& own = fitted_.model.design.features()[feature];
  return fmt::format("{} in '{}' (training had {} to {}, the furthest row has {})",
                     grouped(columns_[feature].rows), own.name,
                     column_text(fitted_, column, own.range.lowest),
                     column_text(fitted_, column, own.range.highest),
                     column_text(fitted_, column, columns_[feature].furthest));
}

std::string FarRows::warning() const {
  if (std::ranges::none_of(columns_, [](const Column& column) { return column.distance > far; })) return {};
  std::vector<std::size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t j) { return columns_[j].rows == 0; });
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t j) { return std::tuple(columns_[j].rows, columns_[j].distance); });
  std::vector<std::string> told;
  for (std::size_t i = 0; i < std::min(order.size(), most_columns); ++i) told.push_back(about(order[i]));
  if (order.size() > most_columns)
    told.push_back(fmt::format("and more in {}", counted(order.size() - most_columns, "other column")));
  return fmt::format("{} {} outside the training range, where predictions are guesses: {}.",
                     counted(rows_, "row"), rows_ == 1 ? "lies" : "lie", fmt::join(told, ", "));
}

}  // namespace kore::story

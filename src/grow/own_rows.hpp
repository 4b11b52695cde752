#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kore/rows.hpp"

namespace kore {

/// Some rows of a table, as arrays of their own.
struct OwnRows {
  OwnRows(const RowBlock& rows, std::span<const std::size_t> chosen);
  OwnRows(OwnRows&&) = default;  // the views of `block` stay valid: arrays keep their memory when they move
  OwnRows& operator=(OwnRows&&) = default;
  OwnRows(const OwnRows&) = delete;
  OwnRows& operator=(const OwnRows&) = delete;

  std::vector<double> x;  ///< Column by column.
  std::vector<double> y;
  std::vector<double> weights;
  std::vector<double> groups;  ///< Empty where rows have none.
  RowBlock block;
};

/// Rows with the same features, merged. The fit to all rows is the fit to the merged ones, each of which
/// counts as often as its rows together and has their mean as its target. To leave it out is to leave all of
/// its rows out.
struct MergedRows {
  OwnRows rows;
  std::vector<std::size_t> merged_into;  ///< For each row, its place among the merged ones.
  /// Squared distances of the targets from those of the merged rows, each as often as its row counts.
  double within_squares = 0;
};

/// How often the table was stacked: the largest number that divides how often each of its different rows
/// (features, target, weight and group) occurs. 1 where a row is there once, as nearly always.
std::size_t stacked_times(const RowBlock& rows);
/// A table that was stacked so often, once, with that many times the weights. Rows keep their order.
OwnRows unstacked(const RowBlock& rows, std::size_t times);

/// For each row the first row with the same features, in the same group; rows that do not count stand for
/// themselves.
std::vector<std::size_t> first_equal_rows(const RowBlock& rows);
/// Whether rows with the same features are exceptions, such as a row that was entered twice: all of them have
/// the same target as well, or at least half of the rows have features of their own. Otherwise features take
/// few values, new rows will repeat them too, and every row stands for itself.
bool equal_rows_are_exceptions(const RowBlock& rows, std::span<const std::size_t> first);

/// A hash for each row, the same for rows that have to be left out together: those of a group, where there
/// are groups; otherwise those with the same features, where they are exceptions. It does not depend on the
/// order of rows.
std::vector<std::uint64_t> units_of(const RowBlock& rows);

/// Groups among the rows that count; zero where rows have none.
std::size_t group_count(const RowBlock& rows);

/// `first` as `first_equal_rows` found it. Merged rows keep the order of their first ones.
MergedRows merge_equal_rows(const RowBlock& rows, std::span<const std::size_t> first);

}  // namespace kore

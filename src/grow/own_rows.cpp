#include "grow/own_rows.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/hash.hpp"
#include "grow/referee.hpp"

namespace kore {
namespace {

bool same_features(const MatrixView& x, std::size_t a, std::size_t b) {
  for (std::size_t j = 0; j < x.columns(); ++j)
    if (x(a, j) != x(b, j)) return false;
  return true;
}

bool same_group(const RowBlock& rows, std::size_t a, std::size_t b) {
  return rows.groups.empty() || rows.groups[a] == rows.groups[b];
}

/// Both zeros are one group.
std::uint64_t mix_group(std::uint64_t hash, double group) { return mix_number(hash, group + 0.0); }

/// Everything about a row.
std::vector<double> contents_of(const RowBlock& rows, std::size_t row) {
  std::vector<double> contents{rows.y[row], rows.weight(row)};
  if (!rows.groups.empty()) contents.push_back(rows.groups[row]);
  for (std::size_t j = 0; j < rows.x.columns(); ++j) contents.push_back(rows.x(row, j));
  return contents;
}

/// How often each row occurs, of those that count.
std::map<std::vector<double>, std::size_t> copies_of(const RowBlock& rows) {
  std::map<std::vector<double>, std::size_t> copies;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    if (rows.weight(r) > 0) ++copies[contents_of(rows, r)];
  return copies;
}

/// A row whose hash no other row has.
bool any_is_there_once(const RowBlock& rows) {
  std::unordered_map<std::uint64_t, std::size_t> counts;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!(rows.weight(r) > 0)) continue;
    std::uint64_t hash = 0;
    for (const double value : contents_of(rows, r)) hash = mix_number(hash, value + 0.0);
    ++counts[hash];
  }
  return std::ranges::any_of(counts, [](const auto& entry) { return entry.second == 1; });
}

}  // namespace

OwnRows::OwnRows(const RowBlock& rows, std::span<const std::size_t> chosen) {
  x.reserve(chosen.size() * rows.x.columns());
  for (std::size_t j = 0; j < rows.x.columns(); ++j)
    for (const std::size_t r : chosen) x.push_back(rows.x(r, j));
  for (const std::size_t r : chosen) {
    y.push_back(rows.y[r]);
    weights.push_back(rows.weight(r));
  }
  if (!rows.groups.empty())
    for (const std::size_t r : chosen) groups.push_back(rows.groups[r]);
  block = {MatrixView::column_major(x, chosen.size(), rows.x.columns()), y, weights, groups};
}

std::size_t stacked_times(const RowBlock& rows) {
  if (any_is_there_once(rows)) return 1;
  std::size_t times = 0;
  for (const auto& [contents, count] : copies_of(rows)) times = std::gcd(times, count);
  return std::max<std::size_t>(times, 1);
}

OwnRows unstacked(const RowBlock& rows, std::size_t times) {
  const auto copies = copies_of(rows);
  std::map<std::vector<double>, std::size_t> seen;
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!(rows.weight(r) > 0)) continue;
    const std::vector<double> contents = contents_of(rows, r);
    if (seen[contents]++ < copies.at(contents) / times) kept.push_back(r);
  }
  OwnRows once(rows, kept);
  for (double& weight : once.weights) weight *= static_cast<double>(times);
  return once;
}

std::vector<std::size_t> first_equal_rows(const RowBlock& rows) {
  std::vector<std::uint64_t> hashes = feature_hashes(rows.x, rows.weights);
  for (std::size_t r = 0; r < rows.groups.size(); ++r) hashes[r] = mix_group(hashes[r], rows.groups[r]);
  std::unordered_multimap<std::uint64_t, std::size_t> seen;
  std::vector<std::size_t> first(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    first[r] = r;
    if (rows.weight(r) == 0) continue;
    const auto [begin, end] = seen.equal_range(hashes[r]);
    const auto equal = std::find_if(begin, end, [&](const auto& entry) {
      return same_features(rows.x, entry.second, r) && same_group(rows, entry.second, r);
    });
    if (equal == end)
      seen.emplace(hashes[r], r);
    else
      first[r] = equal->second;
  }
  return first;
}

bool equal_rows_are_exceptions(const RowBlock& rows, std::span<const std::size_t> first) {
  std::size_t counting = 0;
  std::size_t distinct = 0;
  bool same_targets = true;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (rows.weight(r) == 0) continue;
    ++counting;
    distinct += first[r] == r ? 1 : 0;
    same_targets = same_targets && rows.y[r] == rows.y[first[r]];
  }
  return same_targets || 2 * distinct >= counting;
}

std::vector<std::uint64_t> units_of(const RowBlock& rows) {
  if (!rows.groups.empty()) {
    std::vector<std::uint64_t> groups;
    for (const double group : rows.groups) groups.push_back(mix_group(0, group));
    return groups;
  }
  std::vector<std::uint64_t> units = feature_hashes(rows.x, rows.weights);
  if (equal_rows_are_exceptions(rows, first_equal_rows(rows))) return units;
  std::unordered_map<std::uint64_t, std::size_t> copies;
  for (std::size_t r = 0; r < units.size(); ++r) {
    units[r] = mix_number(units[r], rows.y[r]);
    units[r] = mix_number(units[r], static_cast<double>(copies[units[r]]++));
  }
  return units;
}

std::size_t group_count(const RowBlock& rows) {
  std::vector<double> seen;
  for (std::size_t r = 0; r < rows.groups.size(); ++r)
    if (rows.weight(r) > 0) seen.push_back(rows.groups[r]);
  std::ranges::sort(seen);
  return static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

MergedRows merge_equal_rows(const RowBlock& rows, std::span<const std::size_t> first) {
  std::vector<std::size_t> kept;
  std::vector<std::size_t> place(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (first[r] == r) kept.push_back(r);
    place[r] = first[r] == r ? kept.size() - 1 : place[first[r]];
  }
  MergedRows merged{OwnRows(rows, kept), std::move(place), 0};
  OwnRows& own = merged.rows;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (first[r] == r) continue;
    // The running mean and the squares around it. Equal targets leave the mean as it is, to the bit.
    const std::size_t at = merged.merged_into[r];
    const double distance = rows.y[r] - own.y[at];
    const double before = own.weights[at];
    own.weights[at] += rows.weight(r);
    own.y[at] += distance * (rows.weight(r) / own.weights[at]);
    merged.within_squares += distance * distance * rows.weight(r) * (before / own.weights[at]);
  }
  return merged;
}

}  // namespace kore

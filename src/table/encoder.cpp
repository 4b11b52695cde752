#include "kore/encoder.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

#include "table/refusals.hpp"

namespace kore::table {
namespace {

/// Positions of levels as they come out of a dictionary; smaller numbers are levels of the encoding.
constexpr std::size_t missing_value = static_cast<std::size_t>(-1);
constexpr std::size_t unseen_value = static_cast<std::size_t>(-2);

void check_block(const Encoding& encoding, std::span<const RawColumn> columns, std::size_t rows,
                 std::size_t room, std::size_t stride) {
  if (columns.size() != encoding.columns.size())
    refuse_data("encoded_column_count_mismatch",
                "The encoding needs {needed} columns, but {given} were given.",
                {{"needed", encoding.columns.size()}, {"given", columns.size()}});
  if (stride < rows || (!encoding.features.empty() && room < (encoding.features.size() - 1) * stride + rows))
    refuse_data("no_room_for_rows", "The room for encoded rows is too small.");
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const EncodedColumn& column = encoding.columns[c];
    if (columns[c].rows() != rows)
      refuse_data("unequal_column_lengths", "Column '{column}' has {given} rows instead of {rows}.",
                  {{"column", column.name}, {"given", columns[c].rows()}, {"rows", rows}});
    if (columns[c].is_numeric() == column.category)
      refuse_data("column_of_another_kind", "Column '{column}' must hold {kind}, but holds {found}.",
                  {{"column", column.name},
                   {"kind", column.category ? "texts" : "numbers"},
                   {"found", column.category ? "numbers" : "texts"}});
  }
}

void encode_numbers(const EncodedColumn& column, std::span<const double> values, EncodedKind kind,
                    double* out) {
  if (kind == EncodedKind::missing_flag)
    std::transform(values.begin(), values.end(), out, [](double v) { return std::isnan(v) ? 1.0 : 0.0; });
  else
    std::transform(values.begin(), values.end(), out,
                   [&column](double v) { return std::isnan(v) ? column.median : v; });
}

void encode_levels(std::span<const std::size_t> levels, std::size_t wanted, double* out) {
  std::transform(levels.begin(), levels.end(), out,
                 [wanted](std::size_t level) { return level == wanted ? 1.0 : 0.0; });
}

/// The positions of the levels among the names of all, where "(other)" is the last.
void encode_positions(const EncodedColumn& column, std::span<const std::size_t> levels, double* out) {
  const std::size_t other = column.levels.size() + (column.has_missing ? 1 : 0);
  const std::size_t missing = column.levels.size();  // "(other)" itself where there is no such level
  std::transform(levels.begin(), levels.end(), out, [&](std::size_t level) {
    const std::size_t position =
        level == missing_value ? missing : (level < column.levels.size() ? level : other);
    return static_cast<double>(position);
  });
}

/// The level of every row. Each text of a dictionary is looked up only once.
template <typename Lookup>
std::vector<std::size_t> levels_of(const RawColumn& column, const std::string& name, const Lookup& lookup) {
  const auto texts = column.as_texts();
  std::vector<std::size_t> found(texts.size());
  std::transform(texts.begin(), texts.end(), found.begin(), lookup);
  if (!column.has_dictionary()) return found;
  std::vector<std::size_t> levels;
  levels.reserve(column.rows());
  for (const std::int32_t code : column.as_codes()) {
    if (code >= 0 && static_cast<std::size_t>(code) >= found.size())
      refuse_data("code_not_in_dictionary", "Column '{column}' has a code that is not in its dictionary.",
                  {{"column", name}});
    levels.push_back(code < 0 ? missing_value : found[static_cast<std::size_t>(code)]);
  }
  return levels;
}

std::string counted(std::uint64_t rows) { return std::to_string(rows) + (rows == 1 ? " row" : " rows"); }

}  // namespace

RawColumn RawColumn::numbers(std::span<const double> values) {
  RawColumn column;
  column.numbers_ = values;
  return column;
}

RawColumn RawColumn::texts(std::span<const std::string_view> values) {
  RawColumn column;
  column.kind_ = Kind::texts;
  column.texts_ = values;
  return column;
}

RawColumn RawColumn::codes(std::span<const std::int32_t> values,
                           std::span<const std::string_view> dictionary) {
  RawColumn column;
  column.kind_ = Kind::codes;
  column.codes_ = values;
  column.texts_ = dictionary;
  return column;
}

std::size_t RawColumn::rows() const {
  switch (kind_) {
    case Kind::numbers:
      return numbers_.size();
    case Kind::texts:
      return texts_.size();
    case Kind::codes:
      return codes_.size();
  }
  return 0;
}

void EncodeCounts::merge(const EncodeCounts& other) {
  missing.resize(std::max(missing.size(), other.missing.size()));
  unseen.resize(std::max(unseen.size(), other.unseen.size()));
  for (std::size_t c = 0; c < other.missing.size(); ++c) missing[c] += other.missing[c];
  for (std::size_t c = 0; c < other.unseen.size(); ++c) unseen[c] += other.unseen[c];
}

struct Encoder::Lookup {
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Dictionary = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

  explicit Lookup(const Encoding& encoding)
      : dictionaries(encoding.columns.size()), features_of_column(encoding.columns.size()) {
    for (std::size_t c = 0; c < encoding.columns.size(); ++c) {
      const EncodedColumn& column = encoding.columns[c];
      for (std::size_t level = 0; level < column.levels.size(); ++level)
        dictionaries[c].emplace(column.levels[level], level);
      for (const std::string& level : column.rare) dictionaries[c].emplace(level, column.levels.size());
    }
    for (std::size_t f = 0; f < encoding.features.size(); ++f)
      features_of_column.at(encoding.features[f].column).push_back(f);
  }

  std::vector<Dictionary> dictionaries;  ///< Per column: the position of each level.
  std::vector<std::vector<std::size_t>> features_of_column;
};

Encoder::Encoder(Encoding encoding)
    : encoding_(std::move(encoding)), lookup_(std::make_shared<const Lookup>(encoding_)) {}

void Encoder::encode(std::span<const RawColumn> columns, std::size_t rows, std::span<double> out,
                     std::size_t stride, EncodeCounts& counts) const {
  check_block(encoding_, columns, rows, out.size(), stride);
  counts.missing.resize(encoding_.columns.size());
  counts.unseen.resize(encoding_.columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const EncodedColumn& column = encoding_.columns[c];
    if (!column.category) {
      const auto values = columns[c].as_numbers();
      counts.missing[c] += static_cast<std::uint64_t>(
          std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }));
      for (const std::size_t f : lookup_->features_of_column[c])
        encode_numbers(column, values, encoding_.features[f].kind, out.data() + f * stride);
      continue;
    }
    auto levels = levels_of(columns[c], column.name, [&](std::string_view text) {
      if (text.data() == nullptr) return missing_value;
      const auto found = lookup_->dictionaries[c].find(text);
      return found == lookup_->dictionaries[c].end() ? unseen_value : found->second;
    });
    counts.missing[c] += static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), missing_value));
    counts.unseen[c] += static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), unseen_value));
    if (column.has_other) std::replace(levels.begin(), levels.end(), unseen_value, column.levels.size());
    for (const std::size_t f : lookup_->features_of_column[c]) {
      const EncodedFeature& feature = encoding_.features[f];
      double* to = out.data() + f * stride;
      if (feature.kind == EncodedKind::category)
        encode_positions(column, levels, to);
      else
        encode_levels(levels, feature.kind == EncodedKind::missing_flag ? missing_value : feature.level, to);
    }
  }
}

std::vector<Message> encode_warnings(const Encoding& encoding, const EncodeCounts& counts) {
  const auto has_positions = [&](std::size_t column) {
    return std::any_of(encoding.features.begin(), encoding.features.end(),
                       [column](const EncodedFeature& feature) {
                         return feature.column == column && feature.kind == EncodedKind::category;
                       });
  };
  const auto stand_in = [](bool other) {
    return other ? "predicted as \"(other)\"" : "predicted as having none of its levels";
  };
  std::vector<Message> warnings;
  for (std::size_t c = 0; c < encoding.columns.size(); ++c) {
    const EncodedColumn& column = encoding.columns[c];
    if (c < counts.unseen.size() && counts.unseen[c] > 0)
      warnings.emplace_back("unseen_level",
                            "Column '{column}': {rows} with a level that training did not have; {outcome}.",
                            std::vector<Argument>{{"column", column.name},
                                                  {"rows", counted(counts.unseen[c])},
                                                  {"outcome", stand_in(column.has_other)}});
    if (c < counts.missing.size() && counts.missing[c] > 0 && column.missing_share == 0.0)
      warnings.emplace_back(
          "unseen_gap",
          "Column '{column}': {rows} without a value, though training had no such row; {outcome}.",
          std::vector<Argument>{{"column", column.name},
                                {"rows", counted(counts.missing[c])},
                                {"outcome", column.category ? stand_in(has_positions(c))
                                                            : "predicted with the median of training"}});
  }
  return warnings;
}

}  // namespace kore::table

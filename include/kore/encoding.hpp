#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kore/message.hpp"

/// How the columns of a table (numbers, dates, texts, with missing values) become the numeric features of the
/// engine. An `Encoding` is decided once, from summaries of the training columns, and is saved with the
/// model, so that new rows are read in the same way.
namespace kore::table {

/// What a column holds. Dates and timestamps count as days since 1970-01-01 (a time of day as a fraction of a
/// day), booleans as 0 and 1; texts are categories.
enum class ColumnType : std::uint8_t { number, boolean, date, timestamp, text };

struct Level {
  std::string value;
  std::uint64_t rows = 0;
  bool operator==(const Level&) const = default;
};

/// What must be known about a training column to encode it. Any source can produce this: a query, arrays, a
/// data frame.
struct ColumnSummary {
  std::string name;
  ColumnType type = ColumnType::number;
  bool categorical = false;  ///< Declared to be a category by the user; texts always are one.
  bool of_text_file =
      false;  ///< From CSV or JSON, whose columns have no types: a text may be meant as a number.
  std::uint64_t rows = 0;     ///< All rows, also those without a value here.
  std::uint64_t missing = 0;  ///< Rows without a value; a NaN is a missing value too.

  // Numbers, booleans, dates and timestamps that are not categories; meaningless if every value is missing.
  double minimum = 0;
  double maximum = 0;
  double median = 0;
  bool two_values = false;  ///< Every value is `minimum` or `maximum`.
  bool whole = false;       ///< Every value is a whole number.

  // Categories.
  std::uint64_t distinct = 0;  ///< Exact number of different values.
  std::vector<Level>
      levels;  ///< The most frequent values, in any order; all of them unless `distinct` says more.
  std::uint64_t numeric_texts = 0;    ///< Rows whose text reads as a number.
  std::string code_text;              ///< A number with leading zeros, such as "007", if there is one.
  std::string odd_text;               ///< A text that does not read as a number, where others do.
  std::uint64_t formatted_texts = 0;  ///< Rows whose text is a formatted number, such as "12,345" or "37%".
  std::string formatted_text;         ///< One of them.

  bool is_category() const { return categorical || type == ColumnType::text; }
  std::uint64_t present() const { return rows - missing; }
};

/// How a text file writes no and yes in a column of booleans: "no" and "yes", "f" and "t".
struct BooleanWords {
  std::string column;
  std::string no;
  std::string yes;
  bool operator==(const BooleanWords&) const = default;
};

struct EncodingOptions {
  /// Levels of a category that have an effect of their own, the most frequent ones. Empty: the 50 most
  /// frequent, and beyond them those that have three rows or more, as far as `most_levels` goes.
  std::optional<std::size_t> max_levels;
  /// Levels of all categories together that have an effect of their own, where their number is automatic.
  /// Each is a column of the model, and the time of a fit grows with the cube of those.
  std::size_t most_levels = 500;
  /// All other levels share the indicator "(other)". If false, every level has its own.
  bool group_rare_levels = true;
  /// A number missing in more than this share of the rows gets a flag beside the imputed median; above 1
  /// there are no flags.
  double missing_flag_share = 0.01;
  /// Rows without a category get the indicator "(missing)", if training has such rows. If false, all its
  /// indicators are zero.
  bool missing_level = true;
  /// Leave out columns that hold one value only.
  bool leave_out_constants = true;
  /// A category is one feature whose value is the position of its level (see `level_names`), instead of an
  /// indicator for each. Rare levels and levels that training did not have are then always "(other)".
  bool category_codes = true;
  /// All numbers before all indicators, instead of the table's order.
  bool numbers_first = false;

  /// The published study: median only, every level, numbers first, nothing left out but columns without any
  /// value.
  static EncodingOptions paper();
};

enum class EncodedKind : std::uint8_t {
  numeric,       ///< The value, or the training median where it is missing.
  indicator,     ///< One where the column has the given level.
  missing_flag,  ///< One where the column has no value.
  category,      ///< The position of the column's level among its `level_names`.
};

/// A column of the table that is needed for the features.
struct EncodedColumn {
  std::string name;
  ColumnType type = ColumnType::number;
  bool category = false;
  double median = 0;                ///< Numbers: stands in for a missing value.
  std::vector<std::string> levels;  ///< Categories: in the order of their indicators.
  bool has_other = false;           ///< Categories: levels that are not listed share an indicator, "(other)".
  std::vector<std::string>
      rare;  ///< Categories: training levels that count as "(other)". They are not reported as unseen.
  double missing_share = 0;  ///< In the training rows.
  bool has_missing = false;  ///< Categories: rows without a value have a level of their own, "(missing)".
  bool operator==(const EncodedColumn&) const = default;
};

/// A column of the engine's matrix.
struct EncodedFeature {
  std::string name;  ///< "Horsepower", "Horsepower (missing)", "Origin=Japan", "Origin=(other)",
                     ///< "Origin=(missing)", or "Origin" alone for a category as positions
  EncodedKind kind = EncodedKind::numeric;
  std::size_t column = 0;  ///< Index into `Encoding::columns`.
  std::size_t level = 0;   ///< Indicators: index into the column's levels; their number stands for "(other)".
  bool operator==(const EncodedFeature&) const = default;
};

/// A column that is not used, with the reason as the end of a sentence: "Column 'x' is left out: it ..."
struct LeftOutColumn {
  std::string name;
  std::string reason;
  bool operator==(const LeftOutColumn&) const = default;
};

struct Encoding {
  std::vector<EncodedColumn> columns;
  std::vector<EncodedFeature> features;
  std::vector<LeftOutColumn> left_out;
  bool operator==(const Encoding&) const = default;
};

/// What the positions of a category stand for: its levels in their order, "(missing)" if it has one, and
/// "(other)" for rare and unseen levels, the last one. No name comes twice.
std::vector<std::string> level_names(const EncodedColumn& column);

/// Decides the encoding of training columns, in their order. A category whose values are all different names
/// the rows and is left out. Throws `invalid_data` with the name of a column that cannot be used (one of a
/// text file that has numbers and a few texts, more levels than were summarised), or if no feature is left.
Encoding make_encoding(std::span<const ColumnSummary> columns, const EncodingOptions& options = {});

/// What a person should know about the encoding: columns left out, levels grouped, texts that are mostly
/// numbers. Sentences.
std::vector<Message> encoding_notes(std::span<const ColumnSummary> columns, const Encoding& encoding);

/// Memory that `rows` encoded rows take, with target and, if asked for, weights and groups.
std::uint64_t encoded_bytes(const Encoding& encoding, std::uint64_t rows, bool weighted,
                            bool grouped = false);

}  // namespace kore::table

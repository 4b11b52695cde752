#include "table/encoding_bytes.hpp"

#include <cmath>
#include <string_view>
#include <unordered_set>

#include "base/utf8.hpp"
#include "kore/error.hpp"

namespace kore::table {
namespace {

constexpr std::uint32_t format_version = 2;  // since 2 categories may be positions

// The least number of bytes an entry can take: what a claimed count is checked against before anything is
// allocated.
constexpr std::size_t text_bytes = 8;
constexpr std::size_t column_bytes = 8 + 1 + 1 + 8 + 8 + 1 + 8 + 8;
constexpr std::size_t feature_bytes = 8 + 1 + 8 + 8;
constexpr std::size_t left_out_bytes = 8 + 8;

[[noreturn]] void damaged(std::string_view what) {
  throw Error(ErrorCode::corrupt_file, "damaged_encoding", "The encoding of the columns is damaged: {what}.",
              {{"what", what}});
}

void check(bool holds, const char* what) {
  if (!holds) damaged(what);
}

void write_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.u64(texts.size());
  for (const std::string& text : texts) out.text(text);
}

std::string read_name(ByteReader& in) {
  std::string name = in.text();
  check(is_utf8(name), "a name or level is not UTF-8");
  return name;
}

/// Rows find their level by its text, so no text may stand for two.
void check_levels(const EncodedColumn& column) {
  std::unordered_set<std::string_view> seen;
  for (const auto* texts : {&column.levels, &column.rare})
    for (const std::string& text : *texts) check(seen.insert(text).second, "a category has a level twice");
}

std::vector<std::string> read_texts(ByteReader& in) {
  std::vector<std::string> texts(in.count(text_bytes));
  for (std::string& text : texts) text = read_name(in);
  return texts;
}

bool read_bool(ByteReader& in) {
  const std::uint8_t value = in.u8();
  check(value <= 1, "a yes or no is neither");
  return value == 1;
}

EncodedColumn read_column(ByteReader& in, std::uint32_t version) {
  EncodedColumn column;
  column.name = read_name(in);
  const std::uint8_t type = in.u8();
  check(type <= static_cast<std::uint8_t>(ColumnType::text), "a column has an unknown type");
  column.type = static_cast<ColumnType>(type);
  column.category = read_bool(in);
  check(column.category || column.type != ColumnType::text, "a text column is no category");
  column.median = in.f64();
  check(std::isfinite(column.median), "a median is not a finite number");
  column.levels = read_texts(in);
  column.has_other = read_bool(in);
  column.rare = read_texts(in);
  check(column.category || (column.levels.empty() && !column.has_other), "a number has levels");
  check(column.has_other || column.rare.empty(), "rare levels have no indicator");
  column.missing_share = in.f64();
  check(column.missing_share >= 0.0 && column.missing_share <= 1.0, "a share is not between 0 and 1");
  if (version > 1) column.has_missing = read_bool(in);
  check(column.category || !column.has_missing, "a number has levels");
  check_levels(column);
  return column;
}

EncodedFeature read_feature(ByteReader& in, const std::vector<EncodedColumn>& columns) {
  EncodedFeature feature;
  feature.name = read_name(in);
  const std::uint8_t kind = in.u8();
  check(kind <= static_cast<std::uint8_t>(EncodedKind::category), "a feature has an unknown kind");
  feature.kind = static_cast<EncodedKind>(kind);
  feature.column = in.u64();
  feature.level = in.u64();
  check(feature.column < columns.size(), "a feature has no column");
  const EncodedColumn& column = columns[feature.column];
  check(feature.kind != EncodedKind::numeric || !column.category, "a category is used as a number");
  check(feature.kind != EncodedKind::indicator ||
            feature.level < column.levels.size() + (column.has_other ? 1 : 0),
        "a feature has no level");
  check(feature.kind != EncodedKind::category || (column.category && column.has_other),
        "positions are not those of a category");
  return feature;
}

}  // namespace

void write(ByteWriter& out, const Encoding& encoding) {
  out.u32(format_version);
  out.u64(encoding.columns.size());
  for (const EncodedColumn& column : encoding.columns) {
    out.text(column.name);
    out.u8(static_cast<std::uint8_t>(column.type));
    out.u8(column.category ? 1 : 0);
    out.f64(column.median);
    write_texts(out, column.levels);
    out.u8(column.has_other ? 1 : 0);
    write_texts(out, column.rare);
    out.f64(column.missing_share);
    out.u8(column.has_missing ? 1 : 0);
  }
  out.u64(encoding.features.size());
  for (const EncodedFeature& feature : encoding.features) {
    out.text(feature.name);
    out.u8(static_cast<std::uint8_t>(feature.kind));
    out.u64(feature.column);
    out.u64(feature.level);
  }
  out.u64(encoding.left_out.size());
  for (const LeftOutColumn& column : encoding.left_out) {
    out.text(column.name);
    out.text(column.reason);
  }
}

Encoding read_encoding(ByteReader& in) {
  const std::uint32_t version = in.u32();
  if (version > format_version)
    throw Error(ErrorCode::unsupported_version, "newer_encoding",
                "The encoding of the columns was written by a newer version (format {format}). Update KORE "
                "to read it.",
                {{"format", version}});
  check(version != 0, "its format has no number");
  Encoding encoding;
  encoding.columns.resize(in.count(column_bytes));
  for (EncodedColumn& column : encoding.columns) column = read_column(in, version);
  encoding.features.resize(in.count(feature_bytes));
  for (EncodedFeature& feature : encoding.features) {
    feature = read_feature(in, encoding.columns);
    EncodedColumn& column = encoding.columns[feature.column];
    if (version == 1 && column.category && feature.kind == EncodedKind::missing_flag)
      column.has_missing = true;
  }
  encoding.left_out.resize(in.count(left_out_bytes));
  for (LeftOutColumn& column : encoding.left_out) {
    column.name = read_name(in);
    column.reason = read_name(in);
  }
  return encoding;
}

}  // namespace kore::table

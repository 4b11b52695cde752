#include "kore/encoder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/bytes.hpp"
#include "support/error_of.hpp"
#include "support/sentences.hpp"
#include "table/encoding_bytes.hpp"

namespace kore::table {
namespace {

using test::error_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A number with a flag, a category with "(other)" and "(missing)", and a category with neither.
Encoding example() {
  Encoding encoding;
  encoding.columns = {{"x", ColumnType::number, false, 7.5, {}, false, {}, 0.2},
                      {"c", ColumnType::text, true, 0, {"a", "b"}, true, {"rare"}, 0.1, true},
                      {"d", ColumnType::text, true, 0, {"u", "v"}, false, {}, 0}};
  encoding.features = {
      {"x", EncodedKind::numeric, 0, 0},           {"x (missing)", EncodedKind::missing_flag, 0, 0},
      {"c=a", EncodedKind::indicator, 1, 0},       {"c=b", EncodedKind::indicator, 1, 1},
      {"c=(other)", EncodedKind::indicator, 1, 2}, {"c=(missing)", EncodedKind::missing_flag, 1, 0},
      {"d=u", EncodedKind::indicator, 2, 0},       {"d=v", EncodedKind::indicator, 2, 1}};
  encoding.left_out = {{"e", "it has no value in any row"}};
  return encoding;
}

const std::vector<double> x{1, nan, 3, -4};
const std::vector<std::string_view> c{"a", "rare", {}, "new"};
const std::vector<std::string_view> d{"v", "u", "w", {}};

/// Rows of the example, with the feature index running fastest.
std::vector<std::vector<double>> rows_of(const std::vector<double>& out, std::size_t rows,
                                         std::size_t stride) {
  std::vector<std::vector<double>> result(rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < 8; ++j) result[i].push_back(out[j * stride + i]);
  return result;
}

const std::vector<std::vector<double>> expected{{1, 0, 1, 0, 0, 0, 0, 1},
                                                {7.5, 1, 0, 0, 1, 0, 1, 0},
                                                {3, 0, 0, 0, 0, 1, 0, 0},
                                                {-4, 0, 0, 0, 1, 0, 0, 0}};

TEST(Encoder, WritesNumbersFlagsAndIndicators) {
  const Encoder encoder(example());
  std::vector<double> out(8 * 10, -99);
  EncodeCounts counts;
  encoder.encode(std::vector{RawColumn::numbers(x), RawColumn::texts(c), RawColumn::texts(d)}, 4, out, 10,
                 counts);
  EXPECT_EQ(rows_of(out, 4, 10), expected);
  EXPECT_EQ(out[4], -99) << "rows beyond those given are left alone";
}

TEST(Encoder, CountsMissingValuesAndUnseenLevels) {
  const Encoder encoder(example());
  std::vector<double> out(8 * 4);
  EncodeCounts counts;
  const std::vector raw{RawColumn::numbers(x), RawColumn::texts(c), RawColumn::texts(d)};
  encoder.encode(raw, 4, out, 4, counts);
  encoder.encode(raw, 4, out, 4, counts);
  EXPECT_EQ(counts.missing, (std::vector<std::uint64_t>{2, 2, 2}));
  EXPECT_EQ(counts.unseen, (std::vector<std::uint64_t>{0, 2, 2})) << "a rare level of training is not unseen";
  EncodeCounts sum;
  sum.merge(counts);
  sum.merge(counts);
  EXPECT_EQ(sum.unseen, (std::vector<std::uint64_t>{0, 4, 4}));
}

TEST(Encoder, ReadsDictionariesLikeTexts) {
  const Encoder encoder(example());
  const std::vector<std::string_view> dictionary{"new", "rare", "a", "u", "v", "w"};
  const std::vector<std::int32_t> c_codes{2, 1, -1, 0};
  const std::vector<std::int32_t> d_codes{4, 3, 5, -1};
  std::vector<double> out(8 * 4);
  EncodeCounts counts;
  encoder.encode(std::vector{RawColumn::numbers(x), RawColumn::codes(c_codes, dictionary),
                             RawColumn::codes(d_codes, dictionary)},
                 4, out, 4, counts);
  EXPECT_EQ(rows_of(out, 4, 4), expected);
  EXPECT_EQ(counts.unseen, (std::vector<std::uint64_t>{0, 1, 1}));
  const std::vector<std::int32_t> beyond{4, 3, 6, -1};
  EXPECT_SAYS(error_of([&] {
                encoder.encode(std::vector{RawColumn::numbers(x), RawColumn::codes(c_codes, dictionary),
                                           RawColumn::codes(beyond, dictionary)},
                               4, out, 4, counts);
              }),
              "'d' has a code");
}

TEST(Encoder, TellsAnEmptyTextFromAMissingOne) {
  Encoding encoding;
  encoding.columns = {{"c", ColumnType::text, true, 0, {"", "a"}, false, {}, 0}};
  encoding.features = {{"c=", EncodedKind::indicator, 0, 0}, {"c=a", EncodedKind::indicator, 0, 1}};
  const Encoder encoder(encoding);
  const std::vector<std::string_view> texts{"", std::string_view{}};
  std::vector<double> out(4);
  EncodeCounts counts;
  encoder.encode(std::vector{RawColumn::texts(texts)}, 2, out, 2, counts);
  EXPECT_EQ(out, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(counts.missing[0], 1U);
}

TEST(Encoder, RefusesBlocksOfTheWrongShape) {
  const Encoder encoder(example());
  std::vector<double> out(8 * 4);
  EncodeCounts counts;
  const auto encode = [&](std::vector<RawColumn> columns, std::size_t rows, std::size_t stride) {
    return error_of([&] { encoder.encode(columns, rows, out, stride, counts); });
  };
  EXPECT_SAYS(encode({RawColumn::numbers(x)}, 4, 4), "needs 3 columns");
  EXPECT_SAYS(encode({RawColumn::numbers(x), RawColumn::numbers(x), RawColumn::texts(d)}, 4, 4),
              "'c' must hold texts");
  EXPECT_SAYS(encode({RawColumn::texts(c), RawColumn::texts(c), RawColumn::texts(d)}, 4, 4),
              "'x' must hold numbers");
  EXPECT_SAYS(encode({RawColumn::numbers(x), RawColumn::texts(c), RawColumn::texts(d)}, 3, 4),
              "has 4 rows instead of 3");
  EXPECT_SAYS(encode({RawColumn::numbers(x), RawColumn::texts(c), RawColumn::texts(d)}, 4, 5), "too small");
}

TEST(EncodeWarnings, CountRowsAndSayWhatBecomesOfThem) {
  EncodeCounts counts;
  counts.missing = {3, 1, 1};
  counts.unseen = {0, 12, 1};
  const auto warnings = test::sentences(encode_warnings(example(), counts));
  ASSERT_EQ(warnings.size(), 3U) << "gaps that training had too are nothing new";
  EXPECT_EQ(warnings[0],
            "Column 'c': 12 rows with a level that training did not have; predicted as \"(other)\".");
  EXPECT_EQ(
      warnings[1],
      "Column 'd': 1 row with a level that training did not have; predicted as having none of its levels.");
  EXPECT_EQ(warnings[2],
            "Column 'd': 1 row without a value, though training had no such row; predicted as having none of "
            "its levels.");
}

TEST(EncodingBytes, SurviveARoundTrip) {
  ByteWriter out;
  out.u32(17);
  write(out, example());
  out.text("after");
  ByteReader in(out.bytes());
  EXPECT_EQ(in.u32(), 17U);
  EXPECT_EQ(read_encoding(in), example());
  EXPECT_EQ(in.text(), "after");
  EXPECT_TRUE(in.at_end());
}

TEST(EncodingBytes, AreRefusedWhenCutAnywhere) {
  ByteWriter out;
  write(out, example());
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader in(std::span(out.bytes()).first(length));
    EXPECT_EQ(error_of([&] { read_encoding(in); }).code(), ErrorCode::corrupt_file) << length;
  }
}

TEST(EncodingBytes, NeverGiveAnEncodingThatCannotBeApplied) {
  ByteWriter out;
  write(out, example());
  const std::vector<double> numbers{1};
  const std::vector<std::string_view> texts{"a"};
  std::size_t refused = 0;
  for (std::size_t at = 0; at < out.bytes().size(); ++at)
    for (const int flip : {1, 2, 128, 255}) {
      auto bytes = out.bytes();
      bytes[at] ^= static_cast<std::byte>(flip);
      ByteReader in(bytes);
      try {
        const Encoder encoder(read_encoding(in));
        std::vector<RawColumn> raw;
        for (const EncodedColumn& column : encoder.encoding().columns)
          raw.push_back(column.category ? RawColumn::texts(texts) : RawColumn::numbers(numbers));
        std::vector<double> features(encoder.encoding().features.size());
        EncodeCounts counts;
        encoder.encode(raw, 1, features, 1, counts);
      } catch (const Error& error) {
        ++refused;
        EXPECT_TRUE(error.code() == ErrorCode::corrupt_file ||
                    error.code() == ErrorCode::unsupported_version);
      }
    }
  EXPECT_GT(refused, out.bytes().size()) << "most damage to counts and kinds is noticed";
}

TEST(EncodingBytes, OfANewerVersionAreRefusedAsSuch) {
  ByteWriter out;
  write(out, example());
  auto bytes = out.bytes();
  bytes[0] = std::byte{3};
  ByteReader in(bytes);
  EXPECT_EQ(error_of([&] { read_encoding(in); }).code(), ErrorCode::unsupported_version);
}

}  // namespace
}  // namespace kore::table

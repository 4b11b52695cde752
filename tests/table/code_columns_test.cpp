#include "table/code_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "support/sentences.hpp"
#include "table/encode_frame.hpp"
#include "table/summarize_frame.hpp"

namespace kore::table {
namespace {

/// A table of one column whose target is a function of it, with noise.
struct Table {
  std::vector<double> values;
  std::vector<double> target;
};

Table made_up(std::size_t rows, const std::function<double(std::mt19937&)>& value,
              const std::function<double(double)>& effect, double noise) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Table table;
  for (std::size_t row = 0; row < rows; ++row) {
    table.values.push_back(value(random));
    table.target.push_back(effect(table.values.back()) + noise * normal(random));
  }
  return table;
}

/// One of `count` numbers of five digits, far from each other.
double zip(std::mt19937& random, unsigned count) {
  return 10000 + static_cast<double>(random() % count * 7919 % 90000);
}

/// A number that has nothing to do with the order of the values.
double scattered(double value) {
  std::mt19937 random(static_cast<unsigned>(value));
  random.discard(3);
  return static_cast<double>(random() % 1000) / 300;
}

bool codes(const Table& table) { return are_codes(table.values, table.target); }

TEST(CodeColumns, AreNumbersWhoseNeighboursAreNotAlike) {
  for (const unsigned count : {30U, 200U, 900U})
    EXPECT_TRUE(codes(made_up(
        3000, [=](auto& r) { return zip(r, count); }, scattered, 0.5)))
        << count;
}

TEST(CodeColumns, AreNoNumbersThatACurveFollows) {
  const auto price = [](std::mt19937& r) { return zip(r, 200); };
  EXPECT_FALSE(codes(made_up(
      3000, price, [](double v) { return std::sin(v / 1e4); }, 0.5)));
  EXPECT_FALSE(codes(made_up(
      3000, price, [](double v) { return std::log(v); }, 0)));
  const auto year = [](std::mt19937& r) { return 1950 + static_cast<double>(r() % 70); };
  EXPECT_FALSE(codes(made_up(
      3000, year, [](double v) { return (v - 1980) * (v - 1980) / 100; }, 2)));
}

TEST(CodeColumns, AreNoNumbersThatSayNothing) {
  for (const unsigned count : {30U, 900U})
    EXPECT_FALSE(codes(made_up(
        3000, [=](auto& r) { return zip(r, count); }, [](double) { return 0; }, 1)));
}

TEST(CodeColumns, AreNeitherSmallNorFewNorBroken) {
  const auto shifted = [](double by) {
    return made_up(
        3000, [=](std::mt19937& r) { return by + static_cast<double>(r() % 60); }, scattered, 0.1);
  };
  EXPECT_FALSE(codes(shifted(0))) << "a count";
  EXPECT_FALSE(codes(shifted(100.5)));
  EXPECT_TRUE(codes(shifted(100)));
  EXPECT_FALSE(codes(made_up(
      3000, [](auto& r) { return zip(r, 15); }, scattered, 0.1)));
  EXPECT_FALSE(codes(made_up(
      300, [](auto& r) { return zip(r, 900); }, scattered, 0.1)))
      << "hardly any value comes twice";
}

TEST(CodeColumns, AreNotedOnceByName) {
  const Table table = made_up(
      8000, [](auto& r) { return zip(r, 200); }, scattered, 0.5);
  const Frame frame{{owned_numbers("zip", ColumnType::number, table.values),
                     owned_numbers("half", ColumnType::number, std::vector<double>(8000, 0.5))},
                    8000};
  const auto columns = summarize(frame, {false, false}, 1);
  const Encoding encoding = make_encoding(columns);
  const EncodedFrame encoded = encode(frame, encoding);
  const auto notes = code_column_notes(columns, encoding, MemorySource(encoded.x, table.target));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].reason(), "numbers_are_codes");
  EXPECT_EQ(notes[0].argument("column"), "zip");
}

}  // namespace
}  // namespace kore::table

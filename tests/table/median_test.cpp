// The median of numbers that are too many to keep, beside that of the sorted numbers.
#include "table/median.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "kore/error.hpp"
#include "support/error_of.hpp"

namespace kore::table {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double by_sorting(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  std::ranges::sort(values);
  const double lower = values[(values.size() - 1) / 2];
  const double upper = values[values.size() / 2];
  return lower + (upper - lower) / 2;
}

/// The passes that were needed.
int search(MedianSelector& selector, std::span<const double> values) {
  int passes = 0;
  while (!selector.found()) {
    selector.add(values);
    selector.end_pass();
    ++passes;
    EXPECT_LT(passes, 100) << "the bracket does not shrink";
    if (passes == 100) break;
  }
  return passes;
}

using Draw = std::function<double(std::mt19937_64&, std::size_t)>;

struct Distribution {
  const char* name;
  Draw draw;
};

double uniform(std::mt19937_64& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

const std::vector<Distribution>& distributions() {
  static const std::vector<Distribution> all{
      {"uniform", [](auto& random, std::size_t) { return uniform(random); }},
      {"wide", [](auto& random, std::size_t) { return std::exp(300 * (uniform(random) - 0.5)); }},
      {"near a million", [](auto& random, std::size_t) { return 1e6 + uniform(random) * 1e-6; }},
      {"rising", [](auto&, std::size_t i) { return static_cast<double>(i); }},
      {"falling", [](auto&, std::size_t i) { return -static_cast<double>(i) / 3; }},
      {"every second one large",
       [](auto& random, std::size_t i) { return i % 2 == 0 ? uniform(random) : 9.0; }},
      {"two values", [](auto& random, std::size_t) { return uniform(random) < 0.5 ? -1.0 : 4.0; }},
      {"two halves", [](auto&, std::size_t i) { return i % 2 == 0 ? -1.0 : 4.0; }},
      {"digits", [](auto& random, std::size_t) { return std::floor(10 * uniform(random)); }},
      {"mostly zero",
       [](auto& random, std::size_t) { return uniform(random) < 0.6 ? 0.0 : uniform(random); }},
      {"half zero", [](auto& random, std::size_t i) { return i % 2 == 0 ? 0.0 : uniform(random); }},
      {"gaps", [](auto& random, std::size_t) { return uniform(random) < 0.3 ? nan : uniform(random); }},
      {"one value", [](auto&, std::size_t) { return 7.0; }}};
  return all;
}

TEST(MedianSelector, AgreesWithSorting) {
  for (const auto& [name, draw] : distributions())
    for (const std::size_t count : {1U, 2U, 3U, 10U, 1001U, 20'000U, 20'001U})
      for (const std::size_t capacity : {64U, 1000U, 100'000U}) {
        std::mt19937_64 random(count + capacity);
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) values.push_back(draw(random, i));
        if (std::ranges::all_of(values, [](double v) { return std::isnan(v); })) continue;
        MedianSelector selector(capacity);
        const int passes = search(selector, values);
        EXPECT_EQ(selector.median(), by_sorting(values)) << name << ", " << count << ", " << capacity;
        EXPECT_TRUE(count > capacity || passes == 1) << name;
        EXPECT_TRUE(capacity < 1000 || passes <= 4) << name << ", " << count << ": " << passes;
      }
}

TEST(MedianSelector, FindsItWhateverIsGuessed) {
  std::mt19937_64 random(3);
  std::vector<double> values;
  for (int i = 0; i < 50'000; ++i) values.push_back(std::normal_distribution<double>(5, 2)(random));
  const double median = by_sorting(values);
  const std::pair<double, double> guesses[]{{4.9, 5.1}, {5, 5},     {-100, -90}, {90, 100},
                                            {6, 6.1},   {3.9, 4.0}, {-1e9, 1e9}, {median, median}};
  for (const auto& [low, high] : guesses) {
    MedianSelector selector(values.size(), low, high, 0.05);
    search(selector, values);
    EXPECT_EQ(selector.median(), median) << low << " to " << high;
  }
}

TEST(MedianSelector, AddsUpPartsByTheirBytes) {
  for (const auto& [name, draw] : distributions()) {
    std::mt19937_64 random(9);
    std::vector<double> values;
    for (std::size_t i = 0; i < 6000; ++i) values.push_back(draw(random, i));
    MedianSelector whole(500);
    for (int passes = 0; !whole.found() && passes < 20; ++passes) {
      ByteWriter place;
      whole.write_place(place);
      // Parts of uneven sizes, so that some are thinned and others are not.
      for (std::size_t first = 0, rows = 0; first < values.size(); first += rows) {
        rows = std::min<std::size_t>(first == 0 ? 4000 : 300, values.size() - first);
        ByteReader reader(place.bytes());
        MedianSelector part = MedianSelector::read_place(reader);
        part.add(std::span(values).subspan(first, rows));
        ByteWriter found;
        part.write_found(found);
        EXPECT_LE(found.bytes().size(), part.most_bytes());
        ByteReader result(found.bytes());
        whole.merge_found(result);
        EXPECT_TRUE(result.at_end());
      }
      whole.end_pass();
    }
    ASSERT_TRUE(whole.found()) << name;
    EXPECT_EQ(whole.median(), by_sorting(values)) << name;
  }
}

TEST(MedianSelector, ZeroHasNoSign) {
  for (const auto& values : {std::vector{-0.0, -0.0, -0.0}, {0.0, -0.0}, {-0.0, 0.0, -0.0}}) {
    MedianSelector selector;
    search(selector, values);
    EXPECT_FALSE(std::signbit(selector.median()));
  }
}

TEST(MedianSelector, RefusesNumbersThatChange) {
  MedianSelector selector(100, 0, 1, 0.5);
  selector.add(std::vector<double>(99, 0.5));
  EXPECT_EQ(test::error_of([&] { selector.end_pass(); }).reason(), "table_changed_between_medians");
}

TEST(MedianSelector, RefusesDamagedBytes) {
  ByteWriter place;
  place.u64(0);
  place.f64(0);
  place.f64(1);
  ByteReader no_capacity(place.bytes());
  EXPECT_EQ(test::error_of([&] { MedianSelector::read_place(no_capacity); }).code(), ErrorCode::corrupt_file);
  ByteWriter other;
  other.u64(10);
  other.f64(1);
  other.f64(0);
  ByteReader crossed(other.bytes());
  EXPECT_EQ(test::error_of([&] { MedianSelector::read_place(crossed); }).code(), ErrorCode::corrupt_file);
  // Findings: four counts, four ends, then the stride, the numbers seen, and those kept.
  for (const std::uint64_t stride : {0U, 3U, 1U}) {
    ByteWriter found;
    for (int i = 0; i < 4; ++i) found.u64(5);
    for (const double end : {0.0, 1.0, 0.0, 1.0}) found.f64(end);
    found.u64(stride);
    found.u64(5);
    found.f64s(std::vector<double>{0.5});
    MedianSelector selector(100);
    ByteReader in(found.bytes());
    EXPECT_EQ(test::error_of([&] { selector.merge_found(in); }).code(), ErrorCode::corrupt_file) << stride;
  }
}

}  // namespace
}  // namespace kore::table

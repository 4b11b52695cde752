#include "pass/shared_passes.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace kore {
namespace {

/// Counts how often its rows are read.
class CountedRows final : public RowSource {
 public:
  std::size_t columns() const override { return 1; }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override {
    ++passes;
    for (std::size_t first = 0; first < values_.size(); first += 2) {
      const std::span<const double> part = std::span(values_).subspan(first, 2);
      visit({MatrixView::column_major(part, 2, 1), part, {}});
    }
  }
  mutable int passes = 0;

 private:
  std::vector<double> values_{1, 2, 3, 4, 5, 6};
};

double sum_of(const RowSource& rows) {
  double sum = 0;
  rows.for_each_block(
      [&](const RowBlock& block) { sum = std::accumulate(block.y.begin(), block.y.end(), sum); });
  return sum;
}

TEST(SharedPasses, FitsThatWantPassesAtTheSameTimeReadTheRowsOnce) {
  const CountedRows rows;
  std::vector<double> found(3);
  std::vector<FitOfSource> fits;
  for (std::size_t k = 0; k < found.size(); ++k)
    fits.emplace_back([&found, k](const RowSource& source) {
      for (std::size_t pass = 0; pass <= k; ++pass) found[k] += sum_of(source);
    });
  share_passes(rows, fits);
  EXPECT_EQ(found, (std::vector<double>{21, 42, 63}));
  EXPECT_EQ(rows.passes, 3) << "as many as the longest fit needs";
}

TEST(SharedPasses, AFitWithoutAPassEndsAtOnce) {
  const CountedRows rows;
  int ran = 0;
  const std::vector<FitOfSource> fits(4, [&](const RowSource&) { ++ran; });
  share_passes(rows, fits);
  EXPECT_EQ(ran, 4);
  EXPECT_EQ(rows.passes, 0);
}

TEST(SharedPasses, TheErrorOfAFitEndsAllOthers) {
  const CountedRows rows;
  bool finished = false;
  const std::vector<FitOfSource> fits{[](const RowSource& source) {
                                        sum_of(source);
                                        throw std::runtime_error("a fit");
                                      },
                                      [&](const RowSource& source) {
                                        sum_of(source);
                                        sum_of(source);
                                        finished = true;
                                      }};
  EXPECT_THROW(share_passes(rows, fits), std::runtime_error);
  EXPECT_FALSE(finished);
}

TEST(SharedPasses, AnErrorWhileABlockIsTakenIsThatOfTheFitThatTakesIt) {
  const CountedRows rows;
  std::vector<FitOfSource> fits{
      [](const RowSource& source) {
        EXPECT_THROW(source.for_each_block([](const RowBlock&) { throw std::runtime_error("a block"); }),
                     std::runtime_error);
      },
      [](const RowSource& source) { EXPECT_EQ(sum_of(source), 21); }};
  EXPECT_NO_THROW(share_passes(rows, fits));
}

TEST(SharedPasses, AnErrorOfTheRowsIsThrown) {
  class Broken final : public RowSource {
   public:
    std::size_t columns() const override { return 1; }
    void for_each_block(const std::function<void(const RowBlock&)>&) const override {
      throw std::runtime_error("the rows");
    }
  };
  const Broken rows;
  const std::vector<FitOfSource> fits(2, [](const RowSource& source) { sum_of(source); });
  EXPECT_THROW(share_passes(rows, fits), std::runtime_error);
}

}  // namespace
}  // namespace kore

#include "table/read_ahead.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace kore::table {
namespace {

/// Delivers blocks whose only row is their number, until they are `count` or nobody wants more.
void deliver_numbers(const Deliver& deliver, int count) {
  OwnedBlock block;
  block.x.resize(1);
  for (int i = 0; i < count; ++i) {
    block.x[0] = i;
    block.y.push_back(i);
    if (!deliver(block)) return;
    EXPECT_EQ(block.rows(), 0U);
    EXPECT_EQ(block.x.size(), 1U);
  }
}

TEST(ReadAhead, GivesEveryBlockInTheOrderOfDelivery) {
  std::vector<double> seen;
  read_ahead(
      2, [](const Deliver& deliver) { deliver_numbers(deliver, 1000); },
      [&](const OwnedBlock& block) {
        EXPECT_EQ(block.x[0], block.y[0]);
        seen.push_back(block.y[0]);
      });
  ASSERT_EQ(seen.size(), 1000U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<double>(i));
}

TEST(ReadAhead, KeepsNoMoreBlocksThanItWasTold) {
  std::atomic<int> delivered{0};
  int used = 0;
  read_ahead(
      2,
      [&](const Deliver& deliver) {
        OwnedBlock block;
        for (int i = 0; i < 200; ++i) {
          block.y.push_back(i);
          ASSERT_TRUE(deliver(block));
          ++delivered;
        }
      },
      [&](const OwnedBlock&) {
        EXPECT_LE(delivered, used + 3);  // two ahead, and the one in use
        ++used;
      });
  EXPECT_EQ(used, 200);
}

TEST(ReadAhead, ThrowsWhatTheReaderThrewAfterTheBlocksItHadDelivered) {
  int used = 0;
  const auto read = [](const Deliver& deliver) {
    deliver_numbers(deliver, 5);
    throw std::runtime_error("the disk is gone");
  };
  try {
    read_ahead(1, read, [&](const OwnedBlock&) { ++used; });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the disk is gone");
  }
  EXPECT_EQ(used, 5);
}

TEST(ReadAhead, EndsTheReaderWhereTheVisitorThrows) {
  bool reader_ended = false;
  const auto read = [&](const Deliver& deliver) {
    deliver_numbers(deliver, 1'000'000'000);
    reader_ended = true;
  };
  EXPECT_THROW(read_ahead(1, read,
                          [](const OwnedBlock& block) {
                            if (block.y[0] == 3) throw std::logic_error("enough");
                          }),
               std::logic_error);
  EXPECT_TRUE(reader_ended);
}

}  // namespace
}  // namespace kore::table

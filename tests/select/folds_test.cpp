#include "kore/criteria.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kore {
namespace {

TEST(ShuffledFolds, EqualThoseOfTheLegacyNumPyGenerator) {
  const auto vectors = nlohmann::json::parse(std::ifstream(KORE_TEST_DATA "/rng.json"))["kfold"];
  ASSERT_FALSE(vectors.empty());
  for (const auto& vector : vectors) {
    const auto folds = shuffled_folds(vector["n"], vector["k"], vector["seed"]);
    ASSERT_EQ(folds.size(), vector["sizes"].size());
    for (std::size_t fold = 0; fold < folds.size(); ++fold) {
      EXPECT_EQ(folds[fold].size(), vector["sizes"][fold].get<std::size_t>());
      const auto expected = vector["test_indices"][fold].get<std::vector<std::size_t>>();
      ASSERT_LE(expected.size(), folds[fold].size());
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), folds[fold].begin()))
          << "seed " << vector["seed"] << ", n " << vector["n"] << ", fold " << fold;
    }
  }
}

TEST(ShuffledFolds, PartitionTheRowsIntoAscendingParts) {
  for (std::size_t rows : {2u, 7u, 64u, 65u, 1000u}) {
    for (int count : {2, 3, 7}) {
      if (static_cast<std::size_t>(count) > rows) continue;
      std::vector<int> seen(rows, 0);
      for (const auto& fold : shuffled_folds(rows, count, 11)) {
        EXPECT_TRUE(std::ranges::is_sorted(fold));
        for (const std::size_t row : fold) ++seen[row];
      }
      EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
    }
  }
}

TEST(ShuffledFolds, GiveTheLeftoverRowsToTheFirstFolds) {
  const auto folds = shuffled_folds(11, 4, 3);
  EXPECT_EQ(folds[0].size(), 3u);
  EXPECT_EQ(folds[1].size(), 3u);
  EXPECT_EQ(folds[2].size(), 3u);
  EXPECT_EQ(folds[3].size(), 2u);
}

TEST(ShuffledFolds, DependOnTheSeed) {
  EXPECT_EQ(shuffled_folds(50, 3, 1), shuffled_folds(50, 3, 1));
  EXPECT_NE(shuffled_folds(50, 3, 1), shuffled_folds(50, 3, 2));
}

TEST(ShuffledFolds, RefuseFewerThanTwoFoldsAndMoreFoldsThanRows) {
  EXPECT_THROW(shuffled_folds(10, 1, 0), Error);
  EXPECT_THROW(shuffled_folds(10, -3, 0), Error);
  EXPECT_THROW(shuffled_folds(2, 3, 0), Error);
  EXPECT_THROW(shuffled_folds(0, 2, 0), Error);
  EXPECT_NO_THROW(shuffled_folds(3, 3, 0));
}

TEST(ShuffledFolds, RefuseMoreRowsThanThirtyTwoBitsCanNumber) {
  EXPECT_THROW(shuffled_folds((std::size_t{1} << 32) + 1, 3, 0), Error);
}

}  // namespace
}  // namespace kore

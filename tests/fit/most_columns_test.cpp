#include "fit/most_columns.hpp"

#include <gtest/gtest.h>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

TEST(MostColumns, AreNotExceededByAnyFit) {
  const Rows rows = made_up_rows(700, 4, 21);
  for (const bool published : {true, false})
    for (const StructureChoice structure : {StructureChoice::additive, StructureChoice::automatic}) {
      Options options = published ? Options::paper() : Options{};
      options.structure = structure;
      options.max_resolution_additive = 12;
      std::size_t largest = 0;
      options.progress = [&largest](const Progress& fit) { largest = std::max(largest, fit.score.p); };
      static_cast<void>(fit(rows.source(), options));
      const std::size_t most = most_columns(rows.features(), options, 700);
      EXPECT_LE(largest, most);
      EXPECT_GE(largest, published ? most / 8 : 1) << "a bound that says nothing";
    }
}

TEST(MostColumns, FollowTheLimits) {
  const Rows rows = made_up_rows(10, 6, 22);
  Options options;
  options.max_columns = 300;
  EXPECT_LE(most_columns(rows.features(), options, 1e9), 300U);
  Options published = Options::paper();
  published.structure = StructureChoice::additive;
  published.max_resolution_additive = 20;
  EXPECT_LE(most_columns(rows.features(), published, 100), 46U);  // the stability rule
  const std::size_t all = most_columns(rows.features(), published, 1e9);
  EXPECT_GE(all, 6U * 22U);
  EXPECT_LE(all, 6U * 23U + 1);
}

}  // namespace
}  // namespace kore

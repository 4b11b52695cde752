// Tasks and results whose envelope is whole and whose content lies.
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "pass/format.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/survey_passes.hpp"
#include "stats/row_sample.hpp"
#include "support/error_of.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

std::vector<std::byte> gram_task(int resolution) {
  const std::vector<Feature> features{{"a", {0, 1}}, {"b", {0, 1}}};
  const FeaturePair pair[]{{0, 1}};
  return GramPass({Design::pairwise(features, pair, resolution, 3)}, GramBlocks::none).task();
}

TEST(HostileTask, ThatAsksForMoreMemoryThanThereIsIsRefused) {
  // A few hundred bytes that mean sums of all products of 250,000 functions.
  std::vector<std::byte> bytes = gram_task(500);
  ASSERT_LT(bytes.size(), 555U);
  ByteReader in(open_sealed(bytes, "KTSK", 3, "task").content);
  const auto kind = static_cast<PassKind>(in.u8());
  const auto content = in.section();
  std::vector<std::byte> changed(content.begin(), content.end());
  ASSERT_EQ(changed[14], std::byte{static_cast<unsigned char>(GramBlocks::none)})
      << "the name, then the blocks";
  changed[14] = std::byte{static_cast<unsigned char>(GramBlocks::all)};
  const Error error = test::error_of([&] { pass_from_task(seal_task(kind, changed)); });
  EXPECT_EQ(error.reason(), "task_too_large");
  EXPECT_SAYS(error, "bytes");
}

TEST(HostileTask, IsJudgedByTheMemoryThatIsGiven) {
  const std::vector<std::byte> task = gram_task(20);
  EXPECT_NO_THROW(pass_from_task(task));
  EXPECT_EQ(test::error_of([&] { pass_from_task(task, 1000); }).reason(), "task_too_large");
}

std::vector<std::byte> sample_bytes(std::uint64_t seen, std::uint64_t copies, double weight = 1) {
  ByteWriter out;
  for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{10}, seen, ~std::uint64_t{0}})
    out.u64(value);
  out.u64(1);
  out.u64(5);  // hash
  out.f64s(std::vector<double>{0.5, 1.5, weight});
  out.u64(copies);
  out.u64(1);
  out.u64(0);  // place
  return seal("KSMP", 2, out.bytes());
}

TEST(HostileSample, IsReadWhereItsCountsAgree) {
  RowSample sample = RowSample::deserialize(sample_bytes(3, 3));
  EXPECT_EQ(std::move(sample).take().y.size(), 3U);
}

TEST(HostileSample, ThatCountsMoreCopiesThanRowsIsRefused) {
  for (const auto& bytes :
       {sample_bytes(3, std::uint64_t{1} << 40), sample_bytes(std::uint64_t{1} << 40, std::uint64_t{1} << 40),
        sample_bytes(0, 1), sample_bytes(3, 0), sample_bytes(3, 3, -1)})
    EXPECT_EQ(test::error_of([&] { RowSample::deserialize(bytes); }).reason(), "bad_sample_row");
}

TEST(HostileResult, WithLeveragesOfRowsThatWereNotSeenIsRefused) {
  const auto read = [](std::uint64_t seen, std::uint64_t count, std::uint64_t row) {
    ByteWriter out;
    out.u64(seen);
    out.u64(count);
    out.u64(1);
    out.u64(row);
    out.f64(0.99);
    out.f64s(std::vector<double>{1});
    HighLeverages leverages;
    ByteReader in(out.bytes());
    leverages.read(in, 1);
  };
  EXPECT_NO_THROW(read(5, 1, 4));
  EXPECT_EQ(test::error_of([&] { read(5, 1, 5); }).code(), ErrorCode::corrupt_file);
  EXPECT_EQ(test::error_of([&] { read(5, 0, 1); }).code(), ErrorCode::corrupt_file);
  EXPECT_EQ(test::error_of([&] { read(0, 1, 0); }).code(), ErrorCode::corrupt_file);
}

}  // namespace
}  // namespace kore

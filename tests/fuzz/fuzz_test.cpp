// The fuzzers' targets without libFuzzer: what they start from, and a number of changes of it that is always
// the same. `make fuzz` searches further.
#include <gtest/gtest.h>

#include "fuzz/consumers.hpp"
#include "fuzz/mutation.hpp"
#include "fuzz/seeds.hpp"

namespace kore::fuzz {

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

const std::vector<Bytes>& seeds_of(std::string_view target) {
  static const auto all = make_seeds();
  return all.at(std::string(target));
}

struct Effort {
  std::size_t changes = 4000;  ///< About a second of them.
  double least_share = 0.01;   ///< Of those that are accepted: if fewer are, little is tested.
};

/// KORE_FUZZ_TIMES, for a longer search without libFuzzer, multiplies the changes.
Effort effort_for(std::string_view target) {
  Effort effort;
  if (target == "table") effort = {20, 0.01};
  if (target == "model" || target == "classes") effort = {3000, 0.25};
  const char* times = std::getenv("KORE_FUZZ_TIMES");
  if (times != nullptr) effort.changes *= std::stoul(times);
  return effort;
}

class FuzzTargets : public testing::TestWithParam<Target> {};

TEST_P(FuzzTargets, AcceptWhatTheyStartFrom) {
  std::size_t used = 0;
  for (const Bytes& seed : seeds_of(GetParam().name)) used += GetParam().run(seed) ? 1 : 0;
  // Bytes for `arrow` are any; the tables of texts have one that another separator would make a table.
  const std::size_t refused = seeds_of(GetParam().name).size() - used;
  if (GetParam().name == "arrow")
    EXPECT_GT(used, refused);
  else
    EXPECT_LE(refused, GetParam().name == "texts" ? 1U : 0U);
}

TEST_P(FuzzTargets, RefuseOrUseWhateverWasChanged) {
  constexpr std::size_t room = 4096;  // to grow into
  const Target& target = GetParam();
  const std::vector<Bytes>& seeds = seeds_of(target.name);
  std::mt19937 random(20);
  const AnyChange plain = [&](std::uint8_t* data, std::size_t size, std::size_t most) {
    return plain_change(random, data, size, most);
  };
  const auto [changes, least_share] = effort_for(target.name);
  std::size_t used = 0;
  for (std::size_t i = 0; i < changes; ++i) {
    Bytes bytes = seeds[i % seeds.size()];
    std::size_t size = bytes.size();
    bytes.resize(size + room);
    for (std::size_t round = 0; round < 1 + i % 3; ++round)
      size = mutate(target, reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size(),
                    static_cast<unsigned>(random()), plain);
    bytes.resize(size);
    used += target.run(bytes) ? 1 : 0;
  }
  RecordProperty("used", static_cast<int>(used));
  EXPECT_GE(static_cast<double>(used), least_share * static_cast<double>(changes));
  EXPECT_LT(used, changes) << "something must be refused";
}

TEST(FuzzConsumers, AllTakeTheModelsThatFuzzersStartFrom) {
  std::size_t of_tables = 0;
  for (const Bytes& seed : seeds_of("model")) {
    use(model_from_bytes(seed), Share::whole());
    if (allow_refusal([&] { use(table::table_model_from_bytes(seed), Share::whole()); })) ++of_tables;
  }
  EXPECT_GE(of_tables, 6U) << "both profiles and every family";
}

TEST(FuzzShares, AreAsLargeAsTheySayAndTheSameAgain) {
  constexpr std::uint32_t draws = 4000;
  std::uint32_t first = 0;
  std::uint32_t both = 0;
  for (std::uint32_t i = 0; i < draws; ++i) {
    const auto bytes = std::as_bytes(std::span(&i, 1));
    Share share(bytes);
    const bool one = share.one_in(4);
    EXPECT_EQ(Share(bytes).one_in(4), one);
    first += one ? 1 : 0;
    both += one && share.one_in(8) ? 1 : 0;
  }
  EXPECT_NEAR(first, draws / 4.0, 150);
  EXPECT_NEAR(both, draws / 32.0, 50);
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTargets, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace kore::fuzz

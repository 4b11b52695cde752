// The fuzzers' targets without libFuzzer: what they start from, and a number of changes of it that is always
// the same. `make fuzz` searches further.
#include <gtest/gtest.h>

#include "fuzz/consumers.hpp"
#include "fuzz/mutation.hpp"
#include "fuzz/seeds.hpp"
#include "fuzz/uses.hpp"

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
  double least_used = 0.9;     ///< Of the accepted, those that a consumer works on to its end.
};

/// KORE_FUZZ_TIMES, for a longer search without libFuzzer, multiplies the changes.
Effort effort_for(std::string_view target) {
  Effort effort;
  if (target == "table") effort = {20, 0.01};
  if (target == "model" || target == "classes") effort = {3000, 0.25};
  // Tasks may ask for columns that the rows here do not have; two of three kinds of options are only read.
  if (target == "task") effort.least_used = 0.7;
  if (target == "options") effort.least_used = 0.2;
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
  const Effort effort = effort_for(target.name);
  std::size_t accepted = 0;
  std::size_t used = 0;
  for (std::size_t i = 0; i < effort.changes; ++i) {
    Bytes bytes = seeds[i % seeds.size()];
    std::size_t size = bytes.size();
    bytes.resize(size + room);
    for (std::size_t round = 0; round < 1 + i % 3; ++round)
      size = mutate(target, reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size(),
                    static_cast<unsigned>(random()), plain);
    bytes.resize(size);
    const unsigned long long before = finished_uses();
    if (!target.run(bytes)) continue;
    ++accepted;
    used += finished_uses() > before ? 1 : 0;
  }
  RecordProperty("accepted", static_cast<int>(accepted));
  RecordProperty("used", static_cast<int>(used));
  EXPECT_GE(static_cast<double>(accepted), effort.least_share * static_cast<double>(effort.changes));
  EXPECT_LT(accepted, effort.changes) << "something must be refused";
  EXPECT_GE(static_cast<double>(used), effort.least_used * static_cast<double>(accepted));
}

TEST(FuzzConsumers, AllTakeTheModelsThatFuzzersStartFrom) {
  std::size_t of_tables = 0;
  for (const Bytes& seed : seeds_of("model")) {
    use(model_from_bytes(seed), Share::whole());
    if (allow_refusal([&] { use(table::table_model_from_bytes(seed), Share::whole()); })) ++of_tables;
  }
  EXPECT_GE(of_tables, 6U) << "both profiles and every family";
  for (const Use& use : uses()) EXPECT_GT(use.runs, 0U) << use.name;
}

TEST(FuzzConsumers, AreCountedByTheirEnd) {
  const unsigned long long before = finished_uses();
  consume("a test", [] {});
  consume("a test", [] { throw Error(ErrorCode::invalid_data, "No."); });
  consume("a test", [] {});
  const auto use =
      std::find_if(uses().begin(), uses().end(), [](const Use& one) { return one.name == "a test"; });
  ASSERT_NE(use, uses().end());
  EXPECT_EQ(use->runs, 2U);
  EXPECT_EQ(use->refused, 1U);
  EXPECT_EQ(finished_uses() - before, 2U);
}

// A fuzzer sees few models for which everything is done. Each consumer must run for some all the same.
TEST(FuzzConsumers, EachRunsForAShareOfTheModelsThatAreAccepted) {
  const auto models = std::find_if(targets().begin(), targets().end(),
                                   [](const Target& target) { return target.name == "model"; });
  const std::vector<Use> before(uses().begin(), uses().end());
  std::mt19937 random(21);
  const AnyChange none = [](std::uint8_t*, std::size_t size, std::size_t) { return size; };
  for (int i = 0; i < 3000; ++i) {
    Bytes bytes = seeds_of("model")[static_cast<std::size_t>(i) % seeds_of("model").size()];
    mutate(*models, reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size(), bytes.size(),
           static_cast<unsigned>(random()), none);
    models->run(bytes);
  }
  for (const char* name : {"predictions and intervals", "bands of probabilities", "contributions of rows",
                           "terms and their errors", "facts of a model", "written and read again", "summary",
                           "summary as JSON", "effects as JSON", "table of effects", "grids of effects",
                           "export to JSON", "export to C", "export to ONNX", "export to SQL",
                           "written and read again, of a table", "report", "report with rows"}) {
    const auto named = [name](const Use& use) { return use.name == name; };
    const auto now = std::find_if(uses().begin(), uses().end(), named);
    const auto then = std::find_if(before.begin(), before.end(), named);
    ASSERT_NE(now, uses().end()) << name;
    EXPECT_GT(now->runs, then == before.end() ? 0 : then->runs) << name;
  }
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

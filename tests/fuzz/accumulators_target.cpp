// Sums over rows by themselves: ranges, row samples, Gram matrices and leave-one-out sums.
#include <string_view>

#include "base/bytes.hpp"
#include "design/design_bytes.hpp"
#include "fuzz/uses.hpp"
#include "kore/smoother.hpp"
#include "kore/statistics.hpp"
#include "stats/row_sample.hpp"

namespace kore::fuzz {
namespace {

void use_ranges(Given bytes) {
  RangeAccumulator ranges = RangeAccumulator::deserialize(bytes);
  consume("ranges merged and asked", [&] {
    ranges.merge(RangeAccumulator::deserialize(ranges.serialize()));
    ranges.target_variance();
    ranges.ranges();
  });
}

void use_sample(Given bytes) {
  constexpr std::uint64_t worth_drawing = 100'000;  // drawing counts all copies of a row
  RowSample sample = RowSample::deserialize(bytes);
  consume("samples merged", [&] { sample.merge(RowSample::deserialize(sample.serialize())); });
  if (sample.seen() < worth_drawing) consume("rows drawn", [&] { std::move(sample).take(); });
}

void use_gram(Given bytes) {
  constexpr std::size_t worth_solving = 200;  // columns
  ByteReader in(open_sealed(bytes, "KGRM", 2, "Gram accumulator").content);
  ByteReader design(in.section());
  GramAccumulator gram = GramAccumulator::deserialize(read_design(design), bytes);
  consume("Gram matrices merged",
          [&] { gram.merge(GramAccumulator::deserialize(gram.design(), gram.serialize())); });
  if (gram.kept() == GramBlocks::all && gram.design().columns() < worth_solving)
    consume("Gram matrices solved", [&] { Smoother{gram}; });
}

void use_press(Given bytes) {
  PressSums sums = PressSums::deserialize(bytes);
  consume("leave-one-out sums merged", [&] { sums.merge(PressSums::deserialize(sums.serialize())); });
}

}  // namespace

bool run_accumulators(Given bytes) {
  if (bytes.size() < 4) return false;
  const std::string_view kind(reinterpret_cast<const char*>(bytes.data()), 4);
  return allow_refusal([&] {
    if (kind == "KRNG") use_ranges(bytes);
    if (kind == "KSMP") use_sample(bytes);
    if (kind == "KGRM") use_gram(bytes);
    if (kind == "KPRS") use_press(bytes);
  });
}

}  // namespace kore::fuzz

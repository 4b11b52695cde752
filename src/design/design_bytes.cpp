#include "design/design_bytes.hpp"

#include <string>
#include <utility>

namespace kore {
namespace {

// Added to the kind of a feature whose warp, or whose repeated values, follow. A design without any of these
// has the same bytes as before they existed, so that one reader reads every version of a file.
constexpr std::uint8_t warped = 0x80;
constexpr std::uint8_t repeats = 0x40;
// The range of a feature with this is one period, and nothing follows.
constexpr std::uint8_t cyclic = 0x20;

// The most functions that a design in a file may have: 2 GB of coefficients. Products of two such numbers and
// of a few small ones fit into 64 bits, so that no size made of them wraps around.
constexpr std::size_t most_functions = std::size_t{1} << 28;

[[noreturn]] void impossible(std::string_view cause) {
  throw Error(ErrorCode::corrupt_file, "impossible_design",
              "The KORE model holds an impossible design. {cause}", {{"cause", cause}});
}

void write(ByteWriter& out, const Feature& feature) {
  out.text(feature.name);
  out.f64(feature.range.lowest);
  out.f64(feature.range.highest);
  const bool has_warp = !feature.warp.identity();
  const bool has_repeated = !feature.repeated.empty();
  out.u8(static_cast<std::uint8_t>(feature.kind) | (has_warp ? warped : std::uint8_t{0}) |
         (has_repeated ? repeats : std::uint8_t{0}) | (feature.cyclic ? cyclic : std::uint8_t{0}));
  if (feature.kind == FeatureKind::category) out.u32(static_cast<std::uint32_t>(feature.levels));
  if (has_warp) {
    out.f64s(feature.warp.nodes);
    out.f64s(feature.warp.values);
  }
  if (has_repeated) out.f64s(feature.repeated);
}

Feature read_feature(ByteReader& in) {
  Feature feature;
  feature.name = in.text();
  feature.range.lowest = in.f64();
  feature.range.highest = in.f64();
  const std::uint8_t tag = in.u8();
  feature.kind =
      enum_of(static_cast<std::uint8_t>(tag & ~(warped | repeats | cyclic)), FeatureKind::category);
  feature.cyclic = (tag & cyclic) != 0;
  if (feature.kind == FeatureKind::category) feature.levels = static_cast<int>(in.u32());
  if ((tag & warped) != 0) {
    feature.warp.nodes = in.f64s();
    feature.warp.values = in.f64s();
  }
  if ((tag & repeats) != 0) feature.repeated = in.f64s();
  return feature;
}

/// A design that `make` makes, or the reason why it cannot be.
Design possible(const auto& make) {
  try {
    Design design = make();
    if (design.raw_columns() > most_functions)
      impossible("It has " + std::to_string(design.raw_columns()) + " functions; there may be at most " +
                 std::to_string(most_functions) + ".");
    return design;
  } catch (const Error& refused) {
    if (refused.code() == ErrorCode::corrupt_file) throw;
    impossible(refused.what());
  }
}

void write_terms(ByteWriter& out, const std::vector<Term>& terms) {
  out.u64(terms.size());
  for (const Term& term : terms) {
    out.u8(static_cast<std::uint8_t>(term.order()));
    for (const std::size_t j : term.features) out.u64(j);
    for (const int g : term.resolutions) out.u32(static_cast<std::uint32_t>(g));
  }
}

std::vector<Term> read_terms(ByteReader& in) {
  std::vector<Term> terms(in.count(13));
  for (Term& term : terms) {
    const std::size_t order = in.u8();
    for (std::size_t c = 0; c < order; ++c) term.features.push_back(in.u64());
    for (std::size_t c = 0; c < order; ++c) term.resolutions.push_back(static_cast<int>(in.u32()));
  }
  return terms;
}

}  // namespace

void write(ByteWriter& out, const Design& design) {
  out.u32(static_cast<std::uint32_t>(design.degree()));
  out.u8(static_cast<std::uint8_t>(design.parametrisation()));
  out.u64(design.features().size());
  for (const Feature& feature : design.features()) write(out, feature);
  write_terms(out, design.terms());
}

void write_parts(ByteWriter& out, const Design& parts) { write_terms(out, parts.terms()); }

Design read_design(ByteReader& in) {
  const auto degree = static_cast<int>(in.u32());
  const auto parametrisation = read_enum(in, Parametrisation::centred);
  std::vector<Feature> features(in.count(25));
  for (Feature& feature : features) feature = read_feature(in);
  std::vector<Term> terms = read_terms(in);
  return possible([&] { return Design(std::move(features), std::move(terms), degree, parametrisation); });
}

Design read_parts(ByteReader& in, const Design& of) {
  std::vector<Term> terms = read_terms(in);
  return possible([&] { return Design::of_parts(of.features(), std::move(terms), of.degree()); });
}

std::vector<std::byte> design_bytes(const Design& design) {
  ByteWriter out;
  write(out, design);
  return out.take();
}

}  // namespace kore

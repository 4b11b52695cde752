// Model files whose envelope is whole and whose content lies, as somebody might send them. Each is refused
// when it is read, with a sentence that names the field.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/bytes.hpp"
#include "design/design_bytes.hpp"
#include "kore/fit.hpp"
#include "support/error_of.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

const Model& fitted() {
  static const Model model = [] {
    Options options;
    options.pair_choice = PairChoice::given;
    options.pairs = {{0, 1}};
    Model made = fit(test::made_up_rows(300, 3, 91, 0.2).source(), options, {{"a", "b", "c"}, "y"});
    made.summary.screened.push_back({{0, 1}, 3, true});
    made.summary.pairs = {{0, 1}};
    made.summary.influential_rows.push_back({1, 0.99, {0}, {2}});
    made.summary.influential_count = 1;
    made.summary.convergence.emplace();
    made.summary.additive.emplace();
    made.summary.additive->curve[3] = {};
    made.summary.pilot_check.emplace();
    return made;
  }();
  return model;
}

struct Damage {
  const char* field;
  std::function<void(Model&)> damage;
};

TEST(HostileModel, IsReadWhereNothingIsWrong) {
  EXPECT_EQ(to_bytes(model_from_bytes(to_bytes(fitted()))), to_bytes(fitted()));
}

TEST(HostileModel, IsRefusedByTheNameOfItsField) {
  const Damage damages[]{
      {"pairs", [](Model& m) { m.summary.pairs[0].second = 3; }},
      {"pairs", [](Model& m) { m.summary.pairs[0].first = ~std::size_t{0}; }},
      {"screened terms", [](Model& m) { m.summary.screened[0].features[1] = 7; }},
      {"screened terms", [](Model& m) { m.summary.screened[0].features = {0}; }},
      {"screened terms",
       [](Model& m) {
         m.summary.screened[0].features = {0, 1, 2, 0};
       }},
      {"penalty weights", [](Model& m) { m.penalty_weights.push_back({1}); }},
      {"penalty weights",
       [](Model& m) {
         m.penalty_weights[0] = {1, 1, 1};
       }},
      {"penalty weights", [](Model& m) { m.penalty_weights[0][0] = nan; }},
      {"penalty weights", [](Model& m) { m.penalty_weights[0][0] = -1; }},
      {"standard errors", [](Model& m) { m.effects[0].covariance[1] = nan; }},
      {"standard errors", [](Model& m) { m.effects[0].covariance.resize(1); }},
      {"coefficients", [](Model& m) { m.coefficients[2] = infinite; }},
      {"coefficients", [](Model& m) { m.coefficients.pop_back(); }},
      {"coefficients", [](Model& m) { m.effects.pop_back(); }},
      {"intercept", [](Model& m) { m.intercept = nan; }},
      {"target's name", [](Model& m) { m.target = "pr\xFFis"; }},
      {"residual quantiles",
       [](Model& m) {
         m.residual_quantiles = {1, 0};
       }},
      {"residual quantiles", [](Model& m) { m.residual_quantiles = {nan}; }},
      {"groups of predictions", [](Model& m) { m.summary.accuracy->by_prediction[0].covered = 1.5; }},
      {"groups of predictions", [](Model& m) { m.summary.accuracy->by_prediction[0].weight = 0; }},
      {"groups of predictions", [](Model& m) { m.summary.accuracy->by_prediction[1].observed = infinite; }},
      {"groups of predictions", [](Model& m) { m.summary.accuracy->by_prediction[1].low = 1e300; }},
      {"terms that stay",
       [](Model& m) {
         m.summary.accuracy->terms_stay = true;
         m.summary.accuracy->folds = 0;
       }},
      {"means of effects", [](Model& m) { m.effects[0].mean = infinite; }},
      {"variances of effects", [](Model& m) { m.effects[0].variance = -1; }},
      {"shares of effects", [](Model& m) { m.effects[0].share = nan; }},
      {"influential rows", [](Model& m) { m.summary.influential_rows[0].features[0] = 3; }},
      {"influential rows", [](Model& m) { m.summary.influential_rows[0].values[0] = nan; }},
      {"influential rows",
       [](Model& m) { m.summary.influential_rows.resize(50, m.summary.influential_rows[0]); }},
      {"summary", [](Model& m) { m.summary.resolution = -5; }},
      {"summary", [](Model& m) { m.summary.fits = -1; }},
      {"sum of weights", [](Model& m) { m.summary.weight_sum = infinite; }},
      {"ridge", [](Model& m) { m.summary.ridge = -1; }},
      {"mean of the target", [](Model& m) { m.summary.target_mean = nan; }},
      {"errors", [](Model& m) { m.summary.target_variance = -1; }},
      {"selection", [](Model& m) { m.summary.additive->resolution = 2'000'000; }},
      {"selection", [](Model& m) { m.summary.additive->pilots = {-1}; }},
      {"selection", [](Model& m) { m.summary.additive->curve[-4] = {}; }},
      {"pilot check", [](Model& m) { m.summary.pilot_check->advice = {"\xC3"}; }},
      {"convergence", [](Model& m) { m.summary.convergence->steps = -1; }},
      {"limits",
       [](Model& m) {
         m.prediction_limits = {2, 1};
       }},
      {"widening rates", [](Model& m) { m.widening_rates = {1}; }},
      {"accuracy", [](Model& m) { m.summary.accuracy->rmse = nan; }},
  };
  for (const auto& [field, damage] : damages) {
    Model model = fitted();
    damage(model);
    const Error error = test::error_of([&] { model_from_bytes(to_bytes(model)); });
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file) << field;
    EXPECT_SAYS(error, field);
  }
}

/// A design as its bytes claim it, which the engine itself would not make.
std::vector<std::byte> claimed_design(std::size_t features, std::size_t terms, std::uint32_t resolution) {
  ByteWriter out;
  out.u32(3);
  out.u8(1);
  out.u64(features);
  for (std::size_t j = 0; j < features; ++j) {
    out.text("");
    out.f64(0);
    out.f64(1);
    out.u8(0);
  }
  out.u64(terms);
  std::size_t made = 0;
  for (std::size_t i = 0; i < features && made < terms; ++i)
    for (std::size_t j = i + 1; j < features && made < terms; ++j)
      for (std::size_t k = j + 1; k < features && made < terms; ++k, ++made) {
        out.u8(3);
        for (const std::size_t feature : {i, j, k}) out.u64(feature);
        for (int c = 0; c < 3; ++c) out.u32(resolution);
      }
  return out.take();
}

TEST(HostileDesign, WhoseColumnsWrapAroundIsRefused) {
  // 10^18 functions in each of 22 terms are more than 2^64, and would count as few.
  for (const std::size_t terms : {std::size_t{1}, std::size_t{18}, std::size_t{22}}) {
    const std::vector<std::byte> bytes = claimed_design(7, terms, 1'000'000);
    ByteReader in(bytes);
    const Error error = test::error_of([&] { read_design(in); });
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file);
    EXPECT_SAYS(error, "design");
  }
}

/// A design of one feature with this tag and what follows it.
std::vector<std::byte> design_with_tag(std::uint8_t tag, const std::function<void(ByteWriter&)>& rest,
                                       std::uint32_t resolution = 3) {
  ByteWriter out;
  out.u32(3);
  out.u8(1);
  out.u64(1);
  out.text("hour");
  out.f64(0);
  out.f64(24);
  out.u8(tag);
  rest(out);
  out.u64(1);
  out.u8(1);
  out.u64(0);
  out.u32(resolution);
  return out.take();
}

TEST(HostileDesign, WhoseCyclicFeatureIsNoPlainSplineIsRefused) {
  constexpr std::uint8_t cyclic = 0x20;
  constexpr std::uint8_t repeats = 0x40;
  constexpr std::uint8_t warped = 0x80;
  const auto nothing = [](ByteWriter&) {};
  const auto rising = [](ByteWriter& out) { out.f64s(std::vector<double>{0, 24}); };
  const auto read = [](const std::vector<std::byte>& bytes) {
    ByteReader in(bytes);
    return read_design(in);
  };
  EXPECT_TRUE(read(design_with_tag(cyclic, nothing)).features()[0].cyclic);
  const std::vector<std::vector<std::byte>> lies{
      design_with_tag(cyclic | 1, nothing),
      design_with_tag(cyclic | 2, [](ByteWriter& out) { out.u32(3); }),
      design_with_tag(cyclic | repeats, rising),
      design_with_tag(cyclic | warped,
                      [&](ByteWriter& out) {
                        rising(out);
                        rising(out);
                      }),
      design_with_tag(cyclic, nothing, static_cast<std::uint32_t>(straight)),
      design_with_tag(cyclic, nothing, 0)};
  for (const std::vector<std::byte>& bytes : lies) {
    const Error error = test::error_of([&] { read(bytes); });
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file);
    EXPECT_SAYS(error, "impossible design");
  }
}

}  // namespace
}  // namespace kore

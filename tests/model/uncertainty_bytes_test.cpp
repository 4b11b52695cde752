#include "model/uncertainty_bytes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "kore/fit.hpp"
#include "support/error_of.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

Model fitted() {
  static const Model model = fit(test::made_up_rows(400, 3, 91, 0.2).source());
  return model;
}

std::size_t pair_of(const Model& model) {
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    if (model.design.terms()[t].order() == 2) return t;
  ADD_FAILURE() << "the model has no pair";
  return 0;
}

TEST(UncertaintyBytes, ComeBackWithTheModel) {
  const Model model = fitted();
  const Model back = model_from_bytes(to_bytes(model));
  const std::size_t pair = pair_of(model);
  ASSERT_FALSE(model.effects[pair].covariance_factor.empty());
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    EXPECT_EQ(back.effects[t].covariance_factor, model.effects[t].covariance_factor);
    EXPECT_EQ(back.effects[t].parameters, model.effects[t].parameters);
    EXPECT_EQ(back.effects[t].p_value, model.effects[t].p_value);
    EXPECT_EQ(back.effects[t].concurvity, model.effects[t].concurvity);
  }
  const double point[]{0.3, 0.6};
  EXPECT_GT(effect_error(back, pair, point), 0);
  EXPECT_EQ(effect_error(back, pair, point), effect_error(model, pair, point));
}

TEST(UncertaintyBytes, OfAnOlderFileAreUnknown) {
  const Model old = load_model(std::string(KORE_TEST_DATA) + "/model_version_1.kore");
  for (const Effect& effect : old.effects) {
    EXPECT_TRUE(std::isnan(effect.parameters));
    EXPECT_TRUE(std::isnan(effect.p_value));
    EXPECT_TRUE(std::isnan(effect.concurvity));
    EXPECT_TRUE(effect.covariance_factor.empty());
  }
  EXPECT_EQ(model_from_bytes(to_bytes(old)).effects.size(), old.effects.size());
}

TEST(UncertaintyBytes, ThatDoNotFitTheModelAreRefused) {
  const std::size_t pair = pair_of(fitted());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const std::function<void(Model&)> damages[]{
      [&](Model& m) { m.effects[pair].covariance_factor.pop_back(); },
      [&](Model& m) { m.effects[pair].covariance_factor.back() = nan; },
      [&](Model& m) { m.effects[pair].covariance = {1.0}; },
      [](Model& m) { m.effects[0].covariance_factor = m.effects[0].covariance; },
      [](Model& m) { m.effects[0].covariance.pop_back(); },
      [&](Model& m) { m.effects[0].covariance[3] = infinite; },
      [](Model& m) { m.effects[0].p_value = 1.5; },
      [](Model& m) { m.effects[0].concurvity = -0.1; },
      [&](Model& m) { m.effects[0].parameters = infinite; },
  };
  for (const auto& damage : damages) {
    Model model = fitted();
    damage(model);
    EXPECT_EQ(test::error_of([&] { model_from_bytes(to_bytes(model)); }).code(), ErrorCode::corrupt_file);
  }
}

TEST(UncertaintyBytes, OfAnotherNumberOfEffectsAreRefused) {
  Model model = fitted();
  ByteWriter out;
  write_uncertainty(out, std::vector<Effect>(model.effects.size() + 1));
  ByteReader in(out.bytes());
  EXPECT_EQ(test::error_of([&] { read_uncertainty(in, model); }).code(), ErrorCode::corrupt_file);
}

}  // namespace
}  // namespace kore

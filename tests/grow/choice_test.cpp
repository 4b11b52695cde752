// The choice between stages, on made-up ones.
#include "grow/choice.hpp"

#include <gtest/gtest.h>

#include "grow/made_up_growth.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;

TEST(Price, CountsWeightsThatTheRowsHaveChosenAndLuck) {
  const MadeUpGrowth growth(made_up_rows(100, 3, 931));
  Stage stage;
  stage.terms = growth.mains(4);
  stage.terms[0].parameters = 3;     // bends
  stage.terms[1].parameters = 1;     // a line
  stage.terms[2].parameters = 1.01;  // next to a line
  stage.terms.push_back(growth.term({0, 1}, 2));
  stage.penalties.resize(4);
  stage.noise_variance = 0.5;
  stage.press.weight_sum = 100;
  stage.chance_gain = 2.5;
  // Two weights, a parameter and a half each.
  EXPECT_DOUBLE_EQ(price_of(stage), 2 * 0.5 / 100 * (2 * 1.5 + 2.5));
  stage.penalties.clear();  // the resolution alone
  EXPECT_DOUBLE_EQ(price_of(stage), 2 * 0.5 / 100 * (1.5 + 2.5));
}

TEST(Choice, LeavesARicherStageWhoseGainIsBelowItsPrice) {
  MadeUpGrowth growth(made_up_rows(100, 3, 933));
  const auto stage_of = [&](bool pair, double residual, double chance_gain) {
    Stage stage;
    stage.terms = growth.mains(4);
    if (pair) stage.terms.push_back(growth.term({0, 1}, 2));
    stage.penalties.resize(stage.terms.size());
    stage.noise_variance = 1;
    stage.chance_gain = chance_gain;
    stage.press.weight_sum = 100;
    stage.press.left_out_loss = 100 * residual * residual;
    stage.left_out_losses.assign(100, residual * residual);
    return stage;
  };
  for (const double chance_gain : {0.0, 10.0}) {
    std::vector<Stage> stages;
    stages.push_back(stage_of(false, 1.05, 0));
    stages.push_back(stage_of(true, 1.0, chance_gain));
    const double gain = stages[0].loo() - stages[1].loo();
    const double price = price_of(stages[1]) - price_of(stages[0]);
    EXPECT_EQ(choose_stage(stages, 0, false, growth.data), gain > price ? 1U : 0U)
        << "gain expected by chance " << chance_gain;
    EXPECT_EQ(gain > price, chance_gain == 0);
  }
}

}  // namespace
}  // namespace kore

// What adds up rows knows of their response through its working rows alone: a response of squared error at
// half the scale gives the same fit as the normal one, with coefficients half as large.
#include "kore/response.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "pass/dense_pass.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/refine.hpp"
#include "support/mixed_design.hpp"
#include "support/refusal.hpp"
#include "support/scaled_response.hpp"

namespace kore {
namespace {

using test::Rows;

const test::ScaledResponse scaled;

Rows weighted_rows() {
  Rows rows = test::mixed_rows(400, 951);
  rows.weights = test::uneven_weights(400, 952);
  rows.weights[17] = 0;
  return rows;
}

SmootherOptions options_for(const Response& response) {
  SmootherOptions options;
  options.relative_ridge = true;
  options.response = &response;
  return options;
}

Smoother fit_of(const Rows& rows, const Response& response) {
  return Smoother(gram_of(rows.source(), test::mixed_design(2), GramBlocks::all, 1, response),
                  options_for(response));
}

TEST(AResponse, MakesTheSumsOfItsWorkingRows) {
  const Rows rows = weighted_rows();
  const GramAccumulator plain = gram_of(rows.source(), test::mixed_design(2), GramBlocks::all, 1);
  const GramAccumulator gram = gram_of(rows.source(), test::mixed_design(2), GramBlocks::all, 1, scaled);
  EXPECT_EQ(gram.count_sum(), plain.count_sum()) << "as many rows, whatever they weigh";
  EXPECT_EQ(plain.weight_sum(), plain.count_sum());
  EXPECT_NEAR(gram.weight_sum(), 4 * plain.weight_sum(), 1e-9);
  EXPECT_NEAR(gram.target_sum(), 2 * plain.target_sum(), 1e-9);
  EXPECT_NEAR(gram.target_squares(), plain.target_squares(), 1e-9);
  const GramAccumulator back = GramAccumulator::deserialize(gram.design(), gram.serialize());
  EXPECT_EQ(back.count_sum(), gram.count_sum());
  EXPECT_EQ(back.weight_sum(), gram.weight_sum());
}

TEST(AResponse, HasTheSameEquationsFromDenseRows) {
  const Rows rows = weighted_rows();
  const Design design = test::mixed_design(2);
  const NormalEquations local =
      normal_equations(gram_of(rows.source(), design, GramBlocks::all, 1, scaled), 1);
  WorkingMemory memory;
  for (const NormalEquations& dense :
       {dense_normal_equations(design, rows.source(), 1, scaled),
        dense_normal_equations(design, working_block(rows.block(), scaled, memory), 1)}) {
    EXPECT_EQ(dense.count_sum, local.count_sum);
    EXPECT_EQ(dense.weight_sum, local.weight_sum);
    for (std::size_t i = 0; i < local.right.size(); ++i) EXPECT_NEAR(dense.right[i], local.right[i], 1e-9);
    for (std::size_t j = 0; j < local.right.size(); ++j)
      for (std::size_t i = j; i < local.right.size(); ++i)
        EXPECT_NEAR(dense.matrix[j * local.right.size() + i], local.matrix[j * local.right.size() + i], 1e-9);
  }
}

TEST(AResponse, LeavesRowsOutByTheLeveragesOfItsWorkingRows) {
  const Rows rows = weighted_rows();
  const Smoother plain = fit_of(rows, normal_response());
  const Smoother fit = fit_of(rows, scaled);
  for (std::size_t i = 0; i < fit.solution().size(); ++i)
    EXPECT_NEAR(2 * fit.solution()[i], plain.solution()[i], 1e-7);
  std::vector<double> residuals(rows.count), leverages(rows.count), losses(rows.count);
  std::vector<double> plain_residuals(rows.count), plain_leverages(rows.count), plain_losses(rows.count);
  const PressSums sums = fit.press(rows.block(), 1, {residuals, leverages, losses});
  const PressSums expected = plain.press(rows.block(), 1, {plain_residuals, plain_leverages, plain_losses});
  for (std::size_t r = 0; r < rows.count; ++r) {
    EXPECT_NEAR(2 * residuals[r], plain_residuals[r], 1e-7) << r;
    EXPECT_NEAR(leverages[r], plain_leverages[r], 1e-9) << r;
    EXPECT_NEAR(losses[r], plain_losses[r], 1e-7) << r;
  }
  EXPECT_EQ(losses[17], 0);
  EXPECT_EQ(sums.weight_sum, expected.weight_sum);
  EXPECT_NEAR(sums.loss, expected.loss, 1e-7);
  EXPECT_NEAR(sums.left_out_loss, expected.left_out_loss, 1e-6);
  EXPECT_NEAR(sums.signal_score(), expected.signal_score(), 1e-6);
}

TEST(AResponse, RefinesByTheResidualsOfItsWorkingTarget) {
  const Rows rows = weighted_rows();
  const Smoother fit = fit_of(rows, scaled);
  const Smoother plain = fit_of(rows, normal_response());
  std::vector<double> products[2];
  for (const bool own : {false, true}) {
    ResidualGramPass pass;
    pass.include(own ? fit : plain, fit.design(), GramBlocks::none);
    rows.source().run(pass, 1);
    products[own ? 1 : 0] = std::move(pass).take().front().target_products();
  }
  // Weights of 4 times half the residual.
  for (std::size_t i = 0; i < products[0].size(); ++i) EXPECT_NEAR(products[1][i], 2 * products[0][i], 1e-6);
}

TEST(AResponse, TravelsByItsName) {
  const Rows rows = weighted_rows();
  const Smoother plain = fit_of(rows, normal_response());
  const Smoother fit = fit_of(rows, scaled);
  EXPECT_EQ(&Smoother::deserialize(plain.serialize()).response(), &normal_response());
  // Nobody else knows the response of this test.
  EXPECT_EQ(test::refusal(ErrorCode::corrupt_file, [&] { Smoother::deserialize(fit.serialize()); }),
            "The KORE fit does not belong to its design.");
  ResidualGramPass residuals;
  residuals.include(fit, fit.design(), GramBlocks::none);
  std::vector<Design> designs{test::mixed_design(2)};
  const GramPass gram(designs, GramBlocks::all, scaled);
  for (const Pass* pass : {static_cast<const Pass*>(&gram), static_cast<const Pass*>(&residuals)})
    EXPECT_EQ(test::refusal(ErrorCode::corrupt_file, [&] { pass_from_task(pass->task()); }),
              "The KORE task contradicts itself: it is damaged.");
}

}  // namespace
}  // namespace kore

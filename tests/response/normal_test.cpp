// The normal response: squared error, left out by leaving out.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "kore/error.hpp"
#include "kore/response.hpp"
#include "kore/statistics.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"
#include "support/scaled_response.hpp"

namespace kore {
namespace {

using test::Matrix;
using test::Real;
using test::Vector;

// What counts rows does not weigh least squares, and the other way round; nor do rows enter a least-squares
// sum without a response that makes working rows of them.
static_assert(!std::is_constructible_v<RowCounts, WorkingWeights>);
static_assert(!std::is_constructible_v<WorkingWeights, RowCounts>);
static_assert(!std::is_convertible_v<std::span<const double>, WorkingWeights>);
static_assert(std::is_convertible_v<std::vector<double>, RowCounts>);
static_assert(!std::is_invocable_v<decltype(&GramAccumulator::add), GramAccumulator&, RowBlock, int>);
static_assert(std::is_invocable_v<decltype(&GramAccumulator::add), GramAccumulator&, WorkingBlock, int>);

const Response& normal = normal_response();

TEST(NormalResponse, LosesTheSquareOfTheResidual) {
  EXPECT_EQ(normal.loss(3, 1), 4);
  EXPECT_EQ(normal.loss(1, 3), 4);
  EXPECT_EQ(normal.loss(-2, -2), 0);
  EXPECT_FALSE(normal.known_dispersion().has_value()) << "the rows tell the variance of the noise";
}

TEST(NormalResponse, IsFoundByItsName) {
  EXPECT_EQ(find_response(normal.name()), &normal);
  EXPECT_EQ(find_response("abnormal"), nullptr);
}

TEST(NormalResponse, HasTheRowsThemselvesAsWorkingRows) {
  test::Rows rows = test::made_up_rows(20, 2, 901);
  EXPECT_TRUE(normal.fits_in_one_step());
  for (const bool weighted : {false, true}) {
    rows.weights = weighted ? test::uneven_weights(20, 902) : std::vector<double>{};
    const WorkingBlock working = working_block(rows.block());
    EXPECT_EQ(working.rows(), 20u);
    EXPECT_EQ(working.x.column(1).data, rows.x.data() + 20);
    EXPECT_EQ(working.target.data(), rows.y.data());
    EXPECT_EQ(working.weights.from(0), weighted ? rows.weights.data() : nullptr);
    EXPECT_EQ(working.weights[7], weighted ? rows.weights[7] : 1);
    EXPECT_EQ(working.counts[7], weighted ? rows.weights[7] : 1);
  }
}

TEST(WorkingBlocks, AreRefusedToResponsesThatNeedAPredictor) {
  const test::Rows rows = test::made_up_rows(5, 1, 903);
  WorkingMemory memory;
  EXPECT_EQ(test::refusal(ErrorCode::invalid_argument,
                          [&] { working_block(rows.block(), test::IteratedResponse(), memory); }),
            "The working rows of the response 'iterated' need a linear predictor.");
}

/// A small ridge regression by definition.
struct Regression {
  explicit Regression(const test::Rows& r) : rows(r) {
    for (std::size_t i = 0; i < rows.count; ++i) {
      functions.push_back({1});
      for (std::size_t j = 0; j < rows.columns; ++j) functions.back().push_back(rows.at(i, j));
    }
  }
  Matrix matrix(std::size_t without) const {
    Matrix sum(rows.columns + 1, Vector(rows.columns + 1, 0));
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k][k] = 0.3L;
    for (std::size_t i = 0; i < rows.count; ++i)
      for (std::size_t k = 0; k < sum.size() && i != without; ++k)
        for (std::size_t l = 0; l < sum.size(); ++l)
          sum[k][l] += Real{rows.weights[i]} * functions[i][k] * functions[i][l];
    return sum;
  }
  double predictor(std::size_t row, std::size_t without) const {
    Vector right(rows.columns + 1, 0);
    for (std::size_t i = 0; i < rows.count; ++i)
      for (std::size_t k = 0; k < right.size() && i != without; ++k)
        right[k] += Real{rows.weights[i]} * functions[i][k] * rows.y[i];
    return static_cast<double>(test::dot(functions[row], test::solve_dense(matrix(without), right)));
  }
  double leverage(std::size_t row) const {
    return static_cast<double>(Real{rows.weights[row]} *
                               test::dot(functions[row], test::solve_dense(matrix(nobody), functions[row])));
  }
  /// Of the rows but one.
  double mean(std::size_t without) const {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (i == without) continue;
      sum += rows.weights[i] * rows.y[i];
      count += rows.weights[i];
    }
    return sum / count;
  }

  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  const test::Rows& rows;
  Matrix functions;
};

/// The results of leaving out, in memory of their own.
struct LeftOut {
  explicit LeftOut(std::size_t rows) : residuals(rows), losses(rows), gains(rows) {}
  LeftOutRows rows() { return {residuals, losses, gains}; }
  std::vector<double> residuals, losses, gains;
};

TEST(NormalResponse, LeavesRowsOutAsAFitWithoutThemWould) {
  test::Rows rows = test::made_up_rows(14, 2, 904, 0.5);
  rows.weights = test::uneven_weights(14, 905);
  rows.weights[3] = 0;
  rows.weights[5] = 2;
  const Regression regression(rows);
  std::vector<double> predictor;
  std::vector<double> leverage;
  double count_sum = 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    predictor.push_back(regression.predictor(r, Regression::nobody));
    leverage.push_back(regression.leverage(r));
    count_sum += rows.weights[r];
  }
  LeftOut found(rows.count);
  const ConstantModel constant{regression.mean(Regression::nobody), count_sum, 2.5};
  const LossSums sums = normal.left_out({rows.y, predictor, leverage, rows.weights}, constant, found.rows());
  double loss = 0;
  double left_out_loss = 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const double without = regression.predictor(r, r);
    EXPECT_NEAR(found.residuals[r], rows.y[r] - without, 1e-12) << r;
    if (r == 3) {
      EXPECT_EQ(found.losses[r], 0);
      EXPECT_EQ(found.gains[r], 0);
      continue;
    }
    EXPECT_NEAR(found.losses[r], normal.loss(rows.y[r], without), 1e-12) << r;
    const double of_mean = normal.loss(rows.y[r], regression.mean(r));
    EXPECT_NEAR(found.gains[r], (of_mean - normal.loss(rows.y[r], without)) / 2.5, 1e-12) << r;
    loss += rows.weights[r] * normal.loss(rows.y[r], predictor[r]);
    left_out_loss += rows.weights[r] * normal.loss(rows.y[r], without);
  }
  EXPECT_NEAR(sums.loss, loss, 1e-11);
  EXPECT_NEAR(sums.left_out_loss, left_out_loss, 1e-11);
}

TEST(NormalResponse, KeepsARowOfLeverageOneFinite) {
  const std::vector<double> target{1};
  const std::vector<double> predictor{0.5};
  const std::vector<double> leverage{1};
  LeftOut found(1);
  normal.left_out({target, predictor, leverage, {}}, {0, 10, 1}, found.rows());
  EXPECT_EQ(found.residuals[0], 0.5 / std::numeric_limits<double>::epsilon());
  EXPECT_TRUE(std::isfinite(found.losses[0]));
}

}  // namespace
}  // namespace kore

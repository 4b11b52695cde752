#include "experiments/statistics/studentised_range.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "statistics/vectors.hpp"
#include "support/refusal.hpp"

namespace kore::experiments {
namespace {

TEST(StudentisedRange, OfTwoIsADifferenceOfNormalVariables) {
  for (const double q : {0.01, 0.5, 1.0, 2.77, 5.0, 9.0})
    EXPECT_NEAR(studentised_range_probability(q, 2), std::erf(q / 2), 1e-14) << q;
}

TEST(StudentisedRange, OfThreeBeginsAsAKnownParabola) {
  // 3 q^2 times the integral of phi^3, to second order.
  const double q = 1e-3;
  EXPECT_NEAR(studentised_range_probability(q, 3) / (q * q), std::sqrt(3.0) / (2 * M_PI), 1e-6);
}

TEST(StudentisedRange, GoesFromZeroToOne) {
  EXPECT_EQ(studentised_range_probability(0, 5), 0);
  EXPECT_EQ(studentised_range_probability(-1, 5), 0);
  EXPECT_NEAR(studentised_range_probability(30, 5), 1, 1e-14);
}

TEST(StudentisedRange, QuantilesInvertProbabilities) {
  for (const std::size_t groups : {2U, 7U, 21U, 100U})
    for (const double p : {1e-3, 0.5, 0.95, 0.999})
      EXPECT_NEAR(studentised_range_probability(studentised_range_quantile(p, groups), groups), p, 1e-13);
}

TEST(StudentisedRange, IsThatOfSciPy) {
  for (const auto& vector : scipy_vectors().at("studentised_range"))
    EXPECT_NEAR(studentised_range_quantile(vector.at("probability"), vector.at("groups")) /
                    vector.at("quantile").get<double>(),
                1, 1e-9)
        << vector;
}

TEST(StudentisedRange, RefusesWhatHasNoRange) {
  EXPECT_THROW(studentised_range_quantile(0.95, 1), Error);
  EXPECT_THROW(studentised_range_quantile(1, 3), Error);
}

TEST(Nemenyi, AgreesWithDemsarsTable) {
  // Two methods: 1.960, five: 2.728, ten: 3.164 at 0.05, times sqrt(k (k+1) / (6 N)).
  EXPECT_NEAR(nemenyi(2, 1, 0.05).textbook, 1.960 * std::sqrt(6.0 / 6), 1e-3);
  EXPECT_NEAR(nemenyi(5, 10, 0.05).textbook, 2.728 * std::sqrt(30.0 / 60), 1e-3);
  EXPECT_NEAR(nemenyi(10, 20, 0.05).textbook, 3.164 * std::sqrt(110.0 / 120), 1e-3);
}

TEST(Nemenyi, AsPublishedIsWiderByTheRootOfTwo) {
  const CriticalDifference difference = nemenyi(21, 36, 0.05);
  EXPECT_NEAR(difference.published, 7.3818, 5e-5);
  EXPECT_DOUBLE_EQ(difference.published, difference.textbook * std::sqrt(2.0));
}

}  // namespace
}  // namespace kore::experiments

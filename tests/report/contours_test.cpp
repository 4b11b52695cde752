#include "report/contours.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kore::report {
namespace {

std::vector<double> grid(std::size_t points, double low, double high) {
  std::vector<double> at;
  for (std::size_t i = 0; i < points; ++i)
    at.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1));
  return at;
}

template <class F>
std::vector<double> values(const std::vector<double>& x, const std::vector<double>& y, const F& f) {
  std::vector<double> all;
  for (const double a : x)
    for (const double b : y) all.push_back(f(a, b));
  return all;
}

TEST(Contour, OfAPlaneIsAStraightLine) {
  const std::vector<double> x = grid(9, 0, 2);
  const std::vector<double> y = grid(5, -1, 1);
  const auto pieces = contour(x, y, values(x, y, [](double a, double b) { return 2 * a - b; }), 0.7);
  ASSERT_FALSE(pieces.empty());
  for (const Segment& piece : pieces) {
    EXPECT_NEAR(2 * piece.x - piece.y, 0.7, 1e-12);
    EXPECT_NEAR(2 * piece.x_end - piece.y_end, 0.7, 1e-12);
  }
}

TEST(Contour, OfACircleHasItsLength) {
  const std::vector<double> x = grid(81, -1, 1);
  const auto pieces = contour(x, x, values(x, x, [](double a, double b) { return std::hypot(a, b); }), 0.6);
  double length = 0;
  for (const Segment& piece : pieces) length += std::hypot(piece.x_end - piece.x, piece.y_end - piece.y);
  EXPECT_NEAR(length, 2 * 3.14159265 * 0.6, 0.01);
}

TEST(Contour, IsNothingWhereTheLevelIsNotReached) {
  const std::vector<double> x = grid(5, 0, 1);
  EXPECT_TRUE(contour(x, x, std::vector<double>(25, 1.0), 2).empty());
}

}  // namespace
}  // namespace kore::report

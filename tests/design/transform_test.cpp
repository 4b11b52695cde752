#include "design/transform.hpp"

#include <gtest/gtest.h>

#include "support/dense_matrix.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"

namespace kore {
namespace {

using test::Dense;
using test::largest;
using test::largest_difference;
using test::product;
using test::transposed;

/// The raw rows of a design, written out from local evaluation: every product of every function of a term's
/// coordinates, last coordinate fastest.
Dense raw_rows(const Design& design, const MatrixView& x) {
  Dense rows(x.rows(), design.raw_columns());
  for (std::size_t r = 0; r < x.rows(); ++r)
    for (std::size_t t = 0; t < design.terms().size(); ++t) {
      std::vector<double> products{1.0};
      for (std::size_t c = 0; c < design.terms()[t].order(); ++c) {
        const UniformBasis& basis = design.basis(t, c);
        const double mapped = design.argument(t, c, x(r, design.terms()[t].features[c]));
        const LocalBasis local = basis.evaluate(mapped, Extrapolation::error);
        std::vector<double> next(products.size() * static_cast<std::size_t>(basis.functions()));
        for (std::size_t i = 0; i < products.size(); ++i)
          for (int s = 0; s <= basis.degree(); ++s)
            next[i * static_cast<std::size_t>(basis.functions()) + static_cast<std::size_t>(local.cell + s)] =
                products[i] * local.value[static_cast<std::size_t>(s)];
        products = std::move(next);
      }
      std::copy(products.begin(), products.end(),
                rows.row(r).begin() + static_cast<std::ptrdiff_t>(design.raw_offset(t)));
    }
  return rows;
}

/// The paper's columns of the same rows, from their definition (knots, weighted means, products) and without
/// the engine.
Dense solved_rows(const Design& design, const RowBlock& block) {
  const test::Matrix matrix = test::dense_design(design, block, block);
  Dense rows(block.rows(), design.columns());
  for (std::size_t r = 0; r < block.rows(); ++r)
    for (std::size_t i = 0; i < design.columns(); ++i) rows(r, i) = static_cast<double>(matrix[r].at(i));
  return rows;
}

/// The map of a term as a matrix: the Kronecker product of `delta_ab - m_a` over its coordinates.
Dense dense_map(const TermMap& map) {
  Dense result(1, 1, {1.0});
  for (const CoordinateMap& coordinate : map) {
    Dense next(result.rows() * coordinate.functions, result.columns() * coordinate.columns);
    for (std::size_t i = 0; i < next.rows(); ++i)
      for (std::size_t j = 0; j < next.columns(); ++j) {
        const std::size_t b = i % coordinate.functions;
        const std::size_t a = j % coordinate.columns;
        const double own = (a == b ? 1.0 : 0.0) - (coordinate.means.empty() ? 0.0 : coordinate.means[a]);
        next(i, j) = result(i / coordinate.functions, j / coordinate.columns) * own;
      }
    result = std::move(next);
  }
  return result;
}

Dense columns_of(const Dense& matrix, std::size_t first, std::size_t count) {
  Dense part(matrix.rows(), count);
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < count; ++j) part(i, j) = matrix(i, first + j);
  return part;
}

Dense random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  test::Uniform uniform(seed);
  Dense matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (double& value : matrix.row(i)) value = uniform.between(-1, 1);
  return matrix;
}

/// A design, rows for it, and the maps that the engine finds from the sums of the raw functions.
struct Case {
  Case(test::Rows r, Design d)
      : rows(std::move(r)), design(std::move(d)), raw(raw_rows(design, rows.view())) {
    const RowBlock block = rows.block();
    std::vector<double> sums(design.raw_columns());
    double weight = 0;
    for (std::size_t i = 0; i < block.rows(); ++i) {
      weight += block.weight(i);
      for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += block.weight(i) * raw(i, f);
    }
    maps = term_maps(design, sums, weight);
  }
  test::Rows rows;
  Design design;
  Dense raw;
  std::vector<TermMap> maps;
};

/// A main effect, a pair, a triple and products with a straight line, at mixed resolutions, with weights.
Case mixed_case(int degree) {
  test::Rows rows = test::made_up_rows(60, 4, 11);
  rows.weights = test::uneven_weights(60, 12);
  auto features = rows.features();
  features[3].kind = FeatureKind::linear;
  std::vector<Term> terms{{{0}, {3}}, {{0, 1}, {2, 4}}, {{2, 0, 1}, {1, 3, 2}}, {{3}, {7}}, {{1, 3}, {2, 7}}};
  return {std::move(rows), Design(std::move(features), std::move(terms), degree, Parametrisation::centred)};
}

Case additive_case(int degree) {
  test::Rows rows = test::made_up_rows(50, 3, 13);
  auto features = rows.features();
  return {std::move(rows), Design(std::move(features), {{{1}, {3}}, {{0}, {1}}, {{2}, {4}}}, degree,
                                  Parametrisation::first_block_full)};
}

void expect_solved_columns(const Case& c, double tolerance) {
  const Dense solved = solved_rows(c.design, c.rows.block());
  for (std::size_t t = 0; t < c.maps.size(); ++t) {
    const Dense raw = columns_of(c.raw, c.design.raw_offset(t), c.design.raw_term_columns(t));
    const Dense expected = columns_of(solved, c.design.offset(t), c.design.term_columns(t));
    EXPECT_LE(largest_difference(product(raw, dense_map(c.maps[t])).values(), expected.values()), tolerance)
        << "by the written-out map of term " << t;
    EXPECT_LE(
        largest_difference(raw_columns_to_solved(c.maps[t], raw.values(), raw.rows()), expected.values()),
        tolerance)
        << "by the engine's map of term " << t;
  }
}

class MapOfDegree : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Degrees, MapOfDegree, testing::Values(1, 2, 3, 5));

TEST_P(MapOfDegree, TurnsRawRowsIntoThePapersColumns) {
  expect_solved_columns(mixed_case(GetParam()), 1e-14);
}

TEST_P(MapOfDegree, SelectsColumnsInTheAdditiveParametrisation) {
  const Case c = additive_case(GetParam());
  expect_solved_columns(c, 1e-14);
  for (std::size_t t = 0; t < c.maps.size(); ++t) {
    EXPECT_TRUE(c.maps[t][0].means.empty());
    // The first block keeps every function, each other one drops its last: so nothing is even rounded.
    const Dense raw = columns_of(c.raw, c.design.raw_offset(t), c.design.raw_term_columns(t));
    EXPECT_EQ(c.design.term_columns(t), raw.columns() - (t == 0 ? 0 : 1));
    EXPECT_EQ(raw_columns_to_solved(c.maps[t], raw.values(), raw.rows()),
              columns_of(raw, 0, c.design.term_columns(t)).values());
  }
}

TEST_P(MapOfDegree, FindsTheWeightedMeansOfEveryCoordinate) {
  const Case c = mixed_case(GetParam());
  for (std::size_t t = 0; t < c.maps.size(); ++t)
    for (std::size_t i = 0; i < c.maps[t].size(); ++i) {
      const test::Vector expected = test::coordinate_means(c.design, t, i, c.rows.block());
      ASSERT_EQ(c.maps[t][i].functions, expected.size());
      ASSERT_EQ(c.maps[t][i].means.size(), expected.size() - 1);
      for (std::size_t a = 0; a + 1 < expected.size(); ++a)
        EXPECT_NEAR(c.maps[t][i].means[a], static_cast<double>(expected[a]), 1e-15);
    }
}

TEST_P(MapOfDegree, MultipliesFromAllFourSides) {
  constexpr std::size_t width = 5;
  for (const Case& c : {mixed_case(GetParam()), additive_case(GetParam())})
    for (const TermMap& map : c.maps) {
      const Dense t = dense_map(map);
      const auto near = [](const std::vector<double>& found, const Dense& expected) {
        EXPECT_LE(largest_difference(found, expected.values()), 1e-13 * (1 + largest(expected.values())));
      };
      const Dense tall = random_matrix(t.rows(), width, 21);
      near(raw_rows_to_solved(map, tall.values(), width), product(transposed(t), tall));
      const Dense wide = random_matrix(width, t.rows(), 22);
      near(raw_columns_to_solved(map, wide.values(), width), product(wide, t));
      const Dense solved_tall = random_matrix(t.columns(), width, 23);
      near(solved_rows_to_raw(map, solved_tall.values(), width), product(t, solved_tall));
      const Dense solved_wide = random_matrix(width, t.columns(), 24);
      near(solved_columns_to_raw(map, solved_wide.values(), width), product(solved_wide, transposed(t)));
    }
}

TEST_P(MapOfDegree, CentresEveryMainEffect) {
  const Case c = mixed_case(GetParam());
  const Dense raw = columns_of(c.raw, 0, c.design.raw_term_columns(0));
  const auto solved = raw_columns_to_solved(c.maps[0], raw.values(), raw.rows());
  for (std::size_t a = 0; a < c.design.term_columns(0); ++a) {
    double mean = 0;
    for (std::size_t r = 0; r < raw.rows(); ++r)
      mean += c.rows.weights[r] * solved[r * c.design.term_columns(0) + a];
    EXPECT_NEAR(mean, 0, 1e-13);
  }
}

TEST(Map, OfAConstantCoordinateGivesZerosAlsoInInteractions) {
  test::Rows rows = test::made_up_rows(30, 2, 14).with_column(1, std::vector<double>(30, 4.5));
  auto features = rows.features();
  const Case c{std::move(rows),
               Design(std::move(features), {{{0}, {2}}, {{1}, {2}}, {{0, 1}, {2, 3}}, {{2, 0, 1}, {1, 2, 1}}},
                      3, Parametrisation::centred)};
  expect_solved_columns(c, 1e-14);
  for (const std::size_t t : {1, 2, 3}) {
    const Dense raw = columns_of(c.raw, c.design.raw_offset(t), c.design.raw_term_columns(t));
    EXPECT_EQ(largest(raw_columns_to_solved(c.maps[t], raw.values(), raw.rows())), 0);
  }
}

}  // namespace
}  // namespace kore

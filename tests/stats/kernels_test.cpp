// The loops over rows of main effects against plain loops, on every instruction set this machine can run.
#include "stats/kernels.hpp"

#include <numeric>

#include "stats/made_up_term.hpp"

namespace kore {
namespace {

using test::MadeUpTerm;
using KernelsOn = test::OnInstructionSet;

/// Visits (index into the dense block, index into the strip) as kernels.hpp describes the layout.
template <class Visit>
void for_each_entry(const MadeUpTerm& left, const MadeUpTerm& right, Visit&& visit) {
  const std::size_t locals = left.rows.last_locals();
  std::size_t at = 0;
  for (std::size_t cell = 0; cell + locals <= left.functions(); ++cell)
    for (std::size_t column = 0; column < right.functions(); ++column, at += left.width)
      for (std::size_t s = 0; s < locals; ++s) visit((cell + s) * right.functions() + column, at + s);
}

std::size_t strip_size(const MadeUpTerm& left, const MadeUpTerm& right) {
  return (left.functions() - left.rows.last_locals() + 1) * right.functions() * left.width;
}

void expect_accumulation(const MadeUpTerm& left, const MadeUpTerm& right, std::size_t row_count,
                         const std::vector<double>& weights) {
  AlignedBuffer strip(strip_size(left, right));
  accumulate_strip(left.rows, right.rows, weights.empty() ? nullptr : weights.data(), row_count, left.width,
                   strip.data());
  std::vector<double> ours(left.functions() * right.functions());
  for_each_entry(left, right, [&](std::size_t entry, std::size_t at) { ours[entry] += strip.data()[at]; });
  std::vector<double> plain(ours.size());
  for (std::size_t r = 0; r < row_count; ++r) {
    const std::vector<double> a = left.dense(r);
    const std::vector<double> b = right.dense(r);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j)
        plain[i * b.size() + j] += (weights.empty() ? 1.0 : weights[r]) * a[i] * b[j];
  }
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(ours[i], plain[i], 1e-12) << "entry " << i;
}

/// The sums of a kernel that has added to ones, against plain loops over the dense block.
void expect_sums(const MadeUpTerm& left, const MadeUpTerm& right, const std::vector<double>& block,
                 const AlignedBuffer& sums) {
  for (std::size_t r = 0; r < sums.size() / left.width; ++r) {
    const std::vector<double> a = left.dense(r);
    const std::vector<double> b = right.dense(r);
    double plain = static_cast<double>(left.width);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) plain += a[i] * block[i * b.size() + j] * b[j];
    const double* own = sums.data() + r * left.width;
    ASSERT_NEAR(std::accumulate(own, own + left.width, 0.0), plain, 1e-11) << "row " << r;
  }
}

void expect_contraction(const MadeUpTerm& left, const MadeUpTerm& right, std::size_t row_count,
                        test::Uniform& uniform) {
  std::vector<double> block(left.functions() * right.functions());
  for (double& value : block) value = uniform.between(-1, 1);
  AlignedBuffer strip(strip_size(left, right));
  for_each_entry(left, right, [&](std::size_t entry, std::size_t at) { strip.data()[at] = block[entry]; });
  AlignedBuffer sums(row_count * left.width);
  std::fill_n(sums.data(), sums.size(), 1.0);
  contract_strip(left.rows, right.rows, row_count, left.width, strip.data(), sums.data());
  expect_sums(left, right, block, sums);
  if (left.rows.last_locals() != left.width || right.rows.last_locals() != left.width) return;
  std::fill_n(sums.data(), sums.size(), 1.0);
  contract_dense(left.rows, right.rows, row_count, left.width, block.data(), sums.data());
  expect_sums(left, right, block, sums);
}

TEST_P(KernelsOn, AgreeWithPlainLoopsForEveryNumberOfLocalFunctions) {
  test::Uniform uniform(103);
  for (int left_locals = 1; left_locals <= 8; ++left_locals)
    for (int right_locals = 1; right_locals <= 8; ++right_locals)
      for (const int cells : {1, 5}) {
        SCOPED_TRACE(std::to_string(left_locals) + " by " + std::to_string(right_locals));
        const std::size_t width = std::max(left_locals, right_locals) <= 4 ? 4 : 8;
        // More rows than a group of partial sums, and an odd number.
        const MadeUpTerm left(151, width, {left_locals}, {cells}, uniform);
        const MadeUpTerm right(151, width, {right_locals}, {cells}, uniform);
        expect_accumulation(left, right, 151, test::uneven_weights(151, 104));
        expect_accumulation(left, right, 151, {});
        expect_contraction(left, right, 151, uniform);
      }
}

TEST_P(KernelsOn, EvaluateTheBasisAsItsDefinition) {
  for (int degree = 1; degree <= max_degree; ++degree)
    for (const int intervals : {1, 6}) {
      const UniformBasis basis({-1, 3, intervals}, degree);
      std::vector<double> x{-1, 3, 1, -0.9999999, 2.9999999, -2.5, 4.5};
      test::Uniform uniform(105);
      while (x.size() < 40) x.push_back(uniform.between(-1, 3));
      const std::size_t width = degree <= 3 ? 4 : 8;
      for (const std::ptrdiff_t stride : {1, 2}) {
        const std::size_t count = x.size() / static_cast<std::size_t>(stride);
        AlignedBuffer values(count * width);
        std::vector<std::int32_t> cells(count);
        evaluate_marginal(basis, x.data(), stride, count, width, values.data(), cells.data());
        for (std::size_t r = 0; r < count; ++r) {
          const double point = x[r * static_cast<std::size_t>(stride)];
          const LocalBasis local = basis.evaluate(point, Extrapolation::continue_polynomial);
          ASSERT_EQ(cells[r], local.cell) << "degree " << degree << " at " << point;
          for (int s = 0; s <= degree; ++s) {
            const double expected = local.value[static_cast<std::size_t>(s)];
            ASSERT_NEAR(values.data()[r * width + static_cast<std::size_t>(s)], expected,
                        1e-14 * std::max(1.0, std::abs(expected)))
                << "degree " << degree << " at " << point;
          }
        }
      }
    }
}

TEST_P(KernelsOn, EvaluateAPointToTheSameBitsWhereverABlockEnds) {
  const UniformBasis basis({0, 1, 9}, 3);
  test::Uniform uniform(106);
  std::vector<double> x(200);
  for (double& point : x) point = uniform.between(-0.1, 1.1);
  AlignedBuffer whole(x.size() * 4);
  std::vector<std::int32_t> whole_cells(x.size());
  evaluate_marginal(basis, x.data(), 1, x.size(), 4, whole.data(), whole_cells.data());
  for (const std::size_t piece : {1U, 7U, 63U, 65U, 130U}) {
    AlignedBuffer values(x.size() * 4);
    std::vector<std::int32_t> cells(x.size());
    for (std::size_t first = 0; first < x.size(); first += piece)
      evaluate_marginal(basis, x.data() + first, 1, std::min(piece, x.size() - first), 4,
                        values.data() + 4 * first, cells.data() + first);
    EXPECT_EQ(cells, whole_cells) << "pieces of " << piece;
    EXPECT_TRUE(std::ranges::equal(values.span(), whole.span())) << "pieces of " << piece;
  }
}

TEST_P(KernelsOn, EvaluateTheLevelsOfACategory) {
  const UniformBasis basis = UniformBasis::indicators(5);
  const std::vector<double> x{0, 4, 2, 2.5, -1, 5, 1e12, 3, -1e-9, 1};
  for (const std::size_t width : {4U, 8U}) {
    AlignedBuffer values(x.size() * width);
    std::vector<std::int32_t> cells(x.size());
    evaluate_marginal(basis, x.data(), 1, x.size(), width, values.data(), cells.data());
    EXPECT_EQ(cells, (std::vector<std::int32_t>{0, 4, 2, 4, 4, 4, 4, 3, 4, 1}));
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values.data()[i], i % width == 0 ? 1 : 0);
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, KernelsOn, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         test::instruction_set_name);

}  // namespace
}  // namespace kore

// The loops over rows against plain loops, on every instruction set this machine can run.
#include "stats/kernels.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <numeric>

#include "base/aligned.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

/// Made-up local values of one term, some of its coordinates with a single cell.
struct MadeUpTerm {
  MadeUpTerm(std::size_t row_count, std::size_t padded, std::vector<int> locals, std::vector<int> cells,
             test::Uniform& uniform)
      : width(padded) {
    rows.order = static_cast<int>(locals.size());
    for (std::size_t c = 0; c < locals.size(); ++c) {
      values.emplace_back(row_count * width);
      cell_of.emplace_back();
      for (std::size_t r = 0; r < row_count; ++r) {
        for (int s = 0; s < locals[c]; ++s)
          values[c].data()[r * width + static_cast<std::size_t>(s)] = uniform.between(-1, 1);
        cell_of[c].push_back(static_cast<std::int32_t>(uniform() * cells[c]));
      }
      rows.values[c] = values[c].data();
      rows.cells[c] = cell_of[c].data();
      rows.functions[c] = static_cast<std::size_t>(cells[c] + locals[c] - 1);
      rows.locals[c] = locals[c];
    }
    if (rows.order == 1) return;
    products = AlignedBuffer(row_count * rows.leads() * width);
    multiply_locals(rows, row_count, width, products.data());
    rows.products = products.data();
  }
  std::size_t functions() const {
    std::size_t all = 1;
    for (int c = 0; c < rows.order; ++c) all *= rows.functions[static_cast<std::size_t>(c)];
    return all;
  }
  std::size_t last() const { return static_cast<std::size_t>(rows.order - 1); }
  std::size_t last_cells() const {
    return rows.functions[last()] - static_cast<std::size_t>(rows.locals[last()]) + 1;
  }
  /// All functions of the term at a row, zeros included, the last coordinate's index fastest.
  std::vector<double> dense(std::size_t row) const {
    std::vector<double> product{1};
    for (std::size_t c = 0; c <= last(); ++c) {
      std::vector<double> next;
      for (const double before : product)
        for (std::size_t f = 0; f < rows.functions[c]; ++f) {
          const auto local = static_cast<std::ptrdiff_t>(f) - rows.cells[c][row];
          const bool touched = local >= 0 && local < rows.locals[c];
          next.push_back(touched ? before * rows.values[c][row * width + static_cast<std::size_t>(local)]
                                 : 0);
        }
      product = std::move(next);
    }
    return product;
  }

  std::size_t width;
  TermRows rows;
  std::vector<AlignedBuffer> values;
  AlignedBuffer products;
  std::vector<std::vector<std::int32_t>> cell_of;
};

/// Visits (index into the dense block, index into the strip) as kernels.hpp describes the layout.
template <class Visit>
void for_each_entry(const MadeUpTerm& left, const MadeUpTerm& right, Visit&& visit) {
  const std::size_t last = left.rows.functions[left.last()];
  const std::size_t columns = right.functions();
  std::size_t at = 0;
  for (std::size_t lead = 0; lead < left.functions() / last; ++lead)
    for (std::size_t cell = 0; cell < left.last_cells(); ++cell)
      for (std::size_t column = 0; column < columns; ++column, at += left.width)
        for (std::size_t s = 0; s < static_cast<std::size_t>(left.rows.locals[left.last()]); ++s)
          visit((lead * last + cell + s) * columns + column, at + s);
}

std::size_t strip_size(const MadeUpTerm& left, const MadeUpTerm& right) {
  return left.functions() / left.rows.functions[left.last()] * left.last_cells() * right.functions() *
         left.width;
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

void expect_contraction(const MadeUpTerm& left, const MadeUpTerm& right, std::size_t row_count,
                        test::Uniform& uniform) {
  std::vector<double> block(left.functions() * right.functions());
  for (double& value : block) value = uniform.between(-1, 1);
  AlignedBuffer strip(strip_size(left, right));
  for_each_entry(left, right, [&](std::size_t entry, std::size_t at) { strip.data()[at] = block[entry]; });
  AlignedBuffer sums(row_count * left.width);
  std::fill_n(sums.data(), sums.size(), 1.0);  // kernels add to what is there
  contract_strip(left.rows, right.rows, row_count, left.width, strip.data(), sums.data());
  for (std::size_t r = 0; r < row_count; ++r) {
    const std::vector<double> a = left.dense(r);
    const std::vector<double> b = right.dense(r);
    double plain = static_cast<double>(left.width);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) plain += a[i] * block[i * b.size() + j] * b[j];
    const double* own = sums.data() + r * left.width;
    ASSERT_NEAR(std::accumulate(own, own + left.width, 0.0), plain, 1e-11) << "row " << r;
  }
}

class KernelsOn : public testing::TestWithParam<std::int64_t> {
 protected:
  KernelsOn() {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~KernelsOn() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Local functions of the coordinates of a term: splines with one more than the degree, straight lines with
/// two.
std::vector<std::vector<int>> shapes(int locals) {
  return {{locals},           {2}, {locals, locals}, {2, locals}, {locals, 2}, {locals, locals, locals},
          {locals, 2, locals}};
}

TEST_P(KernelsOn, AgreeWithPlainLoopsForAllOrdersAndWidths) {
  test::Uniform uniform(101);
  for (const int locals : {2, 3, 4, 5, 8}) {
    const std::size_t width = locals <= 4 ? 4 : 8;
    const std::size_t row_count = locals <= 4 ? 21 : 3;
    const std::vector<double> weights = test::uneven_weights(row_count, 102);
    const auto all = shapes(locals);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all.size(); ++j) {
        SCOPED_TRACE("locals " + std::to_string(locals) + ", left " + std::to_string(i) + ", right " +
                     std::to_string(j));
        const MadeUpTerm left(row_count, width, all[i], std::vector<int>(all[i].size(), 2), uniform);
        const MadeUpTerm right(row_count, width, all[j], std::vector<int>(all[j].size(), locals <= 4 ? 2 : 1),
                               uniform);
        expect_accumulation(left, right, row_count, {});
        expect_accumulation(left, right, row_count, weights);
        expect_contraction(left, right, row_count, uniform);
      }
  }
}

TEST_P(KernelsOn, AgreeWithPlainLoopsForEveryNumberOfLocalFunctions) {
  test::Uniform uniform(103);
  for (int left_locals = 2; left_locals <= 8; ++left_locals)
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

INSTANTIATE_TEST_SUITE_P(InstructionSets, KernelsOn, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& test_case) { return std::string(hwy::TargetName(test_case.param)); });

}  // namespace
}  // namespace kore

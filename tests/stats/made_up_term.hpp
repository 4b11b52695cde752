#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <vector>

#include "base/aligned.hpp"
#include "stats/kernels.hpp"
#include "support/made_up_rows.hpp"

namespace kore::test {

/// Made-up local values of one term, some of its coordinates with a single cell.
struct MadeUpTerm {
  MadeUpTerm(std::size_t row_count, std::size_t padded, std::vector<int> locals, std::vector<int> cells,
             Uniform& uniform)
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
    rows.products = rows.values[0];
    rows.first = rows.cells[0];
    rows.place_leads();
    if (rows.order == 1) return;
    products = AlignedBuffer(row_count * rows.leads() * width);
    first.resize(row_count);
    multiply_locals(rows, row_count, width, products.data(), first.data());
    rows.products = products.data();
    rows.first = first.data();
  }
  std::size_t functions() const { return rows.all_functions(); }
  std::size_t last() const { return static_cast<std::size_t>(rows.order - 1); }
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
  std::vector<std::int32_t> first;
  std::vector<std::vector<std::int32_t>> cell_of;
};

/// Runs a test on one of the instruction sets of this machine.
class OnInstructionSet : public testing::TestWithParam<std::int64_t> {
 protected:
  OnInstructionSet() {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~OnInstructionSet() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

inline std::string instruction_set_name(const testing::TestParamInfo<std::int64_t>& info) {
  return hwy::TargetName(info.param);
}

}  // namespace kore::test

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "kore/response.hpp"
#include "kore/rows.hpp"
#include "kore/statistics.hpp"
#include "stats/local_block.hpp"
#include "stats/strips.hpp"

namespace kore {

/// The inverse of the normal equations in the raw layout, `M_raw = T (Gram + penalty)^-1 T'`, as strips. A
/// leverage is then a sum over pairs of terms of local products, without a dense row.
struct InverseStrips {
  InverseStrips(const Design& design);

  StripLayout layout;
  AlignedBuffer strips;               ///< Off-diagonal blocks count twice.
  std::vector<AlignedBuffer> linear;  ///< Per term: twice the products with the intercept.
  double constant = 0;                ///< The intercept with itself.
};

/// Leverages by a triangular solve: slower, but a sum of squares that keeps its digits where the inverse
/// loses them.
class ExactLeverages {
 public:
  virtual ~ExactLeverages() = default;
  /// `b' (Gram + penalty)^-1 b` of the given rows of an evaluated block.
  virtual void compute(const LocalBlock& local, std::span<const std::size_t> rows,
                       std::span<double> leverages) const = 0;
};

/// Everything the pass over residuals and leverages reads.
struct PressInput {
  const Design* design = nullptr;
  double intercept = 0;
  std::span<const double> coefficients;    ///< Raw layout.
  const InverseStrips* inverse = nullptr;  ///< Null: every leverage by the exact route.
  const ExactLeverages* exact = nullptr;   ///< Null: no leverages at all, losses are not left-out ones.
  const Response* response = &normal_response();
  ConstantModel constant;
};

/// Losses, left-out losses and leverages of rows, added up; `results` gets what is found for each of them.
PressSums sum_losses(const Response& response, const FittedRows& rows, const ConstantModel& constant,
                     const LeftOutRows& results);

/// Adds up one block. Threads share the rows in fixed pieces whose sums are merged in order.
PressSums press(const PressInput& input, const RowBlock& block, int threads, const PressRows& output = {});

}  // namespace kore

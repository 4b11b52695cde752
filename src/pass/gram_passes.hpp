#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "kore/response.hpp"
#include "kore/smoother.hpp"
#include "kore/statistics.hpp"

namespace kore {

/// The Gram matrices of one or several designs that share a pass, for a response that fits in one step.
class GramPass final : public Pass {
 public:
  /// At least one design, all of the same features.
  explicit GramPass(std::vector<Design> designs, GramBlocks blocks = GramBlocks::all,
                    const Response& response = normal_response());
  static std::unique_ptr<Pass> read(ByteReader& task, std::uint64_t most_bytes);

  std::vector<GramAccumulator> take() && { return std::move(grams_); }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  GramBlocks blocks_;
  const Response& response_;
  std::vector<GramAccumulator> grams_;
};

/// The sums of one design over all rows of a source.
GramAccumulator gram_of(const RowSource& source, Design design, GramBlocks blocks, int threads,
                        const Response& response = normal_response());

/// The function that a fit has found, where only its values are needed.
struct FittedFunction {
  Design design;
  double intercept = 0;
  std::vector<double> coefficients;  ///< Raw layout.
  const Response* response = &normal_response();
};

/// Gram matrices with the residuals of a fit in place of the working target: what refinement and screening
/// read.
class ResidualGramPass final : public Pass {
 public:
  /// `fit`'s residuals against the functions of `design`, which may be another one of the same features.
  void include(const Smoother& fit, Design design, GramBlocks blocks);
  static std::unique_ptr<Pass> read(ByteReader& task, std::uint64_t most_bytes);

  bool empty() const { return parts_.empty(); }
  std::vector<GramAccumulator> take() &&;

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  struct Part {
    FittedFunction fit;
    GramBlocks blocks;
    GramAccumulator gram;
  };
  std::vector<Part> parts_;
};

}  // namespace kore

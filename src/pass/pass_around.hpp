#pragma once

#include <memory>
#include <utility>

#include "kore/pass.hpp"

namespace kore {

/// A pass that changes rows on their way into another pass. Its sums are those of the other pass.
class PassAround : public Pass {
 public:
  std::vector<std::byte> serialize() const final { return inner_.serialize(); }
  void merge(std::span<const std::byte> result) final { inner_.merge(result); }
  PassFacts facts() const final { return inner_.facts(); }

 protected:
  /// The other pass has to outlive this one.
  explicit PassAround(Pass& inner) : inner_(inner) {}
  explicit PassAround(std::unique_ptr<Pass> inner) : own_(std::move(inner)), inner_(*own_) {}

  Pass& inner() { return inner_; }
  const Pass& inner() const { return inner_; }

 private:
  std::unique_ptr<Pass> own_;
  Pass& inner_;
};

}  // namespace kore

#pragma once

#include <memory>
#include <vector>

#include "kore/pass.hpp"
#include "kore/smoother.hpp"
#include "support/made_up_rows.hpp"

namespace kore::fuzz {

/// Passes of every kind over three features, with the fits that they refer to.
struct Passes {
  std::vector<std::unique_ptr<Smoother>> fits;
  std::vector<std::unique_ptr<Pass>> passes;
};
Passes all_passes();

/// Rows of so many features, with levels in the last one.
test::Rows rows_of(std::size_t features, std::size_t count = 24);

}  // namespace kore::fuzz

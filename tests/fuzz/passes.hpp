#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "fuzz/targets.hpp"
#include "kore/pass.hpp"
#include "kore/smoother.hpp"
#include "support/made_up_rows.hpp"
#include "table/frame.hpp"

namespace kore::fuzz {

/// Passes of every kind over three features, with the fits that they refer to.
struct Passes {
  std::vector<std::unique_ptr<Smoother>> fits;
  std::vector<std::unique_ptr<Pass>> passes;
};
Passes all_passes();

/// Columns of numbers, each a feature.
table::Encoding encoding_of_numbers(std::initializer_list<const char*> names);

/// A small table with the columns of `test::made_up_model`, of six rows.
table::Frame frame_of_flats();
/// A task of every kind over its rows.
std::vector<Bytes> table_tasks();

/// Rows of so many features, with levels in the last one.
test::Rows rows_of(std::size_t features, std::size_t count = 24);

}  // namespace kore::fuzz

#pragma once

#include <cstdlib>

#include "fuzz/share.hpp"
#include "fuzz/targets.hpp"
#include "kore/table_model.hpp"

/// Everything that is done with a model once it was read. What is asked may be refused; it must not crash,
/// and what is written must read as the same.
namespace kore::fuzz {

/// What was written is accepted again, and is the same.
template <class Read>
void expect_same_again(const Bytes& written, const Read& read) {
  if (!allow_refusal([&] {
        if (to_bytes(read(written)) != written) std::abort();
      }))
    std::abort();
}

void use(const Model& model, Share share);
void use(const table::TableModel& fitted, Share share);

}  // namespace kore::fuzz

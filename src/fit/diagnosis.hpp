#pragma once

#include "kore/fit.hpp"

namespace kore {

/// The answer to a target that never changes.
[[noreturn]] void refuse_to_diagnose_a_constant_target();

/// What the chosen model saves of the leave-one-out error of straight lines, with advice where that is next
/// to nothing.
void compare_with_lines(Diagnosis& diagnosis, double loo, double linear_loo);

}  // namespace kore

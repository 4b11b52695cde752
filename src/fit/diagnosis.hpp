#pragma once

#include "kore/fit.hpp"

namespace kore {

/// Throws the error for a constant target.
[[noreturn]] void refuse_to_diagnose_a_constant_target();

/// Sets how much of the leave-one-out error of straight lines the chosen model saves, and adds advice where
/// that is almost nothing.
void compare_with_lines(Diagnosis& diagnosis, double loo, double linear_loo);

}  // namespace kore

#include "fit/diagnosis.hpp"

#include "kore/error.hpp"

namespace kore {
namespace {

constexpr double negligible_lift = 0.01;  // of the leave-one-out error of straight lines

constexpr const char* lines_are_enough =
    "The splines gain next to nothing over straight lines on left-out rows: the regression is at its noise "
    "floor, and ordinary least squares is enough.";
constexpr const char* nothing_predicts =
    "Neither splines nor straight lines predict left-out rows better than the mean does: these features say "
    "next to nothing about the target, or the rows are too few to tell.";

}  // namespace

void refuse_to_diagnose_a_constant_target() {
  throw Error(ErrorCode::invalid_data, "constant_target",
              "The target is constant: there is nothing to diagnose.");
}

void compare_with_lines(Diagnosis& diagnosis, double loo, double linear_loo) {
  diagnosis.lift_over_linear = 1 - loo / linear_loo;
  if (diagnosis.lift_over_linear < negligible_lift)
    diagnosis.advice.emplace_back(linear_loo < diagnosis.summary.fitted_variance() ? lines_are_enough
                                                                                   : nothing_predicts);
}

}  // namespace kore

#include "model/scale_section.hpp"

#include <algorithm>
#include <cmath>

#include "kore/error.hpp"

namespace kore {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::corrupt_file, "inconsistent_scale",
              "The KORE model is inconsistent: its scale cannot be that of a target.");
}

/// Carried-back means must exist and never fall.
void check(const MeanShift& shift) {
  if (shift.places.size() != shift.shifts.size()) refuse();
  for (std::size_t i = 0; i < shift.places.size(); ++i) {
    if (!std::isfinite(shift.places[i]) || !std::isfinite(shift.shifts[i])) refuse();
    if (i > 0 && !(shift.places[i - 1] < shift.places[i])) refuse();
  }
}

}  // namespace

void write_scale(ByteWriter& out, const Model& model) {
  out.u8(static_cast<std::uint8_t>(model.target_scale));
  out.f64s(model.mean_shift.places);
  out.f64s(model.mean_shift.shifts);
  out.u8(model.summary.scaled_variance ? 1 : 0);
  out.f64(model.summary.scaled_variance.value_or(0));
}

void read_scale(ByteReader& in, Model& model) {
  const std::uint8_t scale = in.u8();
  if (scale > static_cast<std::uint8_t>(TargetScale::logarithm)) refuse();
  model.target_scale = static_cast<TargetScale>(scale);
  if (model.target_scale == TargetScale::automatic) refuse();
  model.mean_shift.places = in.f64s();
  model.mean_shift.shifts = in.f64s();
  check(model.mean_shift);
  const bool known = in.u8() != 0;
  const double variance = in.f64();
  if (known) model.summary.scaled_variance = variance;
}

}  // namespace kore

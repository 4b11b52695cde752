#include "model/family_section.hpp"

#include <cmath>

#include "kore/error.hpp"

namespace kore {
namespace {

[[noreturn]] void refuse(std::string_view part) {
  throw Error(ErrorCode::corrupt_file, "inconsistent_family",
              "The KORE model is inconsistent: its {part} cannot be that of a family.", {{"part", part}});
}

}  // namespace

void write_family(ByteWriter& out, const Model& model) {
  out.text(model.family);
  out.f64(model.family_parameter);
  out.f64(model.summary.null_deviance.value_or(0));
  out.f64(model.summary.overdispersion);
  const bool known = model.summary.accuracy && model.summary.accuracy->family;
  out.u8(known ? 1 : 0);
  if (!known) return;
  const FamilyAccuracy& accuracy = *model.summary.accuracy->family;
  for (const double value : {accuracy.deviance, accuracy.null_deviance, accuracy.dispersion,
                             accuracy.log_loss, accuracy.brier, accuracy.auc})
    out.f64(value);
}

void read_family(ByteReader& in, Model& model) {
  model.family = in.text();
  model.family_parameter = in.f64();
  const auto response = response_with(model.family, model.family_parameter);
  if (!response || response->name() == "robust") refuse("name or parameter");
  const double null_deviance = in.f64();
  if (!(null_deviance >= 0) || !std::isfinite(null_deviance)) refuse("deviance");
  model.summary.null_deviance = null_deviance;
  model.summary.overdispersion = in.f64();
  if (!(model.summary.overdispersion >= 1) || !std::isfinite(model.summary.overdispersion))
    refuse("dispersion");
  if (in.u8() == 0) return;
  FamilyAccuracy accuracy;
  for (double* value : {&accuracy.deviance, &accuracy.null_deviance, &accuracy.dispersion, &accuracy.log_loss,
                        &accuracy.brier, &accuracy.auc})
    *value = in.f64();
  if (!(accuracy.deviance >= 0 && accuracy.null_deviance >= 0)) refuse("accuracy");
  if (model.summary.accuracy) model.summary.accuracy->family = accuracy;
}

}  // namespace kore

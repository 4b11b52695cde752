#include "model/uncertainty_bytes.hpp"

#include <algorithm>
#include <cmath>

#include "base/finite.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::corrupt_file, "inconsistent_model",
              "The KORE model is inconsistent: its {part} do not belong to its {whole}.",
              {{"part", "standard errors"}, {"whole", "design"}});
}

bool unknown_or_within(double value, double highest) {
  return std::isnan(value) || (value >= 0 && value <= highest);
}

}  // namespace

bool knows_parameters(const Effect& effect, std::size_t functions) {
  return unknown_or_within(effect.parameters, static_cast<double>(functions) + 1) &&
         unknown_or_within(effect.p_value, 1) && unknown_or_within(effect.concurvity, 1);
}

void write_uncertainty(ByteWriter& out, const std::vector<Effect>& effects) {
  out.u64(effects.size());
  for (const Effect& effect : effects) {
    for (const double value : {effect.parameters, effect.p_value, effect.concurvity}) out.f64(value);
    out.f64s(effect.covariance_factor);
  }
}

void read_uncertainty(ByteReader& in, Model& model) {
  if (in.count(32) != model.effects.size()) refuse();
  for (Effect& effect : model.effects) {
    for (double* value : {&effect.parameters, &effect.p_value, &effect.concurvity}) *value = in.f64();
    effect.covariance_factor = in.f64s();
  }
}

void check_uncertainty(const Model& model) {
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    const Effect& effect = model.effects[t];
    const std::size_t order = model.design.terms()[t].order();
    const std::size_t size = model.design.raw_term_columns(t);
    const bool matrix_fits =
        effect.covariance.empty() || (order == 1 && effect.covariance.size() == size * size);
    const bool factor_fits =
        effect.covariance_factor.empty() || (order == 2 && effect.covariance_factor.size() % size == 0);
    if (!matrix_fits || !factor_fits || !all_finite(effect.covariance) ||
        !all_finite(effect.covariance_factor))
      refuse();
    if (!knows_parameters(effect, size)) refuse();
  }
}

}  // namespace kore

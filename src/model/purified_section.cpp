#include "model/purified_section.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/finite.hpp"
#include "design/design_bytes.hpp"
#include "model/check.hpp"
#include "model/uncertainty_bytes.hpp"

namespace kore {
namespace {

constexpr std::string_view name = "purified effects";

ShownTerm shown_term(const Term& part) {
  ShownTerm term{part.features, {}, {}};
  for (const int resolution : part.resolutions) term.by_value.push_back(resolution == each_value);
  return term;
}

ShownTerm read_term(ByteReader& in, const Design& parts, std::vector<bool>& used) {
  std::vector<std::size_t> own(in.count(8));
  for (std::size_t& part : own) part = in.u64();
  require_of_model(!own.empty() && own.front() < used.size(), name, "have an effect without parts");
  ShownTerm term = shown_term(parts.terms()[own.front()]);
  for (const std::size_t part : own) {
    require_of_model(part < used.size() && !used[part], name, "share their parts");
    used[part] = true;
    const ShownTerm same = shown_term(parts.terms()[part]);
    require_of_model(same.features == term.features && same.by_value == term.by_value, name,
                     "have parts of different features");
  }
  term.parts = std::move(own);
  return term;
}

Effect read_effect(ByteReader& in) {
  Effect effect;
  for (double* value : {&effect.mean, &effect.variance, &effect.share, &effect.covariance_share,
                        &effect.parameters, &effect.p_value, &effect.concurvity})
    *value = in.f64();
  effect.covariance_factor = in.f64s();
  return effect;
}

void check_effect(const Effect& effect, const ShownTerm& term, const Design& parts) {
  std::size_t functions = 0;
  for (const std::size_t part : term.parts) functions += parts.raw_term_columns(part);
  require_of_model(
      all_finite(std::array{effect.mean, effect.variance, effect.share, effect.covariance_share}) &&
          effect.variance >= 0,
      name, "have shares that are not finite numbers");
  require_of_model(knows_parameters(effect, functions), name, "have tests that cannot be");
  require_of_model(effect.covariance_factor.size() % functions == 0 && all_finite(effect.covariance_factor),
                   name, "have standard errors that do not belong to them");
}

}  // namespace

void write_purified(ByteWriter& out, const Decomposition& purified) {
  write_parts(out, purified.design);
  out.f64(purified.constant);
  out.f64s(purified.coefficients);
  out.u64(purified.terms.size());
  for (const ShownTerm& term : purified.terms) {
    out.u64(term.parts.size());
    for (const std::size_t part : term.parts) out.u64(part);
  }
  for (const Effect& effect : purified.effects) {
    for (const double value : {effect.mean, effect.variance, effect.share, effect.covariance_share,
                               effect.parameters, effect.p_value, effect.concurvity})
      out.f64(value);
    out.f64s(effect.covariance_factor);
  }
}

Decomposition read_purified(ByteReader& in, const Design& fitted) {
  Decomposition purified{read_parts(in, fitted), Extrapolation::linear, 0, {}, {}, {}, true};
  purified.constant = in.f64();
  purified.coefficients = in.f64s();
  require_of_model(std::isfinite(purified.constant) &&
                       purified.coefficients.size() == purified.design.raw_columns() &&
                       all_finite(purified.coefficients),
                   name, "have coefficients that do not belong to their parts");
  std::vector<bool> used(purified.design.terms().size());
  purified.terms.resize(in.count(16));
  for (ShownTerm& term : purified.terms) term = read_term(in, purified.design, used);
  require_of_model(std::ranges::find(used, false) == used.end(), name, "leave parts out");
  for (const ShownTerm& term : purified.terms) {
    purified.effects.push_back(read_effect(in));
    check_effect(purified.effects.back(), term, purified.design);
  }
  return purified;
}

}  // namespace kore

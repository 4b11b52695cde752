#include "select/pilots.hpp"

#include <locale>
#include <sstream>
#include <utility>

namespace kore {
namespace {

// The limits of the paper's check.
constexpr double worst_condition = 1e6;
constexpr double least_margin = 0.05;

/// One failed check: what is wrong, what to do instead in three words, and in a sentence.
struct Finding {
  std::string reason;
  std::string instead;
  std::string advice;
};

std::string in_digits(double value) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(3);
  text << value;
  return text.str();
}

Finding too_many_features(std::size_t features) {
  return {
      "too many features (" + std::to_string(features) + ", more than " +
          std::to_string(PilotCheck::most_features) + ")",
      "use a tuned booster",
      "With more than " + std::to_string(PilotCheck::most_features) +
          " features after encoding, low-order splines rarely win: tune a gradient booster such as XGBoost "
          "or "
          "LightGBM, or drop features."};
}

Finding ill_conditioned(double condition) {
  const std::string reason = std::isinf(condition)
                                 ? "no two distinct stable pilots (infinite condition number)"
                                 : "ill-conditioned pilots (condition number " + in_digits(condition) +
                                       ", above " + in_digits(worst_condition) + ")";
  return {reason, "use GCV-tuned splines",
          "The two pilots do not tell bias from variance: choose the resolution of the same splines by GCV "
          "over the "
          "whole grid."};
}

Finding near_the_boundary(double margin) {
  return {"small stability margin (" + in_digits(margin) + ", below " + in_digits(least_margin) + ")",
          "use exhaustive cross-validation at the boundary",
          "The solution lies where the basis is almost too large for the rows: cross-validate the "
          "resolutions at the "
          "boundary exhaustively, or collect more rows."};
}

std::vector<Finding> triage(const PilotCheck& diagnostic) {
  std::vector<Finding> findings;
  if (diagnostic.features > PilotCheck::most_features)
    findings.push_back(too_many_features(diagnostic.features));
  if (diagnostic.condition_number > worst_condition)
    findings.push_back(ill_conditioned(diagnostic.condition_number));
  if (diagnostic.stability_margin < least_margin)
    findings.push_back(near_the_boundary(diagnostic.stability_margin));
  return findings;
}

void measure_pilots(ResolutionCurve& additive, const SelectorOptions& options, PilotCheck& diagnostic) {
  const BasisCount& size = additive.size();
  const double n = additive.weight_sum();
  const double beta = smoothness(size);
  const int largest = largest_stable_resolution(additive, options).value_or(1);
  const std::vector<int> pilots = pilot_resolutions(additive, options, largest);
  diagnostic.condition_number = std::numeric_limits<double>::infinity();
  if (pilots.size() == 2) {
    const auto row = [&](int resolution) { return PilotPoint{resolution, size(resolution), 0}; };
    diagnostic.condition_number = pilot_condition_number(row(pilots[0]), row(pilots[1]), n, beta);
  }
  diagnostic.law = law_of_pilots(additive, pilots);
  if (diagnostic.law.usable()) {
    diagnostic.plug_in = optimal_resolution(diagnostic.law, size, n, beta, 1, largest);
  }
  diagnostic.stability_margin = options.stability - size(nearest_resolution(diagnostic.plug_in, largest)) / n;
}

}  // namespace

PilotCheck check_pilots(ResolutionCurve& additive, const SelectorOptions& options, std::size_t features,
                        Structure recommended) {
  require_valid(options);
  PilotCheck diagnostic;
  diagnostic.n = additive.weight_sum();
  diagnostic.features = features;
  diagnostic.effective_density = effective_density(additive.weight_sum(), additive.size());
  measure_pilots(additive, options, diagnostic);
  judge(diagnostic, recommended);
  return diagnostic;
}

void judge(PilotCheck& diagnostic, Structure recommended) {
  const std::vector<Finding> findings = triage(diagnostic);
  diagnostic.suitable = findings.empty();
  if (findings.empty()) {
    diagnostic.recommendation = std::string("use ") + to_string(recommended);
    return;
  }
  diagnostic.reason.clear();
  diagnostic.recommendation = findings.front().instead;
  for (const Finding& finding : findings) {
    if (!diagnostic.reason.empty()) diagnostic.reason += "; ";
    diagnostic.reason += finding.reason;
    diagnostic.advice.push_back(finding.advice);
  }
}

}  // namespace kore

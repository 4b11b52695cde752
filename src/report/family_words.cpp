#include "report/family_words.hpp"

#include "story/family.hpp"

namespace kore::report {

bool has_intervals(const table::TableModel& fitted) {
  const Model& model = fitted.model;
  if (model.family == "binomial" || !fitted.facts.exposure.empty()) return false;
  return intervals_by_family(model) || !model.residual_quantiles.empty();
}

bool intervals_by_family(const Model& model) {
  return model.family == "poisson" || model.family == "negative_binomial";
}

std::string sum_words(const Model& model) {
  if (!model.linked()) return "the prediction";
  return model.family == "binomial" ? "the log odds" : "the logarithm of the prediction";
}

std::string link_words(const Model& model) {
  return model.family == "binomial" ? "log odds" : "logarithms of the mean";
}

std::string loss_axis(const Model& model) {
  return model.linked() ? "leave-one-out error (mean deviance)" : "leave-one-out error (mean square)";
}

std::string yes_of(const table::TableModel& fitted) {
  return fitted.facts.target_levels.size() == 2 ? story::target_words(fitted)[1] : "1";
}

std::string mean_words(const table::TableModel& fitted) {
  if (fitted.model.family == "binomial") return "probability of " + yes_of(fitted);
  if (!fitted.facts.exposure.empty()) return "rate";
  return fitted.model.family == "gamma" ? "mean" : "mean count";
}

}  // namespace kore::report

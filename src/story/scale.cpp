#include "story/scale.hpp"

#include <fmt/format.h>

namespace kore::story {

std::string scaled_target(const Model& model) {
  if (model.linked())
    return fmt::format("{}({})", model.family == "binomial" ? "logit" : "log",
                       model.target.empty() ? "target" : model.target);
  if (model.target_scale == TargetScale::identity) return model.target;
  return fmt::format("{}({})", word_for(model.target_scale), model.target.empty() ? "target" : model.target);
}

std::string scale_sentence(const Model& model) {
  if (model.target_scale == TargetScale::identity) return {};
  const std::string target = model.target.empty() ? "the target" : fmt::format("'{}'", model.target);
  return fmt::format(
      "{} of {}: effects, noise and leave-one-out are on this scale; predictions are means of {} in its own "
      "units",
      model.target_scale == TargetScale::logarithm ? "logarithm" : "square root", target, target);
}

bool has_factors(const Model& model) {
  return model.target_scale == TargetScale::logarithm || model.linked();
}

}  // namespace kore::story

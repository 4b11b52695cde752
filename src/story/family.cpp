#include "story/family.hpp"

#include <fmt/format.h>

#include "story/text.hpp"
#include "table/target_values.hpp"

namespace kore::story {

std::string family_sentence(const table::TableModel& fitted) {
  const Model& model = fitted.model;
  if (!model.linked()) {
    if (fitted.facts.offset.empty()) return {};
    return fmt::format("normal, of the target less the offset '{}', which predictions add again",
                       fitted.facts.offset);
  }
  if (model.family == "binomial") {
    const std::vector<std::string> words = target_words(fitted);
    const std::string yes = words.size() == 2 ? words[1] : std::string("1");
    return fmt::format("binomial: predictions are probabilities of {}; effects add up to its log odds", yes);
  }
  const std::string mean = !fitted.facts.offset.empty()
                               ? fmt::format("predictions are means over exp('{}')", fitted.facts.offset)
                           : fitted.facts.exposure.empty()
                               ? "predictions are means"
                               : fmt::format("predictions are rates per unit of '{}'", fitted.facts.exposure);
  const std::string words = model.family == "negative_binomial"
                                ? fmt::format("negative binomial with θ = {} (variance = mean + mean² / θ)",
                                              short_number(model.family_parameter))
                                : model.family;
  return fmt::format("{}: {}; effects add up to the logarithm of the mean, so that they multiply it", words,
                     mean);
}

std::vector<std::string> target_words(const table::TableModel& fitted) {
  return table::as_written(fitted.facts.target_levels, fitted.facts.words_of(fitted.model.target));
}

std::string dispersion_words(const Model& model) {
  if (model.family == "gamma")
    return fmt::format("dispersion {}, the squared coefficient of variation",
                       short_number(model.summary.noise_variance));
  if (model.family == "poisson" && model.summary.overdispersion > 1)
    return fmt::format(
        "counts vary {} times as much as the Poisson distribution says, and bands allow for it",
        short_number(model.summary.overdispersion));
  return "the dispersion is that of the family";
}

bool effects_multiply(const Model& model) { return model.linked(); }

}  // namespace kore::story

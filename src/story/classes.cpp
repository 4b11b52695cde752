#include "story/classes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "story/accuracy.hpp"
#include "story/growth.hpp"
#include "story/text.hpp"
#include "story/verdict.hpp"

namespace kore::story {
namespace {

const char* source_words(AccuracySource how) {
  switch (how) {
    case AccuracySource::folds:
      return "on rows used in no part of the fit";
    case AccuracySource::unseen_rows:
      return "on rows that took part in no choice";
    case AccuracySource::leave_one_out:
      break;
  }
  return "each row left out of the fits, given their terms";
}

std::string headline(const ClassAccuracy& accuracy) {
  return fmt::format(
      "{} of new rows get their class ({} by the most frequent class alone); log loss {} ({} without "
      "features), {}",
      percent(1 - accuracy.error_rate), percent(1 - accuracy.null_error_rate),
      short_number(accuracy.log_loss), short_number(accuracy.null_log_loss), source_words(accuracy.how));
}

/// The first word of a verdict: suitable, doubtful or not usable.
std::string answer_of(const Model& model) {
  switch (verdict(evidence_of(model)).answer) {
    case Verdict::Answer::yes:
      return "suitable";
    case Verdict::Answer::doubtful:
      return "doubtful";
    case Verdict::Answer::no:
      break;
  }
  return "not usable";
}

std::string class_table(const table::ClassModel& model) {
  std::vector<std::vector<std::string>> rows{
      {"  class", "share", "log loss", "AUC", "verdict", "told from all others by"}};
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    const Model& one = model.models[k].model;
    const auto& family = one.summary.accuracy ? one.summary.accuracy->family : std::nullopt;
    const auto shown = [&](double FamilyAccuracy::*part) {
      return family && std::isfinite((*family).*part) ? short_number((*family).*part) : std::string("-");
    };
    rows.push_back({"  " + model.classes[k], percent(one.summary.target_mean),
                    shown(&FamilyAccuracy::log_loss), shown(&FamilyAccuracy::auc), answer_of(one),
                    structure_words(one)});
  }
  return aligned(rows, 6);
}

Json accuracy_of_classes(const ClassAccuracy& accuracy) {
  static constexpr const char* sources[]{"folds", "unseen_rows", "leave_one_out"};
  return {{"how", sources[static_cast<std::size_t>(accuracy.how)]},
          {"rows", accuracy.rows},
          {"log_loss", number(accuracy.log_loss)},
          {"null_log_loss", number(accuracy.null_log_loss)},
          {"explained", number(accuracy.explained())},
          {"error_rate", number(accuracy.error_rate)},
          {"null_error_rate", number(accuracy.null_error_rate)}};
}

}  // namespace

std::string describe(const table::ClassModel& model) {
  const table::TableModel& first = model.models.front();
  return fmt::format("{:<11} '{}' of {}: {}, {}\n{:<11} {}\n{}", "Classes", model.target(),
                     first.facts.origin, counted(first.model.summary.rows, "row"),
                     fmt::format("{} classes", model.classes.size()), "Accuracy", headline(model.accuracy),
                     class_table(model));
}

Json class_json(const table::ClassModel& model) {
  Json models = Json::array();
  double seconds = 0;
  for (const table::TableModel& one : model.models) {
    models.push_back(fit_json(one));
    seconds = std::max(seconds, one.facts.seconds);
  }
  return {{"profile", model.models.front().facts.profile},
          {"family", "multinomial"},
          {"target", model.target()},
          {"classes", model.classes},
          {"n", model.models.front().model.summary.rows},
          {"dropped_rows", model.models.front().facts.missing_target},
          {"seconds", number(seconds)},
          {"accuracy", accuracy_of_classes(model.accuracy)},
          {"coupling", {{"yes", number(model.coupling.yes)}, {"no", number(model.coupling.no)}}},
          {"notes", model.models.front().facts.notes},
          {"models", models}};
}

}  // namespace kore::story

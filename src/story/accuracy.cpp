#include "story/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "story/text.hpp"

namespace kore::story {

namespace {

/// "a tenth of the rows", of ten folds.
std::string part_of(std::size_t folds, const std::string& rows) {
  constexpr std::array words{"half",      "a third",   "a quarter", "a fifth", "a sixth",
                             "a seventh", "an eighth", "a ninth",   "a tenth"};
  if (folds >= 2 && folds - 2 < words.size()) return fmt::format("{} of the {}", words.at(folds - 2), rows);
  return fmt::format("one of {} parts of the {}", grouped(folds), rows);
}

/// What was done again without each fold.
std::string repeated(const Accuracy& accuracy) {
  const std::string what = accuracy.terms_stay
                               ? "smoothness, coefficients and the choice of the model were found again"
                               : "the whole fit was repeated";
  const bool groups = accuracy.groups > 0;
  const std::string without = groups && accuracy.folds == accuracy.groups
                                  ? "one group"
                                  : part_of(accuracy.folds, groups ? "groups" : "rows");
  const std::string predicted =
      fmt::format("{} {}", groups ? "whose rows" : "which", accuracy.terms_stay ? "were" : "it");
  return fmt::format("{} {} times, each time without {}, {} then predicted", what, accuracy.folds, without,
                     predicted);
}

std::string how_groups_were_left_out(const Accuracy& accuracy) {
  const std::string rows =
      fmt::format("{} of {}", counted(accuracy.rows, "row"), counted(accuracy.groups, "group"));
  if (accuracy.how == AccuracySource::folds) return fmt::format("{}: {}", rows, repeated(accuracy));
  return fmt::format("{} that took part in nothing, predicted from a sample of other groups", rows);
}

}  // namespace

std::string error_words(const Accuracy& accuracy) {
  const std::string plain = fmt::format("RMSE {}, {}", short_number(accuracy.rmse),
                                        accuracy.mae > 0 ? "MAE " + short_number(accuracy.mae) + ", " : "");
  if (!accuracy.family) return fmt::format("{}R² {:.3f}", plain, accuracy.r2);
  const FamilyAccuracy& family = *accuracy.family;
  const std::string explained = fmt::format("{} of the deviance explained", percent(family.explained()));
  if (std::isnan(family.auc)) return plain + explained;
  return fmt::format("AUC {:.3f}, log loss {}, Brier score {}, {}", family.auc, short_number(family.log_loss),
                     short_number(family.brier), explained);
}

std::string how_measured(const Accuracy& accuracy) {
  if (accuracy.groups > 0) return how_groups_were_left_out(accuracy);
  switch (accuracy.how) {
    case AccuracySource::folds:
      return fmt::format("{}: {}", counted(accuracy.rows, "row"), repeated(accuracy));
    case AccuracySource::unseen_rows:
      return fmt::format("{} that took part in no choice, each predicted from the others",
                         counted(accuracy.rows, "row"));
    default:
      return fmt::format("leave-one-out over {}, given the terms of the model",
                         counted(accuracy.rows, "row"));
  }
}

std::string accuracy_line(const FitSummary& s) {
  if (!s.accuracy && !std::isfinite(s.loo)) return "not scored: there are too few rows for the paper's rule";
  if (!s.accuracy)
    return fmt::format("RMSE {}, R² {:.3f} (leave-one-out, given the terms of the model)",
                       short_number(std::sqrt(s.loo)), s.loo_r2());
  const std::string errors = error_words(*s.accuracy);
  if (s.accuracy->how == AccuracySource::leave_one_out && s.interpolates())
    return fmt::format("cannot be told: {} parameters repeat {} (formally {})", short_number(s.parameters),
                       counted(s.rows, "row"), errors);
  return fmt::format("{} on new {} ({})", errors, s.accuracy->groups > 0 ? "groups" : "rows",
                     how_measured(*s.accuracy));
}

std::string largest_errors(const Model& model) {
  const std::vector<double>& errors = model.residual_quantiles;
  const bool other_units = model.linked() || model.target_scale != TargetScale::identity ||
                           !model.residual_spread.predictions.empty();
  // Of more rows or of weighted ones, the ends of the quantiles are not the largest errors.
  const auto& accuracy = model.summary.accuracy;
  if (!accuracy || accuracy->rows != errors.size()) return {};
  if (errors.size() < 2 || other_units || !(errors.front() < 0 && errors.back() > 0)) return {};
  return fmt::format("the largest errors on these rows are {} below and {} above the prediction",
                     short_number(-errors.front()), short_number(errors.back()));
}

std::string error_given_model(const FitSummary& s) {
  if (!s.accuracy || s.accuracy->how == AccuracySource::leave_one_out || is_constant(s)) return {};
  if (s.null_deviance)
    return fmt::format(
        "leave-one-out deviance {} per row, {} explained (approximately): too optimistic for new rows, "
        "because "
        "the same rows chose terms and penalties",
        short_number(s.loo), percent(s.loo_r2()));
  return fmt::format(
      "leave-one-out RMSE {}, R² {:.3f}{}: too optimistic for new rows, because the same rows chose terms "
      "and "
      "penalties",
      short_number(std::sqrt(s.loo)), s.loo_r2(), s.scaled_variance ? " on the scale of the fit" : "");
}

std::string robust_note(const FitSummary& summary) {
  if (!summary.robust) return {};
  const RobustFit& robust = *summary.robust;
  return fmt::format(
      "noise deviation {} by the median error; {} of {} left-out rows {} so far off that {} for less than "
      "half; stated errors are those of all rows{}",
      short_number(robust.scale), grouped(robust.discounted), grouped(robust.rows),
      robust.discounted == 1 ? "is" : "are", robust.discounted == 1 ? "it counts" : "they count",
      robust.settled ? "" : "; the weights of the rows did not settle");
}

std::string loss_text(const FitSummary& summary, double loss) {
  return short_number(summary.null_deviance ? loss : std::sqrt(loss));
}

std::string loss_word(const FitSummary& summary) { return summary.null_deviance ? "deviance" : "RMSE"; }

bool is_constant(const FitSummary& summary) {
  return std::ranges::any_of(summary.stages,
                             [](const StageSummary& stage) { return stage.chosen && stage.terms == 0; });
}

std::string equal_rows_note(const FitSummary& summary) {
  if (summary.equal_rows == 0) return {};
  return fmt::format("{} the same features as an earlier row{}; such rows are left out together",
                     summary.equal_rows == 1 ? "1 row has" : grouped(summary.equal_rows) + " rows have",
                     summary.structure_rows < summary.rows
                         ? fmt::format(" among {} of the sample", grouped(summary.structure_rows))
                         : "");
}

// The error of a new row is equally likely to fall into any of the n + 1 gaps between the n left-out errors.
// The widest interval that they give leaves out the two outer gaps.
std::string interval_warning(const Model& model, double level) {
  if (!(level > largest_level(model))) return {};
  const std::string needed = grouped(static_cast<std::uint64_t>(std::ceil(2 / (1 - level) - 1 - 1e-9)));
  if (model.summary.accuracy && model.summary.accuracy->groups > 0)
    return fmt::format(
        "An interval of level {} needs {} left-out groups, and the model has {}, so that it covers fewer "
        "rows of new groups.",
        level, needed, grouped(model.summary.accuracy->groups));
  return fmt::format(
      "An interval of level {} needs {} left-out rows, and the model has {}. Its ends span all left-out "
      "errors "
      "and cover about {}.",
      level, needed, short_number(rows_behind_intervals(model)), percent(largest_level(model)));
}

}  // namespace kore::story

#include "fit/scale_search.hpp"

#include <algorithm>
#include <cmath>

#include "fit/grow_settings.hpp"
#include "fit/overdispersion.hpp"
#include "fit/robust_rows.hpp"
#include "grow/choice.hpp"
#include "kore/error.hpp"
#include "response/log_link.hpp"

namespace kore {
namespace {

// Share of the variance of `g(target)` that a straight line in the target leaves, below which `g` is no scale
// of its own.
constexpr double almost_straight = 0.01;
// In standard errors of the difference to the identity, by leave-one-out:
constexpr double hopeless = 1;        // worse main effects, that nothing is grown from
constexpr double clearly_worse = 1;   // a growth that the referee need not repeat
constexpr double clearly_better = 3;  // so that the referee need not repeat the other one
constexpr double least_gain = 0.5;    // of another scale where there is no referee

/// One less the squared correlation between the target and `g` of it.
double bend(const GrowingRows& rows, TargetScale scale) {
  const RowBlock& block = rows.deciding();
  double weight = 0;
  double mean_y = 0;
  double mean_g = 0;
  double yy = 0;
  double gg = 0;
  double yg = 0;
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double w = block.weight(r);
    if (!(w > 0)) continue;
    const double y = block.y[r];
    const double g = to_scale(scale, rows.own_target(y));
    weight += w;
    const double from_y = y - mean_y;
    const double from_g = g - mean_g;
    mean_y += w / weight * from_y;
    mean_g += w / weight * from_g;
    yy += w * from_y * (y - mean_y);
    gg += w * from_g * (g - mean_g);
    yg += w * from_y * (g - mean_g);
  }
  return yy > 0 && gg > 0 ? 1 - yg * yg / (yy * gg) : 0;
}

/// Over the deciding rows, each of which is a part of its own.
Gain gain_of(const GrowingRows& rows, std::span<const double> from, std::span<const double> to) {
  const RowBlock& block = rows.deciding();
  const std::vector<std::uint64_t> units = units_of(block);
  const std::vector<std::size_t> no_folds(block.rows());
  return gain_between({&normal_response(), block.y, block.weights, units, no_folds}, from, to);
}

std::string name_of_target(const Names& names) {
  return names.target.empty() ? "The target" : "The target '" + names.target + "'";
}

/// Refuses targets that a family cannot have.
void check_family(Family family, const Survey& data, const Names& names) {
  const auto refuse = [&](std::string_view reason, std::string_view sentence) {
    throw Error(ErrorCode::invalid_data, reason, sentence,
                {{"target", name_of_target(names)},
                 {"lowest", data.target.lowest},
                 {"highest", data.target.highest}});
  };
  if (family == Family::binomial && !(data.target.lowest >= 0 && data.target.highest <= 1))
    refuse("target_not_binary",
           "{target} has values from {lowest} to {highest}; the binomial family needs 0 and 1, or shares "
           "between them.");
  if (family == Family::gamma && !(data.target.lowest > 0))
    refuse("target_not_positive",
           "{target} has values down to {lowest}; the gamma family needs positive ones. Where amounts may be "
           "zero, model whether there is one (binomial), and how much where there is (gamma).");
  if (!(data.target.lowest >= 0))
    refuse("target_negative",
           "{target} has values down to {lowest}; families of counts need values of at least 0.");
  if (data.target.lowest == data.target.highest)
    refuse("target_constant",
           "{target} is {lowest} in every row, so that there is nothing to learn about when it is not.");
}

}  // namespace

void check_target(const GrownOptions& method, const Survey& data, const Names& names) {
  if (method.family != Family::normal) return check_family(method.family, data, names);
  const TargetScale scale = method.target_scale;
  if (allows(scale, data.target.lowest)) return;
  const std::string name = name_of_target(names);
  throw Error(ErrorCode::invalid_data, "target_below_scale",
              scale == TargetScale::logarithm
                  ? "{target} cannot be taken on the logarithmic scale: its smallest value is {lowest}, and "
                    "logarithms need values above 0."
                  : "{target} cannot be taken on the square-root scale: its smallest value is {lowest}, and "
                    "square roots need values of at least 0.",
              {{"target", name}, {"lowest", data.target.lowest}});
}

std::vector<TargetScale> rival_scales(const GrowingRows& identity) {
  std::vector<TargetScale> rivals;
  for (const TargetScale scale : {TargetScale::square_root, TargetScale::logarithm})
    if (allows(scale, identity.data().target.lowest) && bend(identity, scale) > almost_straight)
      rivals.push_back(scale);
  return rivals;
}

Search::Search(SurveyedRows surveyed, const GrownOptions& method, const Options& options)
    : surveyed_(std::move(surveyed)), method_(method), options_(options) {
  const bool linked = method.family != Family::normal;
  const TargetScale first =
      linked || method.target_scale == TargetScale::automatic ? TargetScale::identity : method.target_scale;
  attempts_.push_back(attempt_on(first));
}

std::unique_ptr<Search::Attempt> Search::attempt_on(TargetScale scale) const {
  auto attempt = std::make_unique<Attempt>();
  attempt->rows = std::make_unique<GrowingRows>(surveyed_, method_, options_, scale);
  attempt->choices = grow_options(method_, options_, *attempt->rows);
  return attempt;
}

std::shared_ptr<const Response> Search::response_around(const GrowingData& data, const Stage& fitted) const {
  constexpr double much_less = 0.8;
  const double before = data.response->parameter();
  if (method_.family == Family::poisson) {
    const double now = std::max(variance_ratio(data, fitted), method_.dispersion);
    return now < much_less * before ? poisson_with_dispersion(now) : nullptr;
  }
  if (method_.family != Family::negative_binomial) return nullptr;
  const double now = theta_of(data, fitted);
  return before < much_less * now ? negative_binomial_with(now) : nullptr;
}

/// Where interactions explain much, counts vary around them by less than around the main effects. Penalties
/// that allow for the larger dispersion are too strong, so that the model grows again.
void Search::grow_with_less_dispersion(Attempt& attempt) {
  constexpr int rounds = 2;
  for (int round = 0; round < rounds; ++round) {
    const Stage& chosen = attempt.growth.stages[attempt.growth.chosen];
    if (chosen.order() < 2 || !chosen.predictor) return;
    std::shared_ptr<const Response> response = response_around(attempt.rows->growing(), chosen);
    if (!response) return;
    const int fits = attempt.growth.fits;
    attempt.rows->set_response(std::move(response));
    attempt.growth = grow(attempt.rows->growing(), attempt.choices);
    attempt.growth.fits += fits;
  }
}

void Search::grow_simplest() {
  Attempt& first = *attempts_.front();
  if (method_.family == Family::negative_binomial)
    first.rows->set_response(negative_binomial_with(theta_of_main_effects(first.rows->growing())));
  if (method_.family == Family::poisson)
    first.rows->set_response(
        poisson_with_dispersion(method_.dispersion * overdispersion_of_main_effects(first.rows->growing())));
  if (method_.loss == Loss::squared || method_.family != Family::normal) {
    first.growth = grow(first.rows->growing(), first.choices);
    grow_with_less_dispersion(first);
    return;
  }
  const auto options_for = [&](const GrowingRows& now) { return grow_options(method_, options_, now); };
  first.growth = grow_robustly(*first.rows, options_for);
  first.choices = options_for(*first.rows);
}

/// Rivals that are not hopeless, the one with the smallest error of its main effects first.
std::vector<std::unique_ptr<Search::Attempt>> Search::promising_rivals() {
  const PhaseTimer timer(options_.phases, "other scales");
  const Attempt& identity = *attempts_.front();
  const Stage* mains = stage_of(identity.growth, StageKind::main_effects);
  const std::vector<double> losses = left_out_losses(*identity.rows, *mains);
  std::vector<std::pair<double, std::unique_ptr<Attempt>>> rivals;
  for (const TargetScale scale : rival_scales(*identity.rows)) {
    std::unique_ptr<Attempt> rival = attempt_on(scale);
    GrowOptions cheap = rival->choices;
    cheap.max_order = 1;
    cheap.given.clear();
    cheap.interactions_only = false;
    cheap.unpenalised_mains = false;
    cheap.main_resolution = mains->main_resolution();
    cheap.earlier = &identity.growth;
    const Growth growth = grow(rival->rows->growing(), cheap);
    screening_fits_ += growth.fits;
    const Gain gain = gain_of(*identity.rows, losses,
                              left_out_losses(*rival->rows, *stage_of(growth, StageKind::main_effects)));
    if (gain.mean > -hopeless * gain.error) rivals.emplace_back(-gain.mean, std::move(rival));
  }
  std::ranges::stable_sort(rivals, {}, [](const auto& rival) { return rival.first; });
  std::vector<std::unique_ptr<Attempt>> sorted;
  for (auto& [loss, rival] : rivals) sorted.push_back(std::move(rival));
  return sorted;
}

Extrapolation Search::outside_of(const Attempt& attempt) const {
  const bool level = method_.level_outside && options_.extrapolation == Extrapolation::linear;
  const double loo = attempt.growth.stages[attempt.growth.chosen].loo();
  return level && !almost_noise_free(loo, attempt.rows->growing()) ? Extrapolation::constant
                                                                   : options_.extrapolation;
}

bool Search::is_limited(Extrapolation outside) const {
  return method_.level_outside && outside != Extrapolation::continue_polynomial;
}

std::optional<UnseenPredictions> Search::unseen_predictions_of(const Attempt& attempt) const {
  const Extrapolation outside = outside_of(attempt);
  // Predictions that the model would refuse tell about its error too.
  const Extrapolation never_refused = outside == Extrapolation::error ? Extrapolation::constant : outside;
  return predict_unseen_rows(*attempt.rows, attempt.choices, attempt.growth,
                             {method_.folds, never_refused, is_limited(outside), method_.simplest});
}

Refereed Search::choose_by_referee() {
  const PhaseTimer timer(options_.phases, "referee");
  std::vector<UnseenPredictions> all_unseen;
  std::vector<const GrowingRows*> rows;
  for (const std::size_t i : competing_) {
    // The scales before have been judged in as many parts as this one will be.
    const auto folds_done = attempts_[i]->choices.folds_done;
    const std::size_t before = all_unseen.size();
    if (folds_done)
      attempts_[i]->choices.folds_done = [&](std::size_t done, std::size_t count) {
        folds_done(before * count + done, competing_.size() * count);
      };
    std::optional<UnseenPredictions> unseen = unseen_predictions_of(*attempts_[i]);
    attempts_[i]->choices.folds_done = folds_done;
    if (!unseen) continue;
    all_unseen.push_back(std::move(*unseen));
    rows.push_back(attempts_[i]->rows.get());
  }
  chosen_ = competing_.front();
  if (all_unseen.empty()) return {};
  // The constant competes once.
  for (std::size_t i = 1; i < all_unseen.size(); ++i) all_unseen[i].competing[0] = false;
  std::vector<const UnseenPredictions*> all;
  for (const UnseenPredictions& unseen : all_unseen) all.push_back(&unseen);
  ScaleChoice choice = choose_candidate(rows, all);
  chosen_ = competing_[choice.scale];
  return std::move(choice.refereed);
}

/// How much better the second attempt predicts left-out rows, given its terms and weights.
Gain Search::gain_by_leave_one_out(std::size_t from, std::size_t to) const {
  const auto losses = [&](std::size_t i) {
    const Growth& growth = attempts_[i]->growth;
    return left_out_losses(*attempts_[i]->rows, growth.stages[growth.chosen]);
  };
  return gain_of(*attempts_[from]->rows, losses(from), losses(to));
}

/// Grows on a further scale. Of two attempts of which one is clearly better by leave-one-out, the other need
/// not be repeated by the referee; where rows outside the sample judge, that costs nothing.
void Search::add_rival(std::unique_ptr<Attempt> rival) {
  const PhaseTimer timer(options_.phases, "other scales");
  GrowOptions choices = rival->choices;
  choices.earlier = &attempts_.front()->growth;
  rival->growth = grow(rival->rows->growing(), choices);
  attempts_.push_back(std::move(rival));
  const std::size_t added = attempts_.size() - 1;
  const Gain gain = gain_by_leave_one_out(competing_.back(), added);
  const bool folds = attempts_.front()->rows->complete();
  if (method_.folds == 1) {
    if (gain.mean > least_gain * gain.error) competing_ = {added};
  } else if (folds && gain.mean > clearly_better * gain.error) {
    competing_ = {added};
  } else if (!folds || gain.mean > -clearly_worse * gain.error) {
    competing_.push_back(added);
  }
}

Refereed Search::run() {
  // Weights of rows by their errors would differ between scales, so that these could not be compared.
  if (method_.target_scale == TargetScale::automatic && method_.loss == Loss::squared &&
      method_.family == Family::normal) {
    std::vector<std::unique_ptr<Attempt>> rivals = promising_rivals();
    if (!rivals.empty()) add_rival(std::move(rivals.front()));
    // Two rivals grow where the first leaves the identity behind.
    if (rivals.size() > 1) {
      const Gain gain = gain_by_leave_one_out(0, 1);
      if (gain.mean > clearly_better * gain.error) add_rival(std::move(rivals[1]));
    }
  }
  Refereed refereed = choose_by_referee();
  int fits = screening_fits_;
  for (const auto& attempt : attempts_) fits += attempt->growth.fits;
  growth().fits = fits;
  return refereed;
}

}  // namespace kore
